/** Paints the picture of a grid on a canvas, for boards with thousands of cells. */

import { labels, middle } from "./geometry.js";
import { CROSS, burst, outline } from "./shapes.js";

/** @import { Mark, Picture, Piece } from "../types.js" */
/** @import { Geometry } from "./geometry.js" */

/**
 * The minimum radius of a piece, in CSS pixels. It keeps pieces visible on a phone, although the
 * pieces then cover the edges of neighbouring pieces.
 */
const MIN_RADIUS = 4.5;
/** The cell size, in CSS pixels, below which only every fourth line of the grid is drawn. */
const DENSE_CELL = 8;

/** @typedef {(name: string, otherwise?: string) => string} ColourOf Returns the colour in a style property such as `--ground`, or `otherwise` if the property is missing. */

/** @param {HTMLCanvasElement} canvas @param {Picture} picture @param {Geometry} g @param {number} cursor @param {Map<string, {x: number, y: number}>} offsets each moving piece's distance from its place, in CSS pixels; the key is the piece's ID */
export function paint(canvas, picture, g, cursor, offsets) {
  const ratio = window.devicePixelRatio || 1;
  const [width, height] = [Math.ceil(g.right + 2), Math.ceil(g.bottom + 2)];
  if (canvas.width !== Math.round(width * ratio)) canvas.width = Math.round(width * ratio);
  if (canvas.height !== Math.round(height * ratio)) canvas.height = Math.round(height * ratio);
  canvas.style.setProperty("width", `${width}px`);
  canvas.style.setProperty("height", `${height}px`);
  const pen = canvas.getContext("2d");
  if (!pen) return;
  const style = getComputedStyle(canvas);
  /** @type {Map<string, string>} */
  const known = new Map();
  /** @type {ColourOf} */
  const colourOf = (name, otherwise = "--accent") => {
    const colour = known.get(name) ?? resolved(canvas, style, name, otherwise);
    known.set(name, colour);
    return colour;
  };
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, width, height);
  paintGround(pen, picture, g, colourOf, style.fontFamily);
  const traces = (/** @type {boolean} */ above) => {
    for (const line of picture.lines)
      if (above === Boolean(line.over))
        stroke(pen, [middle(g, line.from), middle(g, line.to)], colourOf(`--line-${line.kind}`));
    for (const mark of picture.marks)
      if (above === Boolean(mark.over)) paintMark(pen, mark, middle(g, mark.cell), g.cell, colourOf);
  };
  traces(false);
  for (const piece of picture.pieces) paintPiece(pen, piece, g, colourOf, offsets.get(piece.id) ?? { x: 0, y: 0 });
  traces(true);
  for (const cell of picture.waiting ?? []) strokeSquare(pen, middle(g, cell), g.cell, colourOf("--accent"), [3, 2]);
  if (cursor >= 0) strokeSquare(pen, middle(g, cursor), g.cell, colourOf("--accent"));
}

/**
 * Return the computed value of a colour, because a canvas doesn't understand light-dark().
 * @param {HTMLElement} element @param {CSSStyleDeclaration} style @param {string} name @param {string} otherwise
 */
function resolved(element, style, name, otherwise) {
  element.style.setProperty("color", `var(${name}, var(${otherwise}))`);
  return style.color;
}

/** @param {CanvasRenderingContext2D} pen @param {Picture} picture @param {Geometry} g @param {ColourOf} colourOf @param {string} font */
function paintGround(pen, picture, g, colourOf, font) {
  pen.fillStyle = colourOf("--ground");
  pen.fillRect(g.edge, g.edge, g.right - g.edge, g.bottom - g.edge);
  for (const { cell, kind } of picture.fields) {
    const { x, y } = middle(g, cell);
    pen.fillStyle = colourOf(`--field-${kind}`, "--ground-line");
    pen.fillRect(x - g.cell / 2, y - g.cell / 2, g.cell, g.cell);
  }
  paintGridLines(pen, g, colourOf("--ground-line"));
  pen.fillStyle = colourOf("--quiet");
  pen.font = `12px ${font}`;
  pen.textAlign = "center";
  for (const { x, y, text } of labels(g)) pen.fillText(text, x, y);
}

/** Draw the grid's lines. Each line is one device pixel wide and aligned to the device's pixels. @param {CanvasRenderingContext2D} pen @param {Geometry} g @param {string} colour */
function paintGridLines(pen, { width, height, cell, edge, right, bottom, turned }, colour) {
  const thin = 1 / (window.devicePixelRatio || 1);
  const at = (/** @type {number} */ i) => Math.round((edge + i * cell) / thin) * thin;
  pen.fillStyle = colour;
  const each = cell < DENSE_CELL ? 4 : 1;
  const first = (/** @type {number} */ count) => (turned && count % each) || each;
  for (let i = first(width); i < width; i += each) pen.fillRect(at(i), edge, thin, bottom - edge);
  for (let i = first(height); i < height; i += each) pen.fillRect(edge, at(i), right - edge, thin);
}

/** @param {CanvasRenderingContext2D} pen @param {{x: number, y: number}[]} points @param {string} colour */
function stroke(pen, points, colour) {
  pen.beginPath();
  for (const { x, y } of points) pen.lineTo(x, y);
  pen.strokeStyle = colour;
  pen.globalAlpha = 0.5;
  pen.lineWidth = 1;
  pen.stroke();
  pen.globalAlpha = 1;
}

/** @param {CanvasRenderingContext2D} pen @param {Mark} mark @param {{x: number, y: number}} at @param {number} cell @param {ColourOf} colourOf */
function paintMark(pen, { kind, shape = "splash" }, at, cell, colourOf) {
  pen.save();
  pen.translate(at.x, at.y);
  pen.fillStyle = pen.strokeStyle = colourOf(`--mark-${kind}`);
  pen.lineWidth = 1.25;
  if (shape === "splash") pen.stroke(new Path2D(outline(0, Math.max(2.5, cell * 0.26))));
  else pen.fill(new Path2D(FILLED[shape](cell)));
  pen.restore();
}

/** @type {Record<string, (cell: number) => string>} */
const FILLED = {
  burst: (cell) => burst(Math.max(6, cell * 0.6)),
  cross: (cell) => outline(CROSS, Math.max(4, cell * 0.4)),
  dot: (cell) => outline(0, Math.max(2, cell * 0.2)),
};

/** @param {CanvasRenderingContext2D} pen @param {Piece} piece @param {Geometry} g @param {ColourOf} colourOf @param {{x: number, y: number}} offset */
function paintPiece(pen, piece, g, colourOf, offset) {
  const { x, y } = middle(g, piece.cell);
  const r = Math.max(MIN_RADIUS, g.cell * (piece.size ?? 0.38));
  pen.save();
  pen.translate(x + offset.x, y + offset.y);
  if (piece.sunk) {
    pen.strokeStyle = colourOf(`--owner-${piece.colour}`);
    pen.lineWidth = 1.5;
    pen.stroke(new Path2D(`M${-r / 2},${-r / 2}L${r / 2},${r / 2}M${r / 2},${-r / 2}L${-r / 2},${r / 2}`));
  } else {
    pen.fillStyle = colourOf(`--owner-${piece.colour}`);
    pen.strokeStyle = colourOf("--ink");
    pen.lineWidth = piece.mine ? Math.min(1.5, r / 4) : 0.75;
    pen.fill(new Path2D(outline(piece.shape, r)));
    pen.stroke(new Path2D(outline(piece.shape, r)));
    if (piece.pending) {
      pen.setLineDash([2, 2]);
      pen.stroke(new Path2D(outline(0, r * 1.6)));
    }
    if (piece.selected) {
      pen.strokeStyle = colourOf("--accent");
      pen.lineWidth = 2;
      pen.stroke(new Path2D(outline(0, r * 1.9)));
    }
  }
  pen.restore();
}

/** @param {CanvasRenderingContext2D} pen @param {{x: number, y: number}} at @param {number} size @param {string} colour @param {number[]} [dashes] */
function strokeSquare(pen, at, size, colour, dashes = []) {
  pen.setLineDash(dashes);
  pen.strokeStyle = colour;
  pen.lineWidth = 2;
  pen.strokeRect(at.x - size / 2, at.y - size / 2, size, size);
}
