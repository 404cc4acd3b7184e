/** A still as one SVG picture: heading, board or boards, who plays, what was done. The page's style sheets colour it. Pure. */

import { h } from "../lib/dom.js";
import { EDGE } from "../layouts/geometry.js";
import { outline } from "../layouts/shapes.js";
import { WIDTH as FLAG, flagTrees } from "../names/flag.js";

/** @import { Tree } from "../lib/dom.js" */
/** @import { Drawing, Picture } from "../types.js" */
/** @import { Still } from "./snapshot.js" */

/** All in CSS pixels. */
const MARGIN = 12;
const HEADING = 34;
const ROW = 24;
/** Before the name of a player, and behind it. */
const BADGE = 44 + FLAG + 5;
const LETTER = 7;
/** The winner's name is bold. */
const BOLD_LETTER = 8;
const ROWS_OF_SEATS = 2;

/** @param {Still} still @param {{drawing: (picture: Picture) => Drawing}} layout the layout's class @returns {Tree} */
export function drawing(still, layout) {
  const { trees, width, height } = layout.drawing(still.picture);
  const seats = seatRows(still, width);
  const below = MARGIN + HEADING + height + 6;
  const size = { width: Math.ceil(width + 2 * MARGIN), height: Math.ceil(below + seats.length * ROW + 2 * ROW) };
  const loud = loudest(still);
  return h(
    "svg",
    { xmlns: "http://www.w3.org/2000/svg", ...size, viewBox: `0 0 ${size.width} ${size.height}`, class: "still" },
    h("title", null, `${still.title}. ${still.position}. ${still.turnText}`),
    h("rect", { ...size, fill: "var(--page)" }),
    text(MARGIN + EDGE, MARGIN + 16, still.title, { "font-weight": 600, "font-size": 16 }),
    text(width + MARGIN, MARGIN + 16, still.position, { "text-anchor": "end", fill: "var(--quiet)" }),
    h("g", { transform: `translate(${MARGIN},${MARGIN + HEADING})` }, trees),
    seats.map((row, i) =>
      row.map((seat, j) => seatTree(seat, MARGIN + EDGE + j * seatWidth(still), below + ROW * (i + 0.7))),
    ),
    text(MARGIN + EDGE, below + ROW * (seats.length + 0.8), cut(still.turnText, width), { fill: "var(--quiet)" }),
    loud &&
      text(
        MARGIN + EDGE,
        below + ROW * (seats.length + 1.6),
        cut(loud.text, width),
        loud.tone === "hit" ? { fill: "var(--bad)" } : {},
      ),
  );
}

/** What the picture says of the step: its end, else a hit, else what is no small print. @param {Still} still */
function loudest({ sentences }) {
  const last = (/** @type {(tone: string) => boolean} */ fits) => sentences.findLast(({ tone }) => fits(tone));
  return (
    last((tone) => tone === "loud") ??
    last((tone) => tone === "hit") ??
    last((tone) => tone !== "quiet") ??
    sentences[0]
  );
}

/** @param {Still["seats"][number]} seat */
const seatText = ({ name, note }) => name + (note ? ` · ${note}` : "");

/** As many as LETTER: those of Chinese are twice as wide. @param {string} content */
const letters = (content) => [...content].reduce((sum, letter) => sum + (letter >= "\u2e80" ? 2 : 1), 0);

/** As wide as the longest one needs. @param {Still} still */
const seatWidth = ({ seats }) =>
  BADGE + Math.max(0, ...seats.map((seat) => (seat.wins ? BOLD_LETTER : LETTER) * letters(seatText(seat))));

/** @param {Still} still @param {number} width */
function seatRows(still, width) {
  const { seats } = still;
  const each = Math.max(1, Math.floor((width - EDGE) / seatWidth(still)));
  const rows = Array.from({ length: Math.ceil(seats.length / each) }, (_, i) => seats.slice(i * each, (i + 1) * each));
  return rows.slice(0, ROWS_OF_SEATS);
}

/** @param {Still["seats"][number]} seat @param {number} x @param {number} y */
function seatTree(seat, x, y) {
  const { alive, wins, moves, colour, shape } = seat;
  const ink = alive ? {} : { fill: "var(--quiet)" };
  return h(
    "g",
    { class: `piece owner-${colour}`, transform: `translate(${x + 7},${y - 4})` },
    h("path", { class: "hull", d: outline(shape, 6.2) }),
    moves && h("circle", { r: 10, fill: "none", stroke: "var(--good)", "stroke-width": 1.5 }),
    h("g", { transform: "translate(15,-6)" }, flagTrees(seat.flag)),
    text(15 + FLAG + 5, 4, seatText(seat), { ...ink, ...(wins ? { "font-weight": 700 } : {}) }),
  );
}

/** @param {number} x @param {number} y @param {string} content @param {Record<string, any>} [more] */
const text = (x, y, content, more = {}) => h("text", { x, y, fill: "var(--ink)", "font-size": 13, ...more }, content);

/** No letters are measured here: as many as surely fit. @param {string} content @param {number} width */
function cut(content, width) {
  const limit = Math.floor((width - EDGE) / LETTER);
  if (letters(content) <= limit) return content;
  let kept = "";
  for (const letter of content) {
    if (letters(kept + letter) >= limit) break;
    kept += letter;
  }
  return `${kept}…`;
}

const NOT_WRITTEN = new Set(["key", "drawn", "opaque", "vars", "aria-hidden", "focusable"]);
/** What XML can't hold. */
const UNWRITABLE = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/** A tree as XML text. @param {Tree|string} tree @returns {string} */
export function xml(tree) {
  if (typeof tree === "string") return escaped(tree);
  const { vars, ...props } = tree.props;
  const style = vars && Object.entries(vars).map((declaration) => declaration.join(": "));
  const attributes = Object.entries({ ...props, style: style?.join("; ") ?? props.style })
    .filter(([name, value]) => !NOT_WRITTEN.has(name) && !name.startsWith("on") && (value ?? false) !== false)
    .map(([name, value]) => ` ${name}="${escaped(value === true ? "" : String(value))}"`);
  return `<${tree.tag}${attributes.join("")}>${tree.children.map(xml).join("")}</${tree.tag}>`;
}

/** @param {string} text */
const escaped = (text) =>
  text
    .replace(UNWRITABLE, "\ufffd")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
