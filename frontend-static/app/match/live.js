/** Provides everything that views need to draw a match, from the side of the account in use. */

import { loadOlder } from "./load-events.js";
import { isCovered } from "./privacy.js";
import { asSeat, seatOf } from "../submit.js";
import { isDone } from "../../chain/tx/states.js";
import { contractOf } from "../../chain/verify/known-contracts.js";

/** @import { Actions } from "../actions.js" */
/** @import { Leaderboards } from "../lobby/leaderboards.js" */
/** @import { Opponents } from "../lobby/opponents.js" */
/** @import { Rejections } from "../rejections.js" */
/** @import { ServerState } from "../server-state.js" */
/** @import { Ui } from "../ui.js" */
/** @import { MoveSeries } from "./series.js" */
/** @import { TransactionManager } from "../../chain/tx/manager.js" */
/** @import { FinalityChecker } from "../../chain/verify/finality.js" */
/** @import { Nicknames } from "../../server/nicknames.js" */
/** @import { Accounts } from "../../chain/wallet/accounts.js" */
/** @import { Tokens } from "../../chain/wallet/tokens.js" */
/** @import { Playback } from "../../history/playback.js" */
/** @import { MatchContext } from "../../history/match-context.js" */
/** @import { GameInfo, Json, RenderContext, Tx } from "../../types.js" */

/** @typedef {object} Uses @property {Accounts} accounts @property {Leaderboards} leaderboards @property {Nicknames} nicknames @property {Actions} actions @property {FinalityChecker} finalityChecker @property {Opponents} opponents @property {Playback} playback @property {() => void} redraw @property {Rejections} rejections @property {MoveSeries} series @property {ServerState} server @property {Tokens} tokens @property {TransactionManager} transactions @property {Ui} ui */

/** @typedef {MatchContext & {withBoard: (board: Json|null) => MatchContext}} LiveMatches `withBoard`: returns the same data for a board that didn't come from the websocket. */

/** @param {Uses} app @param {(match: string) => Json|null} [boardOf] @returns {LiveMatches} */
export function liveMatches(app, boardOf = (match) => app.server.board(match)) {
  const { server, accounts, ui, playback, redraw } = app;
  const { games, renderers, layouts } = server;
  /** @type {LiveMatches} */
  const live = {
    ...{ ui, playback, redraw, games, renderers, layouts, hasServer: true },
    get me() {
      return accounts.me;
    },
    board: boardOf,
    latestBoard: boardOf,
    withBoard: (board) => liveMatches(app, () => board),
    events: (match) => server.events(match),
    orphansOf: (match) => server.orphans.of(match),
    account: (address) => accounts.find(address),
    use: (account) => accounts.use(account),
    nicknames: app.nicknames,
    ratingOf: (address, slug) => app.leaderboards.ratingOf(address, slug),
    now: () => server.now(),
    watchers: (match) => server.presence.get(match)?.watchers ?? 0,
    covers: (match) => isCovered({ accounts, live, server, ui }, match, boardOf(match)),
    link: linkTo,
    loadOlder: (match) => loadOlder(app, match),
    isRepeating: (match) => app.series.of(match)?.end === null,
    lacksEther: () => app.actions.whyCantSend()?.key === "why.no-funds",
    submitPress: (match, move, cell) => app.actions.press(match, move, cell),
    renderContext: (match, me, slug) => ({ ...contextOf(app, match, me, slug), board: boardOf(match) ?? {} }),
  };
  return live;
}

/** @param {string} match @param {number} seq the number of the event to show, or 0 for the latest board */
export const linkTo = (match, seq) => `#/match/${match}${seq ? `@${seq}` : ""}`;

/**
 * Return this browser's signed transactions in a match, including the opening transaction. Leave
 * out calls to other contracts, such as token approvals. Old transactions can be missing.
 * @param {TransactionManager} transactions @param {GameInfo|undefined} game @param {string} match @returns {Tx[]}
 */
function signedFor({ list }, game, match) {
  const contract = game && contractOf(game, Number(match.split("/")[1]));
  return list.filter((tx) => [tx.match, tx.opened].includes(match) && tx.hashes.length > 0 && tx.to === contract);
}

/** @param {Uses} app @param {string} match the match, or "" before the match is opened @param {string} [me] the account from whose side the match is shown @param {string} [slug] @returns {Omit<RenderContext, "board">} */
function contextOf(
  { server, accounts, transactions, tokens, ui, finalityChecker, opponents, rejections },
  match,
  me = accounts.me,
  slug,
) {
  const game = slug ?? match.split("/")[0];
  const own = transactions.list.filter((tx) => tx.match === match);
  const sent = own.filter((tx) => tx.game === game && (!isDone(tx.state) || server.isAheadOfBoard(tx)));
  const under = [...sent, ...rejections.pressedIn(match)];
  return {
    match,
    me,
    ownAccounts: new Set(accounts.list.map(({ address }) => address)),
    selected: ui.selected,
    draft: ui.draftFor(match || game, me),
    head: server.head,
    now: server.now(),
    pending: under.map(asSeat),
    formatAmount: tokens.formatAmount,
    opponents: opponents.of(game),
    companions: server.games.get(game)?.companions,
    events: server.events(match),
    seq: server.socket.entries.get(match)?.seq,
    finality: () => finalityChecker.resultFor(match),
    sent: () => signedFor(transactions, server.games.get(game), match).filter((tx) => seatOf(tx) === me),
  };
}
