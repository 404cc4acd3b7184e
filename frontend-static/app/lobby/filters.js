/** Stores the filters of the lobby's lists, so that the filters survive a reload of this tab. */

import { attempt } from "../../lib/storage.js";

/** @typedef {{game: string, live: boolean, mine: boolean, status: string}} Filters `live`: show only live matches. `mine`: show only the player's own matches. `game`: show only this game's matches, or all games if "". `status`: show only matches with this status, or all if "". */

const KEY = "chainboard.filters";

/** Return the stored filters. If a stored value is missing or invalid, use its default. @returns {Filters} */
export function loadFilters() {
  const { game, live, mine, status } = attempt(() => JSON.parse(sessionStorage.getItem(KEY) ?? "null")) ?? {};
  return {
    game: typeof game === "string" ? game : "",
    live: live !== false,
    mine: mine === true,
    status: ["open", "playing"].includes(status) ? status : "",
  };
}

/** @param {Filters} filters */
export const storeFilters = (filters) => attempt(() => sessionStorage.setItem(KEY, JSON.stringify(filters)));
