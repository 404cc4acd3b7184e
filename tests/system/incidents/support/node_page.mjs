// The page's own modules without a browser: its transactions, its live line and its boards.
// Lines of JSON control the process. The first order is `open`, with {base: where /api is,
// accounts: {address: key}, chainId, game}.
import { createInterface } from "node:readline";

import { boardHash } from "../../../../frontend-static/lib/board.js";
import { ChainClient } from "../../../../frontend-static/chain/tx/chain-client.js";
import { TransactionManager } from "../../../../frontend-static/chain/tx/manager.js";
import { isDone } from "../../../../frontend-static/chain/tx/states.js";
import { Connection } from "../../../../frontend-static/server/websocket.js";
import { Disk } from "../../../frontend/unit/chain/model-node.mjs";

/** Pauses between retries are shorter than in a browser by this factor. */
const HURRY = 10;
const soon = (ms) => new Promise((done) => setTimeout(done, ms / HURRY));
const say = (told) => process.stdout.write(`${JSON.stringify(told)}\n`);
const fetch = globalThis.fetch;
let accounts = {};
let about = {};
let transactions;
let line;
/** @type {[string, string, number][]} (match, kind of message, seq) of each board shown */
const shown = [];
const status = [];

const listed = () =>
  transactions.list.map(({ id, account, state, nonce, hashes, block, reason }) => ({
    id,
    account,
    state: state === "final" ? "mined" : state,
    nonce,
    hash: hashes.at(-1),
    block,
    why: reason?.sentence.key,
  }));

/** @type {Record<string, (given: any) => any>} orders by name */
const orders = {
  open({ base, ...rest }) {
    about = rest;
    accounts = rest.accounts;
    globalThis.fetch = (path, options) => fetch(new URL(path, base), options);
    const chain = new ChainClient(
      () => ({ chainId: about.chainId }),
      (address) => ({ address, key: accounts[address] }),
      () => about.game,
    );
    transactions = new TransactionManager(chain, new Disk().open(), undefined, soon);
  },
  submit: ({ account, to, data }) =>
    transactions.submit({
      account,
      to,
      data,
      value: 0n,
      gasCap: 2_000_000n,
      match: "",
      action: "create",
      game: about.game.slug,
    }).id,
  /** Wait until nothing is left to send, and the check that follows each send is over. */
  async sent() {
    await Promise.all(transactions.queues.values());
    await transactions.checking;
    return listed();
  },
  /** Do what the page does at a new head. */
  async look() {
    await transactions.check();
    return listed();
  },
  /** Wait until all transactions are done, whatever their result. */
  async over() {
    await orders.sent();
    while (transactions.list.some(({ state }) => !isDone(state))) await orders.look().then(() => soon(50));
    return listed();
  },
  list: listed,
  forget: () => transactions.forget(),
  connect({ url }) {
    const board = (match, entry, message) => shown.push([match, message.t, entry.seq]);
    const ignore = () => undefined;
    line = new Connection(url, {
      status: (now) => status.push(now),
      hello: ignore,
      head: ignore,
      board,
      error: ignore,
    });
    line.start();
  },
  watch: ({ match }) => line.watch(match),
  boards: () =>
    Object.fromEntries(
      [...line.entries].map(([match, entry]) => [
        match,
        entry && {
          seq: entry.seq,
          hash: boardHash(entry.board),
          at: entry.block.hash,
          held: [...entry.recentBoards].map(([seq, board]) => [seq, boardHash(board)]),
        },
      ]),
    ),
  shown: () => ({ boards: shown, status, connected: Boolean(line.socket && line.greeted) }),
};

for await (const asked of createInterface({ input: process.stdin })) {
  const { order, ...given } = JSON.parse(asked);
  Promise.resolve(given)
    .then(orders[order])
    .then(
      (answer = null) => say({ order, answer }),
      (error) => say({ order, error: String(error?.stack ?? error) }),
    );
}
process.exit(0);
