/** Selects the matches that the lobby shows. The functions don't change the page's state. */

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
 * The maximum number of matches that the lobby shows per game, not counting the player's own
 * matches. The limit leaves space for all games.
 */
const ROWS = 10;
/** The maximum number of matches in an expanded list. A longer list would be slow to draw. */
export const MAX_ROWS = 200;
/** The maximum number of the player's own matches that the lobby shows with a board. */
const OWN = 8;

/** @param {Summary} a @param {Summary} b */
const newestFirst = (a, b) => b.created - a.created || b.id - a.id;

/** @param {Pick<Uses, "server">} app @returns {Summary[]} */
export const listed = (app) => Object.values(app.server.board("lobby")?.matches ?? {});

/** Return the matches in the lobby's list, and the player's own matches that the list leaves out. @param {Uses} app @returns {Summary[]} the newest match comes first */
const known = (app) => app.myMatches.mergedWith(listed(app)).sort(newestFirst);

/** Return the lobby message's data about a game, or an empty object if there are none. @param {Uses} app @param {string} slug @returns {Json} */
export const lobbyEntry = (app, slug) => app.server.board("lobby")?.games[slug] ?? {};

/** Return the matches whose boards the lobby shows although its message doesn't contain them. @param {Uses} app @returns {string[]} */
export function withoutBoard(app) {
  const featured = [...app.server.games.keys()].flatMap((slug) =>
    lobbyEntry(app, slug).board ? [] : (lobbyEntry(app, slug).featured ?? []),
  );
  return [...new Set([...featured, ...ownRunning(app).map(({ match }) => match)])];
}

/**
 * Return the unfinished matches. Those in which it is the player's turn come first, then the
 * player's other matches, then all others. Within each group, the newest match comes first.
 * @param {Uses} app @returns {Summary[]}
 */
export const running = (app) =>
  known(app)
    .filter((match) => !hasEnded(match))
    .sort((a, b) => involvement(app, a) - involvement(app, b) || newestFirst(a, b));

/** Return the player's own unfinished matches that the lobby shows with a board. @param {Uses} app @returns {Summary[]} */
export const ownRunning = (app) =>
  running(app)
    .filter((match) => involvement(app, match) < 2)
    .slice(0, OWN);

/** Return true if somebody plays in a match now, or waits there for an opponent. @param {Summary} match */
const isLive = ({ live, attended }) => Boolean(live || attended);

/** Return the rows that pass the player's filters. The player's own matches always count as live. @param {Filtered} app @param {Summary[]} rows */
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

/** @param {Uses} app @returns {Summary[]} the match with the latest event comes first */
export const finished = (app) =>
  known(app)
    .filter(hasEnded)
    .sort((a, b) => b.time - a.time || newestFirst(a, b));

/** Return the player's own unfinished matches, and the first ten other matches of each game. @param {Uses} app @param {Summary[]} rows */
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

/**
 * Return true if the account in use can join an open match. The match must be open to anyone or
 * wait for this account, and somebody else must have opened it. @param {Uses} app @param {Summary} summary
 */
export function joinable(app, { status, opponent, players }) {
  return (
    status === "open" &&
    (opponent ? opponent === app.accounts.me : players.some((player) => player !== app.accounts.me)) &&
    !players.includes(app.accounts.me)
  );
}

/** Return the number of players who must still join before a match begins. @param {Summary} summary */
const missingPlayers = ({ seatCount = 2, players }) => seatCount - players.length;

/**
 * Return the open match that *Play* joins. The match's opener is online, one player is missing, the
 * clock is slow, and there is no stake. A match to which the player is invited comes first. @param {Uses} app @param {string} slug
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

/** Return the open match of this game in which the account in use has a seat. @param {Uses} app @param {string} slug */
export const ownOpen = (app, slug) =>
  known(app).find(
    ({ game, status, players }) => game === slug && status === "open" && players.includes(app.accounts.me),
  );

/** Return the unfinished match of this game between the account in use and the account `address`. @param {Uses} app @param {string} slug @param {string} address */
export const unfinishedWith = (app, slug, address) =>
  known(app).find(
    (match) =>
      match.game === slug &&
      !hasEnded(match) &&
      match.players.includes(app.accounts.me) &&
      [match.opponent, ...match.players].includes(address),
  );

/** Return the number of live matches that the lobby's list doesn't contain. @param {Uses} app */
export function unlistedLive(app) {
  const all = [...app.server.games.keys()].reduce((sum, slug) => sum + (lobbyEntry(app, slug).counts?.live ?? 0), 0);
  return all - listed(app).filter(({ live }) => live).length;
}

/**
 * Return `n`, the number of unfinished matches that aren't in `rows`. Also return `byOpener`: for
 * each game and opener, the number of matches that the lobby's list leaves out. @param {Uses} app @param {Summary[]} rows
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
