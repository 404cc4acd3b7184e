/**
 * The layouts. The key is the layout's name. Each game names its layout. The page loads a layout
 * when a game first needs it.
 */

/** @type {Readonly<Record<string, () => Promise<{default: any}>>>} */
export const LAYOUTS = {
  grid: () => import("./grid.js"),
  map: () => import("./map.js"),
  pair: () => import("./pair.js"),
};
