/**
 * Before each drawing, follows matches, requests data and selects the account. This code isn't in
 * `views/`, because views must not change any state.
 */

import { contractOf } from "../chain/verify/known-contracts.js";
import { isStaked } from "../games/shared/terms.js";
import { hasEnded } from "../lib/board.js";
import { nameCoin } from "../i18n/translate.js";
import { ServerHistory } from "../history/match-history.js";
import { claimOf } from "../history/match-context.js";
import { inputsOf, isAccount, tokenOf, whyInputs } from "./inputs.js";
import { loadGame } from "./loading/load-game.js";
import { requestCareer } from "./lobby/career.js";
import { leaderboardPath, playerPath } from "./lobby/leaderboards.js";
import { rematchesOf, resolveDuplicateRematch } from "./lobby/rematch.js";
import { firstRows, ownRunning, running, withoutBoard } from "./lobby/rows.js";
import { switchToMover } from "./match/hot-seat.js";
import { noteSeen } from "./match/privacy.js";
import { turnStates, unlistedOwn } from "./match/turns.js";
import { closeFile } from "./loading/open-file.js";
import { deposit, depositToken } from "./submit.js";

/** @import { App } from "./app.js" */
/** @import { Route } from "./route.js" */
/** @import { GameInfo } from "../types.js" */

/** The time between two requests for a player's rating during a match. */
const RATING_FRESH_MS = 60_000;
/**
 * The maximum number of players for whom the page requests ratings. In a match with more players,
 * the player cards are too small to show ratings.
 */
const MAX_RATED_PLAYERS = 6;

/**
 * Handle a new address. If the address names an event, show that event. Close the playback of a
 * match that is no longer on display. @param {App} app @param {Route} route
 */
export function onRoute(app, { view, match, seq }) {
  const playback = playbackOf(app, view);
  if (playback !== app.playback) app.playback.close();
  if (playback !== app.ui.openedFile?.playback) app.ui.openedFile?.playback.pause();
  if (match) openPlayback(app, match);
  if (seq !== undefined) playback?.visit(seq);
  else if (playback?.playhead && !playback.playhead.orphan) playback.present();
}

/** Follow these matches, and stop following all other matches. @param {App} app @param {string[]} matches @param {string[]} previews more matches to follow; the page fetches the board of each of them first */
function setWatched({ previews: cards, server: { socket } }, matches, previews) {
  const topics = ["lobby", ...matches, ...previews];
  for (const match of socket.entries.keys()) if (!topics.includes(match)) socket.unwatch(match);
  for (const match of matches) socket.watch(match);
  cards.show(previews);
}

/** @param {App} app @param {string} match */
const openPlayback = ({ playback, server }, match) =>
  playback.open(match, () => {
    const entry = () => server.socket.entries.get(match) ?? null;
    return new ServerHistory(match, { entry, feed: () => server.events(match) });
  });

/** Return the playback that belongs to a view, or undefined if the view has none. @param {Pick<App, "playback"|"ui">} app @param {Route["view"]} view */
export const playbackOf = ({ playback, ui }, view) =>
  view === "match" ? playback : view === "replay" ? ui.openedFile?.playback : undefined;

/** Update the page's state. Called before each drawing. @param {App} app @param {Route} route */
export function update(app, route) {
  const { view, match, game, player } = route;
  nameCoin(app.server.health?.coin ?? "ETH");
  requestGames(app, route);
  if (match) openPlayback(app, match); // a change of the chain closes the playback
  if (match && !app.playback.playhead) switchToMover(app, match);
  setWatched(
    app,
    [
      ...(match ? [match, ...rematchesOf(app, match)] : []),
      ...app.autoMoves.matches(),
      ...app.pairing.matches(),
      ...(app.ui.openingTx?.match ? [app.ui.openingTx.match] : []), // the board of this match will name the rematch
      ...unlistedOwn(app),
    ],
    view === "lobby" ? withoutBoard(app) : [],
  );
  if (match) noteSeen(app, match);
  if (match) app.hints.request(match);
  if (app.server.board("lobby")) app.myMatches.refresh(view === "lobby" && !document.hidden);
  app.server.socket.renewAccounts();
  if (app.server.board("lobby"))
    app.notices.update(turnStates(app), match, (game) => app.server.games.get(game)?.title ?? game);
  if (view === "lobby" && app.server.board("lobby") && app.myMatches.isAnswered) app.previews.awaitIdle();
  app.opponents.refresh(["lobby", "new"].includes(view) || app.server.board(match ?? "")?.status === "open");
  if (view === "players")
    for (const slug of app.server.games.keys()) void app.leaderboards.request(leaderboardPath(slug, app.ui.peopleOnly));
  if (player) requestCareer(app, player);
  if (match) requestRatings(app, match);
  requestEther(app, route);
  if (app.ui.drawer) app.sessions.grants.refreshOnNewHead();
  else app.keyForms.onDrawerClosed();
  if (view === "replay" && app.ui.openedFile && !app.ui.openedFile.isDrawable()) closeFile(app);
  if (match) verify(app, match);
  requestFinality(app);
  app.rejections.refresh(match && !app.playback.playhead ? match : "");
  if (game) app.server.renderers.get(game)?.prepare?.(app.live.renderContext(match ?? "", app.accounts.me, game));
  app.quickPlay.advance(match);
  app.pairing.advance(match);
  if (match) resolveDuplicateRematch(app, match); // this call can change the address
  app.abandoned.advance(match, view === "lobby");
  for (const token of visibleTokens(app, route)) app.tokens.request(token);
  for (const one of gamesToPlay(app, route))
    for (const where of new Set(["", match ?? ""])) requestDeposits(app, one, where);
}

/** Request the ratings of the players in a match. @param {App} app @param {string} match */
function requestRatings({ leaderboards, server }, match) {
  const board = server.board(match) ?? {};
  const players = Object.keys(board.players ?? {});
  if (players.length > MAX_RATED_PLAYERS || document.hidden) return;
  const fresh = hasEnded(board) ? undefined : RATING_FRESH_MS; // the match has changed the ratings, so don't use cached ones
  for (const address of players) void leaderboards.request(playerPath(address), fresh);
}

/** Load the games that the page draws, and the games of the player's unfinished matches. @param {App} app @param {Route} route */
function requestGames(app, { view, match, game }) {
  const all = view === "lobby" ? app.previews.state === "idle" : view === "player" || view === "players";
  const named = [match?.split("/")[0] ?? game ?? "", ...ownRunning(app).map((own) => own.game)];
  for (const slug of new Set(all ? app.server.games.keys() : named)) void loadGame(app, slug);
}

/**
 * If the account in use has too little ether, request enough ether for moves in the game on
 * display. If no game is on display, request enough for the server's first game. @param {App} app @param {Route} route
 */
function requestEther({ accounts, server }, { match, game }) {
  const [first] = server.games.values();
  const wanted = server.games.get(game ?? match?.split("/")[0] ?? "") ?? first;
  if (wanted) accounts.sponsorship.request(wanted, server.fee);
}

/** Check the board on display by comparing it with the contract. @param {App} app @param {string} match */
function verify(app, match) {
  if (!app.server.renderers.has(match.split("/")[0])) return;
  const claim = app.playback.playhead ? claimOf(app.playback) : app.server.socket.entries.get(match);
  if (claim) app.boardChecker.request(match, claim);
}

/** Find out whether the latest board is final, in each match whose game needs this information. @param {App} app */
function requestFinality(app) {
  for (const [match, entry] of app.server.socket.entries) {
    const wants = entry && app.server.renderer(match)?.wantsFinality;
    const own = app.accounts.list.filter(({ address }) => entry?.board.players?.[address]);
    if (wants && own.some(({ address }) => wants(app.live.renderContext(match, address))))
      app.finalityChecker.request(match);
  }
}

/** Return the tokens of the stakes that the page shows. @param {App} app @param {Route} route @returns {string[]} */
function visibleTokens(app, { view, match }) {
  if (match) return tokensOf([app.server.board(match) ?? {}]);
  if (view !== "lobby") return [];
  const rows = running(app);
  return tokensOf(app.ui.all === "running" ? rows : firstRows(app, rows));
}

/** @param {{stake?: string, token?: string}[]} matches */
const tokensOf = (matches) => matches.flatMap((match) => (match.token && isStaked(match) ? [match.token] : []));

/** Return the games whose matches the player can open or join on the current page. @param {App} app @param {Route} route @returns {GameInfo[]} */
function gamesToPlay(app, { view, game }) {
  const named = app.server.games.get(game ?? "");
  return named ? [named] : view === "lobby" ? [...app.server.games.values()] : [];
}

/**
 * Load the details of the tokens that the player has typed. For each deposit in a token, also load
 * the account's balance and allowance. @param {App} app @param {GameInfo} game @param {string} match
 */
function requestDeposits(app, game, match) {
  for (const action of game.actions) {
    for (const amount of action.inputs.filter(({ kind }) => kind === "amount")) {
      const of = tokenOf(amount, inputsOf(app, game.slug, action, match, app.accounts.me)); // the page needs the token's decimals to check the amount
      if (isAccount(of)) app.tokens.request(of);
    }
    const token = depositToken(app, game, action, match, app.accounts.me);
    if (!isAccount(token)) continue;
    app.tokens.request(token);
    if (whyInputs(app, game.slug, action, {}, match, app.accounts.me)) continue;
    const { amount } = deposit(app, game, action, match, app.accounts.me);
    const id = Number(match.split("/")[1] ?? 0);
    if (amount) app.tokens.requestHolding(token, app.accounts.me, contractOf(game, id));
  }
}
