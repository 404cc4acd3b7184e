/** Which matches the lobby's lists show, kept over reloads of this tab. */

import { attempt } from "../../lib/storage.js";

/** @typedef {{game: string, mine: boolean, status: string}} Filters Of one game, one's own, in one status; "" for all. */

const KEY = "chainboard.filters";

/** @returns {Filters} without what is damaged */
export function recallFilters() {
  const { game, mine, status } = attempt(() => JSON.parse(sessionStorage.getItem(KEY) ?? "null")) ?? {};
  return {
    game: typeof game === "string" ? game : "",
    mine: mine === true,
    status: ["open", "playing"].includes(status) ? status : "",
  };
}

/** @param {Filters} filters */
export const keepFilters = (filters) => attempt(() => sessionStorage.setItem(KEY, JSON.stringify(filters)));
