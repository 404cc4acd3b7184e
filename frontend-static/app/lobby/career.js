/** Requests the data for a player's page: the player's results, opponents and rating curves. */

import { playerPath } from "./leaderboards.js";

/** @import { Leaderboards } from "./leaderboards.js" */
/** @import { Ui } from "../ui.js" */
/** @import { Json } from "../../types.js" */
/** @import { CareerPart } from "../ui.js" */
/** @typedef {{leaderboards: Leaderboards, redraw: () => void, ui: Ui}} Uses */

/** The maximum number of results per page, and the maximum number of listed opponents. */
const ROWS = 20;
/** The maximum number of matches in a rating curve. More points would look the same on a screen. */
export const CURVE = 300;

/** @param {string} path @param {Record<string, string|number>} query a parameter whose value is "" is left out */
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
 * Show a different game or a different page of results on the player's page. The page shows the old
 * rows until the new rows are loaded. @param {{redraw: () => void, ui: Ui}} app @param {CareerPart} part
 */
export function showPart(app, part) {
  app.ui.career = { ...app.ui.career, part, before: app.ui.career.part };
  app.redraw();
}

/** Request the data on the player's page that aren't cached yet. Called before each drawing. @param {Uses} app @param {string} player */
export function requestCareer(app, player) {
  const { running, finished, opponents, curves } = careerPaths(app, player, app.ui.career.part);
  for (const path of [playerPath(player), ...running, finished, opponents, ...curves.map(({ path }) => path)])
    void app.leaderboards.request(path);
}
