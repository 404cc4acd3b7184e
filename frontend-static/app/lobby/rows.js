/** Selects the matches that the lobby shows. The functions only read the page's state. */

import { hasEnded } from "../../lib/board.js";
import { involvement } from "./my-matches.js";
import { isStaked, leavesLittleTime } from "../../games/shared/terms.js";

/** @import { MyMatches } from "./my-matches.js" */
/** @import { ServerState } from "../server-state.js" */
/** @import { Ui } from "../ui.js" */
/** @import { Accounts } from "../../chain/wallet/accounts.js" */
/** @import { Json, Summary } from "../../types.js" */
/** @typedef {{accounts: Accounts, myMatches: MyMatches, redraw: () => void, server: ServerState}} Uses */
/** @typedef {Uses & {ui: Ui}} Filtered */

/**
 * The number of matches shown per game, not counting the player's own. It leaves space for all
 * games.
 */
const ROWS = 10;
/**
 * The maximum number of matches in a list that the player has expanded. More would be unreadable
 * and slow.
 */
export const MAX_ROWS = 200;
/** The number of own matches that are shown with a board. */
const OWN = 8;

/** @param {Summary} a @param {Summary} b */
const newestFirst = (a, b) => b.created - a.created || b.id - a.id;

/** @param {Pick<Uses, "server">} app @returns {Summary[]} */
export const listed = (app) => Object.values(app.server.board("lobby")?.matches ?? {});

/** Return the matches in the lobby's list and the player's matches that aren't listed there. @param {Uses} app @returns {Summary[]} newest first */
const known = (app) => app.myMatches.mergedWith(listed(app)).sort(newestFirst);

/** Return the lobby's data about a game. @param {Uses} app @param {string} slug @returns {Json} */
export const lobbyEntry = (app, slug) => app.server.board("lobby")?.games[slug] ?? {};

/**
 * Return the matches that are shown with a board although their board didn't fit into the lobby's
 * message.
 * @param {Uses} app @returns {string[]}
 */
export function withoutBoard(app) {
  const featured = [...app.server.games.keys()].flatMap((slug) =>
    lobbyEntry(app, slug).board ? [] : (lobbyEntry(app, slug).featured ?? []),
  );
  return [...new Set([...featured, ...ownRunning(app).map(({ match }) => match)])];
}

/**
 * Return the unfinished matches. The matches in which it is the player's turn come first, then the
 * player's other matches, then everybody else's. Each group is sorted from the newest to the oldest
 * match.
 * @param {Uses} app @returns {Summary[]}
 */
export const running = (app) =>
  known(app)
    .filter((match) => !hasEnded(match))
    .sort((a, b) => involvement(app, a) - involvement(app, b) || newestFirst(a, b));

/** Return the player's own unfinished matches that are shown with a board. @param {Uses} app @returns {Summary[]} */
export const ownRunning = (app) =>
  running(app)
    .filter((match) => involvement(app, match) < 2)
    .slice(0, OWN);

/** Return true if somebody is playing in a match now, or is waiting there for a player. @param {Summary} match */
const isLive = ({ live, attended }) => Boolean(live || attended);

/**
 * Return the matches that the player's filters select. The player's own matches always count as
 * live. @param {Filtered} app @param {Summary[]} rows
 */
export const filtered = (app, rows) =>
  rows.filter((match) => {
    const { game, live, mine, status } = app.ui.filters;
    return (
      (!app.server.games.has(game) || match.game === game) &&
      (!mine || involvement(app, match) < 2) &&
      (!live || hasEnded(match) || isLive(match) || involvement(app, match) < 2) &&
      (!status || hasEnded(match) || match.status === status)
    );
  });

/** @param {Uses} app @returns {Summary[]} latest end first */
export const finished = (app) =>
  known(app)
    .filter(hasEnded)
    .sort((a, b) => b.time - a.time || newestFirst(a, b));

/** Return the player's own unfinished matches, and the first few matches of each game. @param {Uses} app @param {Summary[]} rows */
export function firstRows(app, rows) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  return rows.filter((match) => {
    const n = counts.get(match.game) ?? 0;
    if (involvement(app, match) < 2 && !hasEnded(match)) return true;
    counts.set(match.game, n + 1);
    return n < ROWS;
  });
}

/** Return true if somebody else's match is open to anyone or waits for the account in use. @param {Uses} app @param {Summary} summary */
export function joinable(app, { status, opponent, players }) {
  return (
    status === "open" &&
    (opponent ? opponent === app.accounts.me : players.some((player) => player !== app.accounts.me)) &&
    !players.includes(app.accounts.me)
  );
}

/** Return the number of players that a match still needs before it begins. @param {Summary} summary */
const missingPlayers = ({ seatCount = 2, players }) => seatCount - players.length;

/**
 * Return the open match that *Play* joins. The opener is online, one player is missing, the clock
 * is slow, and there is no stake. Prefer an invitation to the player. @param {Uses} app @param {string} slug
 */
export function waitingHost(app, slug) {
  const open = known(app).filter(
    (match) =>
      match.game === slug &&
      joinable(app, match) &&
      match.attended &&
      missingPlayers(match) <= 1 &&
      !leavesLittleTime(match) &&
      !isStaked(match),
  );
  return open.find(({ opponent }) => opponent === app.accounts.me) ?? open[0];
}

/** Return the player's own match that is waiting for an opponent. @param {Uses} app @param {string} slug */
export const ownOpen = (app, slug) =>
  known(app).find(
    ({ game, status, players }) => game === slug && status === "open" && players.includes(app.accounts.me),
  );

/** Return the player's own unfinished match with this account. @param {Uses} app @param {string} slug @param {string} address */
export const unfinishedWith = (app, slug, address) =>
  known(app).find(
    (match) =>
      match.game === slug &&
      !hasEnded(match) &&
      match.players.includes(app.accounts.me) &&
      [match.opponent, ...match.players].includes(address),
  );

/** Return the number of live matches that the lobby's list leaves out. @param {Uses} app */
export function unlistedLive(app) {
  const all = [...app.server.games.keys()].reduce((sum, slug) => sum + (lobbyEntry(app, slug).counts?.live ?? 0), 0);
  return all - listed(app).filter(({ live }) => live).length;
}

/**
 * Return the number of unfinished matches that the lobby's list leaves out, in total and per game
 * and opener. @param {Uses} app @param {Summary[]} rows
 */
export function unlisted(app, rows) {
  const games = [...app.server.games.values()];
  const all = games.reduce((sum, { slug }) => {
    const { open = 0, playing = 0 } = lobbyEntry(app, slug).counts ?? {};
    return sum + open + playing;
  }, 0);
  const byOpener = games.flatMap(({ slug, title }) =>
    Object.entries(lobbyEntry(app, slug).more ?? {}).map(([opener, n]) => ({
      key: `${slug} ${opener}`,
      title,
      opener,
      n: Number(n),
    })),
  );
  return { n: all - rows.length, byOpener };
}
