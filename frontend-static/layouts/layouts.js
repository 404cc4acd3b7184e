/** The layouts, by the names that games use. A layout is loaded when a board first needs it. */

/** @type {Readonly<Record<string, () => Promise<{default: any}>>>} */
export const LAYOUTS = {
  grid: () => import("./grid.js"),
  map: () => import("./map.js"),
  pair: () => import("./pair.js"),
};
