// Runs the page's own modules for transactions, the websocket and boards under Node. Each line of
// the input is a command in JSON. The first command must be `open`, with {base, accounts, chainId,
// game}. `base` is the server's URL, and `accounts` maps the accounts to their private keys.
import { createInterface } from "node:readline";

import { boardHash } from "../../../../frontend-static/lib/board.js";
import { ChainClient } from "../../../../frontend-static/chain/tx/chain-client.js";
import { TransactionManager } from "../../../../frontend-static/chain/tx/manager.js";
import { isDone } from "../../../../frontend-static/chain/tx/states.js";
import { Connection } from "../../../../frontend-static/server/websocket.js";
import { Disk } from "../../../frontend/unit/chain/model-node.mjs";

/** Pauses between retries are shorter than in a browser by this factor, so that tests are fast. */
const SPEEDUP = 10;
const sleep = (ms) => new Promise((done) => setTimeout(done, ms / SPEEDUP));
const reply = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);
const fetch = globalThis.fetch;
let accounts = {};
let options = {};
let transactions;
let connection;
/**
 * @type {[string, string, number][]} the boards that the page has shown. Each item consists of
 *   the match, the type of the message with the board, and the number of the board's last event
 */
const shownBoards = [];
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

/** @type {Record<string, (options: any) => any>} maps each command's name to its function */
const commands = {
  open({ base, ...rest }) {
    options = rest;
    accounts = rest.accounts;
    globalThis.fetch = (path, init) => fetch(new URL(path, base), init);
    const chain = new ChainClient(
      () => ({ chainId: options.chainId }),
      (address) => ({ address, key: accounts[address] }),
      () => options.game,
    );
    transactions = new TransactionManager(chain, new Disk().open(), undefined, sleep);
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
      game: options.game.slug,
    }).id,
  /** Wait until all transactions have been sent and the checks after sending are over. */
  async wait_until_sent() {
    await Promise.all(transactions.queues.values());
    await transactions.checking;
    return listed();
  },
  /** Check the pending transactions, in the same way as the page when a new block arrives. */
  async check_head() {
    await transactions.check();
    return listed();
  },
  /** Wait until no transaction is pending. */
  async wait_until_done() {
    await commands.wait_until_sent();
    while (transactions.list.some(({ state }) => !isDone(state))) await commands.check_head().then(() => sleep(50));
    return listed();
  },
  list: listed,
  forget: () => transactions.forget(),
  connect({ url }) {
    const board = (match, entry, message) => shownBoards.push([match, message.t, entry.seq]);
    const ignore = () => undefined;
    connection = new Connection(url, {
      status: (now) => status.push(now),
      hello: ignore,
      head: ignore,
      board,
      error: ignore,
    });
    connection.start();
  },
  watch: ({ match }) => connection.watch(match),
  boards: () =>
    Object.fromEntries(
      [...connection.entries].map(([match, entry]) => [
        match,
        entry && {
          seq: entry.seq,
          hash: boardHash(entry.board),
          at: entry.block.hash,
          held: [...entry.recentBoards].map(([seq, board]) => [seq, boardHash(board)]),
        },
      ]),
    ),
  history: () => ({ boards: shownBoards, status, connected: Boolean(connection.socket && connection.greeted) }),
};

for await (const line of createInterface({ input: process.stdin })) {
  const { command, ...values } = JSON.parse(line);
  Promise.resolve(values)
    .then(commands[command])
    .then(
      (answer = null) => reply({ command, answer }),
      (error) => reply({ command, error: String(error?.stack ?? error) }),
    );
}
process.exit(0);
