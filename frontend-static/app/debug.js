/** Defines `window.chainboard`, a read-only copy of the page's state for tests and debugging. */

import { boardHash } from "../lib/board.js";
import { lastOf } from "../chain/tx/model.js";
import { isFinal } from "../chain/tx/states.js";
import { played } from "./notices/sound.js";

/** @import { ServerState } from "./server-state.js" */
/** @import { Ui } from "./ui.js" */
/** @import { TransactionManager } from "../chain/tx/manager.js" */
/** @import { Accounts } from "../chain/wallet/accounts.js" */
/** @import { Playback } from "../history/playback.js" */
/** @import { Entry, Tx } from "../types.js" */
/** @typedef {{accounts: Accounts, playback: Playback, server: ServerState, transactions: TransactionManager, ui: Ui}} Uses */

/** @type {Uses|null} */
let exposed = null;

/** @template {Uses} T @param {T} app @returns {T} */
export function expose(app) {
  exposed = app;
  return app;
}

/** @param {Uses} app */
const boards = ({ server }) =>
  Object.fromEntries([...server.socket.entries].flatMap(([match, entry]) => (entry ? [[match, copy(entry)]] : [])));

/** @param {Entry} entry */
function copy({ seq, block, board, recentBoards }) {
  const hashAt = (/** @type {number} */ at) => (recentBoards.has(at) ? boardHash(recentBoards.get(at)) : undefined);
  const boardAt = (/** @type {number} */ at) => structuredClone(recentBoards.get(at));
  return Object.freeze({
    seq,
    block: { ...block },
    board: structuredClone(board),
    hash: boardHash(board),
    seqs: [...recentBoards.keys()],
    hashAt,
    boardAt,
  });
}

/** @param {Uses} app */
function state({ server: { connection, head, health }, accounts, transactions }) {
  return structuredClone({
    line: connection,
    head,
    health,
    me: accounts.me,
    accounts: accounts.list.map(({ address, kind }) => ({ address, kind })),
    transactions: transactions.list.map(txSummary),
  });
}

/**
 * If the page shows an earlier board of the match or of the open replay file, return the position
 * of that board. Return null if the page shows the latest board. @param {Uses} app
 */
function past({ playback: own, ui: { openedFile } }) {
  const { playhead, match } = location.hash.startsWith("#/replay") && openedFile ? openedFile.playback : own;
  return playhead && Object.freeze({ match, seq: playhead.seq, ...(playhead.orphan ? { ghost: true } : {}) });
}

/** @param {Tx} tx */
const txSummary = (tx) => ({
  ...plain(tx),
  state: isFinal(tx) ? "mined" : tx.state,
  final: isFinal(tx),
  hash: lastOf(tx),
  raw: undefined,
  cancelRaw: undefined,
});

/** Return a copy in which big integers are decimal text, because JSON has no big integers. @param {any} value @returns {any} */
const plain = (value) => JSON.parse(JSON.stringify(value, (_, one) => (typeof one === "bigint" ? String(one) : one)));

const NOTHING = { line: "connecting", head: null, health: null, me: "", accounts: [], transactions: [] };

Object.defineProperty(window, "chainboard", {
  value: Object.freeze({
    get boards() {
      return exposed ? boards(exposed) : {};
    },
    get past() {
      return exposed ? past(exposed) : null;
    },
    get sounds() {
      return [...played];
    },
    get presence() {
      return exposed ? Object.fromEntries(exposed.server.presence) : {};
    },
    get state() {
      return exposed ? state(exposed) : structuredClone(NOTHING);
    },
  }),
});
