/** Requests the data that a player's page shows: results, opponents and rating curves. */

import { playerPath } from "./leaderboards.js";

/** @import { Leaderboards } from "./leaderboards.js" */
/** @import { Ui } from "../ui.js" */
/** @import { Json } from "../../types.js" */
/** @import { CareerPart } from "../ui.js" */
/** @typedef {{leaderboards: Leaderboards, redraw: () => void, ui: Ui}} Uses */

/** The number of results and of opponents per page. */
const ROWS = 20;
/** The number of matches in a rating curve. More points would look the same on a screen. */
export const CURVE = 300;

/** @param {string} path @param {Record<string, string|number>} query parameters without a value are left out */
const withQuery = (path, query) =>
  `${path}?${new URLSearchParams(Object.entries(query).flatMap(([key, value]) => (value === "" ? [] : [[key, String(value)]])))}`;

/** @param {{leaderboards: Leaderboards}} app @param {string} player @param {CareerPart} part */
export function careerPaths({ leaderboards }, player, { game, cursors }) {
  const matches = (/** @type {string} */ status, cursor = "") =>
    withQuery("/matches", { player, status, game, limit: ROWS, cursor });
  const games = /** @type {Json[]} */ (leaderboards.of(playerPath(player))?.answer?.games ?? []);
  return {
    running: [matches("playing"), matches("open")],
    finished: matches("finished", cursors.at(-1)),
    opponents: withQuery(`/players/${player}/rivals`, { game, limit: ROWS }),
    curves: games
      .filter((one) => one.played > 0 && (!game || one.game === game))
      .map((one) => ({
        game: String(one.game),
        path: withQuery(`/players/${player}/ratings`, { game: one.game, limit: CURVE }),
      })),
  };
}

/**
 * Show a different game or page of results on a player's page. The old rows are shown until the new
 * rows are loaded. @param {{redraw: () => void, ui: Ui}} app @param {CareerPart} part
 */
export function showPart(app, part) {
  app.ui.career = { ...app.ui.career, part, before: app.ui.career.part };
  app.redraw();
}

/** Request all data that the page shows. Called before each drawing. @param {Uses} app @param {string} player */
export function requestCareer(app, player) {
  const { running, finished, opponents, curves } = careerPaths(app, player, app.ui.career.part);
  for (const path of [playerPath(player), ...running, finished, opponents, ...curves.map(({ path }) => path)])
    void app.leaderboards.request(path);
}
