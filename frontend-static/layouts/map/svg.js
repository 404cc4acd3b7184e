/**
 * Draws a map as SVG: one path per land, the coasts, the things on each land, and the arrows. For
 * parts that haven't changed, it reuses the trees of the last drawing.
 */

import { columnName } from "../../lib/board.js";
import { h } from "../../lib/dom.js";
import { arrowTree, arrowsOf } from "./arrows.js";
import { EDGE_WIDTH, middle, textScale } from "../geometry.js";
import { shapeOf } from "./outline.js";
import { sign, signs } from "./signs.js";
import { outline } from "../shapes.js";

/** @import { Tree } from "../../lib/dom.js" */
/** @import { Picture, Region, RegionMap } from "../../types.js" */
/** @import { Geometry } from "../geometry.js" */
/** @import { MapShape } from "./outline.js" */

/**
 * The minimum cell size at which a map shows numbers, in CSS pixels. On the lobby's cards, cells
 * are smaller.
 */
const MIN_CELL_FOR_LABELS = 4;
const MIN_FONT = 12;
const MAX_FONT = 19;
const FONT = 1.3;
/** The kinds of outlines, in drawing order. Later kinds are drawn above earlier kinds. */
const MARKS = ["strong", "reach", "capture", "weakened", "chance", "beatable", "chosen", "selected"];
/** Half the width of a digit and the radius of a sign, as fractions of the font size. */
const DIGIT = 0.32;
const SIGN = 0.44;
/**
 * Two distances. The first is from the number up to the row of signs, in font heights. The second
 * is from the middle of the land down to the number, in row heights.
 */
const [RAISED, LOWERED] = [0.56, 0.82];

/** The cached trees of a drawing's parts. `inputs`: the values from which a tree was made. @typedef {Map<string, {inputs: string, tree: Tree}>} TreeCache */

/** @param {Picture} picture @param {Geometry} g @param {{cursor?: number, cache?: TreeCache}} [options] `cursor`: a region, or -1 if there is none */
export function mapSvg(picture, g, { cursor = -1, cache = new Map() } = {}) {
  const map = /** @type {RegionMap} */ (picture.map);
  const shape = shapeOf(map, picture.width, picture.height);
  const size = `${map.id} ${g.cell}`;
  const cached = (/** @type {string} */ key, /** @type {string} */ inputs, /** @type {() => Tree} */ make) => {
    const known = cache.get(key);
    if (known?.inputs === inputs) return known.tree;
    const tree = make();
    cache.set(key, { inputs, tree });
    return tree;
  };
  const paths = pathsOf(shape, g);
  const owners = map.regions.map(({ colour }) => colour).join();
  const labelled = g.cell >= MIN_CELL_FOR_LABELS;
  const arrows = arrowsOf(picture, g);
  return h(
    "svg",
    { width: g.right + 2, height: g.bottom + 2, "aria-hidden": "true", focusable: "false" },
    cached("sea", size, () => sea(g, map.sector, paths)),
    map.regions.map((region, i) =>
      cached(`region-${i}`, size + region.ground + region.colour + region.texture, () =>
        regionTree(region, i, paths[i], shape.textures[i], g),
      ),
    ),
    cached("frontier", size + owners, () =>
      h("path", { key: "frontier", class: "frontier", d: frontier(shape, map.regions, g) }),
    ),
    marksOf(map.regions).map(({ i, mark }) => cached(`mark-${i}-${mark}`, size, () => markTree(i, mark, paths[i]))),
    map.regions.map((region, i) =>
      region.ports.length ? cached(`port-${i}`, size + region.ports.join(), () => portTree(region, i, g)) : null,
    ),
    arrows.map((arrow) => arrowTree(arrow, false)),
    labelled &&
      map.regions.map((region, i) =>
        cached(`label-${i}`, size + JSON.stringify(region), () => labelTree(region, i, shape, g)),
      ),
    !labelled &&
      map.regions.map((region, i) => cached(`seat-${i}`, size + JSON.stringify(region), () => dotTree(region, i, g))),
    arrows.map((arrow) => arrowTree(arrow, true)),
    (picture.waiting ?? []).map((cell) => waitingTree(map.cells[cell], paths)),
    cursor >= 0 && h("path", { key: "cursor", class: "cursor", d: paths[cursor] }),
  );
}

/** @param {number} vertex @param {MapShape} shape @param {Geometry} g */
const point = (vertex, { x, y }, { cell, edge }) =>
  `${(edge + x[vertex] * cell).toFixed(1)},${(edge + y[vertex] * cell).toFixed(1)}`;

/**
 * Return the outlines in drawing order. Neighbouring lands share a border, so the more important
 * outlines are drawn last, above the others.
 * @param {Region[]} regions
 */
const marksOf = (regions) =>
  regions
    .flatMap(({ marks }, i) => marks.map((mark) => ({ i, mark })))
    .sort((a, b) => MARKS.indexOf(a.mark) - MARKS.indexOf(b.mark));

/** @param {number} i @param {string} mark @param {string} path */
const markTree = (i, mark, path) =>
  h(
    "g",
    {
      key: `mark-${i}-${mark}`,
      class: `region-mark ${mark}`,
      vars: { "--kind": `var(--region-${mark}, var(--accent))` },
      "data-mark": mark,
    },
    h("path", { class: "foam", d: path }),
    h("path", { d: path }),
  );

/** Return the outline of a land with a pending move. @param {number} i a region @param {string[]} paths */
const waitingTree = (i, paths) =>
  i < paths.length
    ? h("g", { key: `waiting-${i}`, "data-waiting": i }, [
        h("path", { class: "waiting-foam", d: paths[i] }),
        h("path", { class: "waiting", d: paths[i] }),
      ])
    : null;

/** The cached paths of each map, for the cell size of the map's last drawing. @type {WeakMap<MapShape, {size: string, paths: string[]}>} */
const drawnPaths = new WeakMap();

/** @param {MapShape} shape @param {Geometry} g @returns {string[]} one path per region */
function pathsOf(shape, g) {
  const size = `${g.cell} ${g.edge}`;
  const known = drawnPaths.get(shape);
  if (known?.size === size) return known.paths;
  const paths = shape.loops.map((loops) => pathOf(loops, shape, g));
  drawnPaths.set(shape, { size, paths });
  return paths;
}

/** @param {number[][]} loops @param {MapShape} shape @param {Geometry} g */
const pathOf = (loops, shape, g) =>
  loops.map((loop) => `M${loop.map((vertex) => point(vertex, shape, g)).join("L")}Z`).join("");

/** Return a path along all borders between lands of different owners. @param {MapShape} shape @param {Region[]} regions @param {Geometry} g */
const frontier = (shape, regions, g) =>
  shape.borders
    .filter(({ a, b }) => b >= 0 && regions[a].colour !== regions[b].colour)
    .map(({ way }) => `M${way.map((vertex) => point(vertex, shape, g)).join("L")}`)
    .join("");

/** Return the water, the coordinates, and the shallows along the coasts. @param {Geometry} g @param {number} sector @param {string[]} paths */
function sea(g, sector, paths) {
  const { edge, right, bottom, cell, width, height } = g;
  const columns = Math.floor((width - 1) / sector);
  const rows = Math.floor((height - 1) / sector);
  const at = (/** @type {number} */ i) => (edge + i * sector * cell).toFixed(1);
  const down = Array.from({ length: columns }, (_, i) => `M${at(i + 1)},${edge}V${bottom.toFixed(1)}`);
  const across = Array.from({ length: rows }, (_, i) => `M${edge},${at(i + 1)}H${right.toFixed(1)}`);
  const coast = paths.join("");
  return h(
    "g",
    { key: "sea", class: "sea" },
    h("rect", { class: "ground", x: edge, y: edge, width: right - edge, height: bottom - edge, rx: 3 }),
    h("path", { class: "graticule", d: [...down, ...across].join("") }),
    h("path", { class: "shallows wide", d: coast, "stroke-width": (2.2 * cell).toFixed(1) }),
    h("path", { class: "shallows", d: coast, "stroke-width": (1.1 * cell).toFixed(1) }),
    h("path", { class: "coast", d: coast, "stroke-width": Math.max(1.5, 0.28 * cell).toFixed(1) }),
    edge >= EDGE_WIDTH && coordinates(g, sector),
  );
}

/** @param {Geometry} g @param {number} sector */
function coordinates({ edge, cell, width, height }, sector) {
  const middleOf = (/** @type {number} */ i) => edge + (i + 0.5) * sector * cell;
  const columns = Array.from({ length: Math.ceil(width / sector) }, (_, i) =>
    h("text", { key: `c${i}`, class: "edge", x: middleOf(i).toFixed(1), y: 0.65 * edge }, columnName(i)),
  );
  const rows = Array.from({ length: Math.ceil(height / sector) }, (_, i) =>
    h("text", { key: `r${i}`, class: "edge", x: edge / 2, y: (middleOf(i) + edge / 5).toFixed(1) }, String(i + 1)),
  );
  return [...columns, ...rows];
}

/** @param {number} colour */
const ownerClass = (colour) => (colour < 0 ? "nobody" : `owned owner-${colour}`);

/** @param {Region} region @param {number} i @param {string} path @param {number[]} cells the cells with a sign of the texture @param {Geometry} g */
function regionTree({ ground, colour, texture }, i, path, cells, g) {
  return h(
    "g",
    {
      key: `region-${i}`,
      class: `region ${ownerClass(colour)}`,
      vars: { "--kind": `var(--region-${ground}, var(--ground-line))` },
      "data-region": i,
      "data-ground": ground,
    },
    h("path", { class: "land", d: path }),
    g.cell >= MIN_CELL_FOR_LABELS &&
      h("path", {
        class: "texture",
        d: signs(
          texture,
          textureSize(g),
          cells.map((cell) => middle(g, cell)),
        ),
      }),
  );
}

/** @param {Geometry} g */
const textureSize = ({ cell }) => Math.min(8, Math.max(4, cell * 0.8));

/**
 * Return the quays of a port, one on each water cell of the port. A pier connects each quay with
 * the land.
 * @param {Region} region @param {number} i @param {Geometry} g
 */
function portTree({ ports, cell, colour }, i, g) {
  const side = Math.max(6, g.cell * 1.1);
  const home = middle(g, cell);
  const quays = ports.map((port) => {
    const { x, y } = middle(g, port);
    const far = Math.hypot(home.x - x, home.y - y) || 1;
    const [dx, dy] = [((home.x - x) / far) * side, ((home.y - y) / far) * side];
    return [
      h("path", { class: "pier", d: `M${x.toFixed(1)},${y.toFixed(1)}l${dx.toFixed(1)},${dy.toFixed(1)}` }),
      h("rect", {
        class: "quay",
        x: (x - side / 2).toFixed(1),
        y: (y - side / 2).toFixed(1),
        width: side.toFixed(1),
        height: side.toFixed(1),
        rx: 1,
      }),
    ];
  });
  return h("g", { key: `port-${i}`, class: `port ${ownerClass(colour)}`, "data-port": i }, quays);
}

/** @param {Geometry} g */
export const fontOf = (g) => Math.min(MAX_FONT * textScale(g), Math.max(MIN_FONT * textScale(g), g.cell * FONT));

/** Return the number on a land, the shape of its owner, and its signs. @param {Region} region @param {number} i @param {MapShape} shape @param {Geometry} g */
function labelTree(region, i, shape, g) {
  const { cell, colour, label, note } = region;
  const at = middle(g, cell);
  const font = fontOf(g);
  const r = font * SIGN;
  const half = (label?.length ?? 0) * font * DIGIT; // half the number's width, so that the map's edge doesn't cut off the number
  const [x, y] = [Math.min(Math.max(at.x, g.edge + half), g.right - half), at.y];
  const own = colour >= 0 ? [{ shape: true, name: "" }] : [];
  const bare = region.signs.length + own.length === 0 && shape.textures[i].length === 0;
  const names = bare ? [region.texture] : region.signs;
  const row = [...own, ...names.map((name) => ({ shape: false, name }))];
  const high = row.length ? r * 1.15 : 0;
  const step = 2 * r + 2;
  const signTrees = row.map((one, n) => {
    const moved = `translate(${((n - (row.length - 1) / 2) * step).toFixed(1)},${(-font * RAISED).toFixed(1)})`;
    return one.shape
      ? h("path", { key: "shape", class: "hull", transform: moved, d: outline(region.shape, r * 0.92) })
      : h("path", { key: one.name, class: `sign ${one.name}`, transform: moved, d: sign(one.name, r) });
  });
  const transform = `translate(${x.toFixed(1)},${y.toFixed(1)})`;
  const size = font.toFixed(1);
  const base = { x: 0, y: (high * LOWERED).toFixed(1), "font-size": size };
  return h(
    "g",
    { key: `label-${i}`, class: `label ${ownerClass(colour)}`, transform, "data-label": i },
    signTrees,
    label && h("text", { key: "count", class: "count", ...base }, label),
    note && noteTree(note, high * LOWERED + font * 0.98, g),
  );
}

/** Return a land's second number, which is drawn after a shield. @param {string} note @param {number} y @param {Geometry} g */
function noteTree(note, y, g) {
  const font = Math.max(MIN_FONT * textScale(g), fontOf(g) * 0.82);
  const r = font * 0.42;
  const wide = note.length * font * 0.62;
  return h(
    "g",
    { key: "note", transform: `translate(0,${y.toFixed(1)})` },
    h("path", { class: "shield", transform: `translate(${(-wide / 2 - 1).toFixed(1)},0)`, d: sign("shield", r) }),
    h("text", { class: "count note", x: (r + 1).toFixed(1), y: 0, "font-size": font.toFixed(1) }, note),
  );
}

/** Return the shape of a land's owner without a number, for maps with cells too small for text. @param {Region} region @param {number} i @param {Geometry} g */
function dotTree({ cell, colour, shape, signs: names }, i, g) {
  const { x, y } = middle(g, cell);
  const transform = `translate(${x.toFixed(1)},${y.toFixed(1)})`;
  const r = names.includes("crown") ? 4.5 : 2.4;
  return h(
    "g",
    { key: `seat-${i}`, class: `label ${ownerClass(colour)}`, transform },
    colour >= 0 && h("path", { class: "hull", d: outline(shape, r) }),
  );
}
