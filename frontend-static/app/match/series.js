/**
 * Repeats a move automatically after a single click. Each move is sent once the board shows the
 * previous move. The player can stop the series, and so can `repeats` in the game's renderer. The
 * series also ends if a transaction fails or the page is reloaded.
 */

import { hasEnded } from "../../lib/board.js";
import { isDone, isUnsuccessful } from "../../chain/tx/states.js";

/** @import { Actions } from "../actions.js" */
/** @import { AutoMoves } from "./auto-moves.js" */
/** @import { ServerState } from "../server-state.js" */
/** @import { Accounts } from "../../chain/wallet/accounts.js" */
/** @import { MatchContext } from "../../history/match-context.js" */
/** @import { I18nText, Json, Tx } from "../../types.js" */
/** @typedef {{accounts: Accounts, actions: Actions, autoMoves: AutoMoves, live: Pick<MatchContext, "renderContext">, redraw: () => void, server: ServerState}} Uses */
/** @typedef {{match: string, account: string, actionId: string, before: Json, seq: number, sent: number, fees: bigint, tx: Tx|null, end: I18nText|null}} Series `before`: the board when the series began. `seq`: the number of that board's event. `fees`: the maximum cost of the moves sent so far, in wei. `end`: the reason why the series has ended, or null while it is running. */

/** The maximum total cost of a series, in wei. The series ends before a move would exceed it. */
export const MAX_FEES = 50_000_000_000_000_000n;
/** The pause before the page tries a move again, if the move failed but the series goes on. */
const PAUSE_MS = 900;
/** The reasons why a move can't be sent now but probably can be sent soon. */
const TEMPORARY = ["why.on-its-way"];

export class MoveSeries {
  /** @param {Uses} app */
  constructor(app) {
    this.app = app;
    /** @type {Series|null} the running series or, if none is running, the last series */
    this.current = null;
  }

  /** Return the series of the account in use in this match, or null if it has none. @param {string} match */
  of(match) {
    const { current } = this;
    return current?.match === match && current.account === this.app.accounts.me ? current : null;
  }

  /** Return true if the match's game can repeat moves and a key in this browser signs them. @param {string} match */
  isPossible(match) {
    const { accounts, actions, autoMoves, server } = this.app;
    const action = actions.of(match, server.renderer(match)?.repeats?.actionId ?? "");
    return Boolean(action && autoMoves.signsSilently(accounts.me, action, match));
  }

  /** @param {string} match */
  begin(match) {
    const { accounts, server } = this.app;
    const actionId = server.renderer(match)?.repeats?.actionId;
    const entry = server.socket.entries.get(match);
    if (!actionId || !entry || !this.isPossible(match)) return;
    const { board: before, seq } = entry;
    this.current = { match, account: accounts.me, actionId, before, seq, sent: 0, fees: 0n, tx: null, end: null };
    this.advance();
  }

  /** @param {I18nText} end the reason to show */
  stop(end) {
    if (this.current) this.current.end ??= end;
    this.app.redraw();
  }

  /** Forget the series. Called when the chain changes. */
  reset() {
    this.current = null;
  }

  /** Send the series' next move if it can be sent now. If the series is over, end the series. */
  advance() {
    const series = this.current;
    if (!series || series.end) return;
    const end = this.whyOver(series);
    if (end) return this.stop(end);
    if (series.tx && !isDone(series.tx.state)) return;
    if (series.tx && isUnsuccessful(series.tx) && Date.now() - series.tx.at < PAUSE_MS) return; // the next tick tries again
    const { app } = this;
    const repeats = app.server.renderer(series.match)?.repeats;
    const action = app.actions.of(series.match, series.actionId);
    if (!repeats || !action) return this.stop({ key: "series.left" });
    const why = app.actions.why(series.match, action, {}, series.account);
    if (why && [...TEMPORARY, ...repeats.temporary].includes(why.key)) return;
    if (why) return this.stop(why);
    const { board, fee } = this.costs(series);
    const cap = action.gas.base + (action.gas.each ?? 0) * Number(board[action.gas.of ?? ""] ?? 0);
    const fees = series.fees + BigInt(cap) * fee;
    if (series.sent >= repeats.maximum) return this.stop({ key: "series.count", args: { n: series.sent } });
    if (fees > MAX_FEES) return this.stop({ key: "series.fees", args: { n: series.sent } });
    Object.assign(series, { fees, sent: series.sent + 1 });
    series.tx = app.actions.submit(series.match.split("/")[0], action, series.match, {}, series.account);
    app.redraw();
  }

  /** @param {Series} series */
  costs({ match }) {
    return { board: this.app.server.board(match) ?? {}, fee: this.app.server.fee };
  }

  /** @param {Series} series @returns {I18nText|null} */
  whyOver({ match, account, before, seq, tx }) {
    const { accounts, live, server } = this.app;
    const board = server.board(match);
    const repeats = server.renderer(match)?.repeats;
    if (!board || !repeats || accounts.me !== account) return { key: "series.left" };
    if (hasEnded(board)) return { key: "series.over" };
    const rejected = tx && isUnsuccessful(tx) ? (tx.reason?.sentence ?? { key: "series.lost" }) : null;
    return (
      repeats.why(live.renderContext(match, account), { board: before, seq }) ??
      (rejected && !repeats.harmless.includes(rejected.key) ? rejected : null)
    );
  }
}
