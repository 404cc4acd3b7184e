/**
 * The layouts, by name. Each game has the name of its layout. The page loads a layout when it needs
 * the layout for the first time.
 */

/** @type {Readonly<Record<string, () => Promise<{default: any}>>>} */
export const LAYOUTS = {
  grid: () => import("./grid.js"),
  map: () => import("./map.js"),
  pair: () => import("./pair.js"),
};
