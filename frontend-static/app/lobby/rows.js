/** The lobby's data, and the rows that are shown of it: pure, as long as the state is the same. */

import { hasEnded } from "../../lib/board.js";
import { closeness } from "./my-matches.js";
import { isHasty, isStaked } from "../../games/shared/terms.js";

/** @import { App } from "../app.js" */
/** @import { Json, Summary } from "../../types.js" */
/** @typedef {Pick<App, "accounts"|"myMatches"|"redraw"|"server">} Needs What it uses of the page. */

/** Of each game, beside one's own: so that many of one game leave room for the others. */
const ROWS = 10;

/** @param {Summary} a @param {Summary} b */
const newestFirst = (a, b) => b.created - a.created || b.id - a.id;

/** @param {Needs} app @returns {Summary[]} */
const listed = (app) => Object.values(app.server.board("lobby")?.matches ?? {});

/** With one's own that are not on the lobby's list. @param {Needs} app @returns {Summary[]} newest first */
const known = (app) => app.myMatches.mergedWith(listed(app)).sort(newestFirst);

/** A game's part of the lobby. @param {Needs} app @param {string} slug @returns {Json} */
export const lobbyEntry = (app, slug) => app.server.board("lobby")?.games[slug] ?? {};

/** The matches on the cards whose boards the lobby's message has no room for. @param {Needs} app @returns {string[]} */
export const withoutBoard = (app) =>
  [...app.server.games.keys()].flatMap((slug) =>
    lobbyEntry(app, slug).board ? [] : (lobbyEntry(app, slug).featured ?? []),
  );

/** Where it is one's own turn, then one's other ones, then the rest; the newest first. @param {Needs} app @returns {Summary[]} */
export const running = (app) =>
  known(app)
    .filter((match) => !hasEnded(match))
    .sort((a, b) => closeness(app, a) - closeness(app, b) || newestFirst(a, b));

/** @param {Needs} app @returns {Summary[]} those that ended last first */
export const finished = (app) =>
  listed(app)
    .filter(hasEnded)
    .sort((a, b) => b.time - a.time || newestFirst(a, b));

/** One's own, and the first ones of each game. @param {Needs} app @param {Summary[]} rows */
export function firstRows(app, rows) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  return rows.filter((match) => {
    const n = counts.get(match.game) ?? 0;
    if (closeness(app, match) < 2) return true;
    counts.set(match.game, n + 1);
    return n < ROWS;
  });
}

/** Whether somebody else's match waits for whoever comes, or for this account. @param {Needs} app @param {Summary} summary */
export function joinable(app, { status, opponent, players }) {
  return (
    status === "open" &&
    (opponent ? opponent === app.accounts.me : players.some((player) => player !== app.accounts.me)) &&
    !players.includes(app.accounts.me)
  );
}

/** Where a visitor can take part at once: invited, open to anyone (rather where there is time to think and nothing to lose), being played, or one's own that waits. @param {Needs} app @param {string} slug */
export function awaiting(app, slug) {
  const own = known(app).filter(({ game }) => game === slug);
  const open = own.filter((match) => joinable(app, match));
  return (
    open.find(({ opponent }) => opponent === app.accounts.me) ??
    open.find((match) => !isHasty(match) && !isStaked(match)) ??
    open[0] ??
    own.find(({ status, players }) => status === "playing" && players.includes(app.accounts.me)) ??
    own.find(({ status, opponent, players }) => status === "open" && (!opponent || players.includes(app.accounts.me)))
  );
}

/** One's own match with this account that is not over. @param {Needs} app @param {string} slug @param {string} address */
export const unfinishedWith = (app, slug, address) =>
  known(app).find(
    (match) =>
      match.game === slug &&
      !hasEnded(match) &&
      match.players.includes(app.accounts.me) &&
      [match.opponent, ...match.players].includes(address),
  );

/** How many running matches the lists lack, and by game and opener, whose most of them are. @param {Needs} app @param {Summary[]} rows */
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
