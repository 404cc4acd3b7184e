/**
 * Draws the picture of a grid as SVG, with one element per cell. Larger boards use
 * layouts/canvas.js.
 */

import { coordinate } from "../lib/board.js";
import { h } from "../lib/dom.js";
import { cube } from "./cube.js";
import { labels, middle } from "./geometry.js";
import { CROSS, outline, symbol } from "./shapes.js";

/** @import { Line, Mark, Picture, Piece } from "../types.js" */
/** @import { Geometry } from "./geometry.js" */
/** @import { Pose } from "./motion.js" */

const MIN_CELL_FOR_TEXT = 20;
/** Half the width of a hollow outline, as a fraction of a cell's width. */
const HALF_HULL = 0.36;
/** The diameter of a porthole on a ship, as a fraction of a cell's width. */
const PORTHOLE = 0.13;
/**
 * The cell size, in CSS pixels, below which a wave on the water is two cells long instead of one.
 */
const SMALL_CELL = 28;

/** @param {Picture} picture @param {Geometry} g @param {number} cursor @param {Map<string, Pose>} [poses] each moving piece's pose; the key is the piece's ID */
export function svg(picture, g, cursor, poses = new Map()) {
  return h(
    "svg",
    {
      width: g.right + 2,
      height: g.bottom + 2,
      vars: { "--cell": `${g.cell}px` },
      "data-turned": g.turned,
      "aria-hidden": "true",
      focusable: "false",
    },
    h("rect", { class: "ground", x: g.edge, y: g.edge, width: g.right - g.edge, height: g.bottom - g.edge, rx: 3 }),
    picture.surface === "sea" && h("path", { key: "waves", class: "waves", d: waves(g) }),
    picture.fields.map((field) => fieldTree(field, g)),
    h("path", { key: "lines", class: "lines", d: gridLines(g) }),
    labels(g).map(({ key, x, y, text }) => h("text", { key, class: "edge", x, y }, text)),
    picture.lines.filter(({ over }) => !over).map((line) => lineTree(line, g, picture.stamp)),
    picture.marks.filter(({ over }) => !over).map((mark) => markTree(mark, g, picture)),
    picture.pieces.filter(({ id }) => !poses.has(id)).map((piece) => pieceTree(piece, g)),
    picture.pieces.filter(({ id }) => poses.has(id)).map((piece) => pieceTree(piece, g, poses.get(piece.id))),
    picture.lines.filter(({ over }) => over).map((line) => lineTree(line, g, picture.stamp)),
    picture.marks.filter(({ over }) => over).map((mark) => markTree(mark, g, picture)),
    (picture.waiting ?? []).map((cell) =>
      h("rect", {
        key: `waiting-${cell}`,
        class: "waiting",
        "data-waiting": coordinate(cell, g.width),
        ...box(g, cell, 4),
        rx: 3,
      }),
    ),
    cursor >= 0 && h("rect", { key: "cursor", class: "cursor", ...box(g, cursor, 1), rx: 3 }),
  );
}

/** @param {Geometry} g */
function gridLines({ width, height, cell, edge, right, bottom }) {
  const down = Array.from({ length: width - 1 }, (_, i) => `M${edge + (i + 1) * cell},${edge}V${bottom}`);
  const across = Array.from({ length: height - 1 }, (_, i) => `M${edge},${edge + (i + 1) * cell}H${right}`);
  return [...down, ...across].join("");
}

/**
 * Return the waves on the water, as lines one below another. A wave is one or two cells long, so
 * that each line ends at the board's edge.
 * @param {Geometry} g
 */
function waves({ width, cell, edge, right, bottom }) {
  const period = cell < SMALL_CELL && width % 2 === 0 ? 2 * cell : cell;
  const [half, rise, pitch] = [period / 2, period * 0.15, period * 0.3].map((one) => Number(one.toFixed(2)));
  const crests = `q${half / 2},${-rise} ${half},0${`t${half},0`.repeat(Math.round((right - edge) / half) - 1)}`;
  const rows = Array.from({ length: Math.floor((bottom - edge) / pitch) }, (_, i) => edge + (i + 0.7) * pitch);
  return rows.map((y) => `M${edge},${y.toFixed(1)}${crests}`).join("");
}

/** @param {Geometry} g @param {number} cell @param {number} inset */
function box(g, cell, inset) {
  const { x, y } = middle(g, cell);
  const size = g.cell - 2 * inset;
  return { x: x - size / 2, y: y - size / 2, width: size, height: size };
}

/** @param {Mark} field @param {Geometry} g */
function fieldTree({ cell, kind, shape }, g) {
  const { x, y } = middle(g, cell);
  const side = g.cell;
  const inside =
    shape === "corner"
      ? h("path", { class: "corner", d: corner(x - side / 2, y - side / 2, Math.min(22, side * 0.24)) })
      : shape === "dot"
        ? h("circle", { cx: x, cy: y, r: Math.max(1.5, g.cell * 0.09) })
        : shape && h("path", { transform: `translate(${x},${y})`, d: symbol(shape, g.cell * 0.26) });
  const props = {
    key: `field-${cell}`,
    class: `field ${kind}`,
    vars: { "--kind": `var(--field-${kind}, var(--ground-line))` },
    "data-field": kind,
    "data-cell": coordinate(cell, g.width),
  };
  return h("g", props, shape !== "corner" && h("rect", box(g, cell, 0)), inside);
}

/** Return the path of a quarter of a circle. @param {number} x @param {number} y @param {number} r */
const corner = (x, y, r) => `M${x},${y}h${r}a${r},${r} 0 0 1 ${-r},${r}Z`;

/** @param {Line} line @param {Geometry} g @param {string} stamp */
function lineTree({ from, to, kind, hollow, hull }, g, stamp) {
  const [a, b] = [middle(g, from), middle(g, to)];
  const key = `line-${stamp}-${from}-${to}-${kind}`;
  if (hollow) return outlineTree(a, b, kind, g, key);
  const ends = { x1: a.x, y1: a.y, x2: b.x, y2: b.y };
  const vars = { "--kind": `var(--line-${kind}, var(--accent))` };
  return [
    h("line", { key, class: `tracer ${kind}`, vars, "data-line": kind, ...ends }),
    // Make this line slightly longer than the ship, because browsers don't draw a dot at the very
    // end of a line.
    hull &&
      h("line", {
        key: `${key}-ports`,
        class: "portholes",
        "stroke-width": (g.cell * PORTHOLE).toFixed(2),
        "stroke-dasharray": `0 ${g.cell.toFixed(2)}`,
        ...ends,
        x2: b.x + Math.sign(b.x - a.x),
        y2: b.y + Math.sign(b.y - a.y),
      }),
  ];
}

/** Return a hollow outline with round ends around the line from `a` to `b`. @param {{x: number, y: number}} a @param {{x: number, y: number}} b @param {string} kind @param {Geometry} g @param {string} key */
function outlineTree(a, b, kind, g, key) {
  const room = g.cell * HALF_HULL;
  const box = {
    x: Math.min(a.x, b.x) - room,
    y: Math.min(a.y, b.y) - room,
    width: Math.abs(a.x - b.x) + 2 * room,
    height: Math.abs(a.y - b.y) + 2 * room,
    rx: room,
  };
  return h("rect", {
    key,
    class: `tracer hollow ${kind}`,
    vars: { "--kind": `var(--line-${kind}, var(--accent))` },
    "data-line": kind,
    ...box,
  });
}

/** @param {Mark} mark @param {Geometry} g @param {Picture} picture */
function markTree({ cell, kind, shape = "splash" }, g, { stamp }) {
  const { x, y } = middle(g, cell);
  const props = {
    key: `mark-${stamp}-${cell}-${kind}`,
    class: `mark ${kind}`,
    vars: { "--kind": `var(--mark-${kind}, var(--accent))` },
    "data-mark": kind,
    "data-cell": coordinate(cell, g.width),
    transform: `translate(${x},${y})`,
  };
  return h("g", props, (MARKS[shape] ?? sign(shape))(g.cell));
}

/** @type {Record<string, (cell: number) => any>} */
const MARKS = {
  burst: (cell) => {
    const r = Math.min(26, cell * 0.34);
    return [
      h("circle", { class: "foam", r }),
      h("circle", { class: "core", r: r * 0.8 }),
      h("circle", { class: "foam", r: r * 0.26 }),
    ];
  },
  cross: (cell) => h("path", { d: outline(CROSS, Math.min(30, cell * 0.34)) }),
  dot: (cell) => h("circle", { class: "core", r: Math.min(9, cell * 0.14) }),
  splash: (cell) => [
    h("circle", { r: Math.min(14, cell * 0.2) }),
    h("circle", { class: "core", r: Math.min(4, Math.max(1, cell * 0.055)) }),
  ],
};

/** Return a function that draws a symbol inside a ring. @param {string} name @returns {(cell: number) => any} */
const sign = (name) => (cell) => [
  h("circle", { r: cell * 0.27 }),
  h("path", { d: symbol(name, Math.max(4, cell * 0.15)) }),
];

/** @param {Piece} piece @param {Geometry} g @param {Pose} [pose] */
function pieceTree(piece, g, pose) {
  const { x, y } = middle(g, piece.cell);
  const flags = ["mine", "sunk", "selected", "pending"].filter((flag) => piece[/** @type {"mine"} */ (flag)]);
  const props = {
    key: piece.id,
    id: `piece-${piece.id}`,
    class: `piece owner-${piece.colour} ${flags.join(" ")}`,
    transform: `translate(${x},${y})`,
    "data-piece": piece.id,
    "data-cell": coordinate(piece.cell, g.width),
    "data-sunk": String(piece.sunk),
    "data-pending": piece.pending,
  };
  const faces = piece.faces && { "data-faces": Object.values(piece.faces).join(" ") };
  const transform = pose && `translate(${pose.x.toFixed(1)},${pose.y.toFixed(1)}) scale(${pose.scale.toFixed(3)})`;
  const body = piece.sunk
    ? wreck(g.cell)
    : piece.faces
      ? cube(piece, g.cell, pose?.turning, g.turned)
      : bodyOf(piece, g.cell);
  return h("g", { ...props, ...faces }, h("g", { class: "body", transform }, body));
}

/** @param {Piece} piece @param {number} cell */
function bodyOf(piece, cell) {
  const r = piece.size ? cell * piece.size : Math.min(30, cell * 0.32);
  return [
    piece.mine && h("path", { key: "ring", class: "ring", d: outline(piece.shape, r * 1.28) }),
    h("path", { key: "hull", class: "hull", d: outline(piece.shape, r) }),
    piece.pending && h("circle", { key: "dash", class: "dash", r: r * 1.44 }),
    piece.label &&
      cell >= MIN_CELL_FOR_TEXT &&
      h(
        "text",
        { key: "label", class: "number", y: piece.shape === 4 ? r * 0.18 : 0, "font-size": Math.max(12, r * 0.85) },
        piece.label,
      ),
  ];
}

/** @param {number} cell */
function wreck(cell) {
  const r = Math.min(16, cell * 0.17);
  return [h("path", { key: "wreck", class: "wreck", d: `M${-r},${-r}L${r},${r}M${r},${-r}L${-r},${r}` })];
}
