/**
 * Draws a still of a match as an SVG picture. The colours come from the page's style sheets. This
 * module has no side effects.
 */

import { h } from "../lib/dom.js";
import { EDGE_WIDTH } from "../layouts/geometry.js";
import { outline } from "../layouts/shapes.js";
import { WIDTH as FLAG, flagTrees } from "../names/flag.js";

/** @import { Tree } from "../lib/dom.js" */
/** @import { Drawing, Picture } from "../types.js" */
/** @import { Still } from "./snapshot.js" */

/** The sizes of the picture's parts, in CSS pixels. */
const MARGIN = 12;
const HEADING = 34;
const ROW = 24;
const SEAT_ROW = 34;
/** The width of the product's logo, and of the gap between the logo and the title. */
const LOGO = 28;
/** The radius of a player's badge. It is large enough to make the badge visible in a thumbnail. */
const RADIUS = 11;
/** The total space to the left and right of a player's name. */
const BADGE = 2 * RADIUS + 30 + FLAG + 5;
const LETTER = 7;
/** The font size of a player's name and of the match's result. */
const LARGE = 16;
const LARGE_LETTER = 8.5;
/** The width of a letter in the winner's name, which is printed in bold. */
const BOLD_LETTER = 9.5;
const ROWS_OF_SEATS = 2;

/** The logo from icon.svg, in the colours of the theme. */
const LOGO_LINES = [
  h("rect", { stroke: "var(--ink)", x: 2.6, y: 2.6, width: 18, height: 18, rx: 5.5 }),
  h("rect", { stroke: "var(--signal)", x: 13.4, y: 13.4, width: 18, height: 18, rx: 5.5 }),
  h("path", { stroke: "var(--ink)", d: "M20.6 8v7.1a5.5 5.5 0 0 1-.8 2.8" }),
];

/** @param {Still} still @param {{drawing: (picture: Picture) => Drawing}} layout the class of the game's layout @returns {Tree} */
export function drawing(still, layout) {
  const { trees, width, height } = layout.drawing(still.picture);
  const seats = seatRows(still, width);
  const below = MARGIN + HEADING + height + 6;
  const size = {
    width: Math.ceil(width + 2 * MARGIN),
    height: Math.ceil(below + seats.length * SEAT_ROW + 2 * ROW + 6),
  };
  const foot = below + SEAT_ROW * seats.length + ROW;
  const over = still.status === "finished";
  const headline = over ? null : headlineOf(still); // a finished match needs no headline, because the picture shows its result
  return h(
    "svg",
    { xmlns: "http://www.w3.org/2000/svg", ...size, viewBox: `0 0 ${size.width} ${size.height}`, class: "still" },
    h("title", null, `${still.title}. ${still.position}. ${still.turnText}`),
    h("rect", { ...size, fill: "var(--page)" }),
    h(
      "g",
      { transform: `translate(${MARGIN + EDGE_WIDTH},${MARGIN}) scale(0.65)`, fill: "none", "stroke-width": 4.6 },
      LOGO_LINES,
    ),
    text(MARGIN + EDGE_WIDTH + LOGO, MARGIN + 16, still.title, { "font-weight": 600, "font-size": LARGE }),
    siteText(still, width),
    h("g", { transform: `translate(${MARGIN},${MARGIN + HEADING})` }, trees),
    seats.map((row, i) =>
      row.map((seat, j) =>
        seatTree(seat, width, MARGIN + EDGE_WIDTH + j * seatWidth(still), below + SEAT_ROW * (i + 0.6)),
      ),
    ),
    text(
      MARGIN + EDGE_WIDTH,
      foot,
      over ? cut(still.turnText, width, BOLD_LETTER) : cut(still.turnText, width),
      over ? { "font-weight": 700, "font-size": LARGE } : { fill: "var(--quiet)" },
    ),
    headline &&
      text(
        MARGIN + EDGE_WIDTH,
        foot + ROW * 0.85,
        cut(headline.text, width),
        headline.tone === "hit" ? { fill: "var(--bad)" } : {},
      ),
  );
}

/** Return the site's address, or false if it doesn't fit into the heading. @param {Still} still @param {number} width */
function siteText({ site, title }, width) {
  const taken = EDGE_WIDTH + LOGO + BOLD_LETTER * letters(title) + LETTER * letters(site);
  return taken < width && text(width + MARGIN, MARGIN + 16, site, { "text-anchor": "end", fill: "var(--quiet)" });
}

/**
 * Return the most important of the sentences: the end of the match, or else a hit, or else a
 * sentence that isn't minor.
 * @param {Still} still
 */
function headlineOf({ sentences }) {
  const last = (/** @type {(tone: string) => boolean} */ fits) => sentences.findLast(({ tone }) => fits(tone));
  return (
    last((tone) => tone === "loud") ??
    last((tone) => tone === "hit") ??
    last((tone) => tone !== "quiet") ??
    sentences[0]
  );
}

/** @param {Still["seats"][number]} seat */
const noteOf = ({ note }) => (note ? `· ${note}` : "");

/** @param {Still["seats"][number]} seat */
const nameWidth = ({ name, wins }) => (wins ? BOLD_LETTER : LARGE_LETTER) * letters(name);

/** Return the width of a text, in letters. A Chinese character counts as two letters. @param {string} content */
const letters = (content) => [...content].reduce((sum, letter) => sum + (letter >= "\u2e80" ? 2 : 1), 0);

/** Return the width of a seat's box, which has space for the longest name and note of all seats. @param {Still} still */
const seatWidth = ({ seats }) =>
  BADGE + Math.max(0, ...seats.map((seat) => nameWidth(seat) + LETTER * letters(noteOf(seat))));

/** @param {Still} still @param {number} width */
function seatRows(still, width) {
  const { seats } = still;
  const each = Math.max(1, Math.floor((width - EDGE_WIDTH) / seatWidth(still)));
  const rows = Array.from({ length: Math.ceil(seats.length / each) }, (_, i) => seats.slice(i * each, (i + 1) * each));
  return rows.slice(0, ROWS_OF_SEATS);
}

/** @param {Still["seats"][number]} seat @param {number} width @param {number} x @param {number} y */
function seatTree(seat, width, x, y) {
  const { alive, wins, moves, colour, shape } = seat;
  const note = noteOf(seat) && cut(noteOf(seat), width - BADGE - nameWidth(seat));
  const ink = alive ? {} : { fill: "var(--quiet)" };
  return h(
    "g",
    { class: `piece owner-${colour}`, transform: `translate(${x + RADIUS + 2},${y - 4})` },
    h("path", { class: "hull", d: outline(shape, RADIUS) }),
    moves && h("circle", { r: RADIUS + 3, fill: "none", stroke: "var(--good)", "stroke-width": 1.5 }),
    h("g", { transform: `translate(${RADIUS + 9},-6)` }, flagTrees(seat.flag)),
    text(
      RADIUS + FLAG + 14,
      5,
      seat.name,
      { ...ink, "font-size": LARGE, ...(wins ? { "font-weight": 700 } : {}) },
      note && h("tspan", { dx: 5, "font-size": 13, "font-weight": 400 }, note),
    ),
  );
}

/** @param {number} x @param {number} y @param {string} content @param {Record<string, any>} [more] @param {Tree|string} [rest] */
const text = (x, y, content, more = {}, rest = "") =>
  h("text", { x, y, fill: "var(--ink)", "font-size": 13, ...more }, content, rest);

/** Cut a text to a number of letters that fits in any font. Texts can't be measured here. @param {string} content @param {number} width @param {number} [letter] */
function cut(content, width, letter = LETTER) {
  const limit = Math.floor((width - EDGE_WIDTH) / letter);
  if (letters(content) <= limit) return content;
  let kept = "";
  for (const one of content) {
    if (letters(kept + one) >= limit) break;
    kept += one;
  }
  return `${kept}…`;
}

const NOT_WRITTEN = new Set(["key", "drawn", "opaque", "vars", "aria-hidden", "focusable"]);
/** Matches characters that are not allowed in XML. */
const UNWRITABLE = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/** Return an element and its children as XML text. @param {Tree|string} tree @returns {string} */
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
