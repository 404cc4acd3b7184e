/** Small things that several views show: addresses, the shape and colour of an owner, the title of a match, a rating. */

import { longHex, t } from "../../i18n/translate.js";
import { OWNERS, outline } from "../../layouts/shapes.js";
import { h } from "../../lib/dom.js";
import { HEIGHT, WIDTH, flagOf, flagTrees } from "../../names/flag.js";
import { computers } from "../../names/computers.js";
import { nameOf } from "../../names/names.js";

/** @import { Renderer } from "../../types.js" */

const COLOURS = 8;
/** Fewer rivals than these, and a rating tells little (indexer/store/rivals.py: ENOUGH). */
const ENOUGH = 5;

/** The badge of an owner: its own shape and colour. @param {number} seat @param {Pick<Renderer, "badge">} [renderer] */
export function badge(seat, renderer) {
  const { colour, shape } = renderer?.badge?.(seat) ?? { colour: seat % COLOURS, shape: seat % OWNERS };
  const path = h("path", { d: outline(shape, 6.2), class: "hull" });
  return h(
    "svg",
    { class: `badge owner-${colour}`, width: 18, height: 18, viewBox: "-9 -9 18 18", "aria-hidden": "true" },
    path,
  );
}

/** The sign of a computer. @param {string} address */
const computerMark = (address) => computers.has(address) && icon("M2 3h12v8H2ZM8 11v3M5 14h6", t("opponents.computer"));

/** How well it plays, behind its name. @param {string} address */
const level = (address) => computers.has(address) && h("span", { class: "level" }, t(computers.get(address) ?? ""));

/** The signal flag of an account: always the address's own, whatever it is called. @param {string} address */
export function flag(address) {
  const { shape, ground, charge } = flagOf(address);
  return h(
    "svg",
    {
      class: "flag",
      width: WIDTH + 2,
      height: HEIGHT + 2,
      viewBox: `-1 -1 ${WIDTH + 2} ${HEIGHT + 2}`,
      "data-flag": `${shape}-${ground}-${charge}`,
      "aria-hidden": "true",
    },
    flagTrees({ shape, ground, charge }),
  );
}

/** Flag and words; a computer with its sign and its level. @param {string} address */
const whose = (address) => [
  flag(address),
  computerMark(address),
  h("span", { class: "words" }, nameOf(address)),
  level(address),
];

/** @param {string} address */
const props = (address) => ({
  class: computers.has(address) ? "address computer" : "address",
  title: address,
  "data-address": address,
});

/** An account by flag and name; its address where one points at it. @param {string} address */
export const playerName = (address) => h("span", props(address), whose(address));

/** With digits of the address behind it: where money or a signature is at stake two words alone could be made alike. @param {string} address */
export const nameWithHex = (address) => [playerName(address), " ", hexOf(address)];

/** @param {string} address */
export const hexOf = (address) => h("span", { class: "mono hex" }, longHex(address));

/** The same, which shows the address and what one can do about it when it is pressed. @param {string} address @param {{id: string, open: boolean, onclick: () => void}} press */
export const playerButton = (address, { id, open, onclick }) =>
  h(
    "button",
    { ...props(address), id, key: id, type: "button", "aria-expanded": String(open), onclick },
    whose(address),
  );

/** The same, leading to the player's page. @param {string} address */
export const playerLink = (address) => h("a", { ...props(address), href: `#/player/${address}` }, whose(address));

/** A line drawing, as large as the text; `label`: what it says, if it is not there for the eye alone. @param {string} path @param {string} [label] */
function icon(path, label) {
  const role = label ? { role: "img", "aria-label": label } : { "aria-hidden": "true" };
  return h("svg", { class: "icon", width: 14, height: 14, viewBox: "0 0 16 16", ...role }, h("path", { d: path }));
}

/** `Tic-tac-toe 7`. @param {{server: {games: Map<string, {title: string}>}}} app @param {string} match */
export function titleOf(app, match) {
  const [slug, id] = match.split("/");
  return t("match.title", { game: app.server.games.get(slug)?.title ?? slug, id });
}

/** `1516`, with few rivals `1516?`; `–` before the first match. @param {number|null} rating @param {number} rivals */
export function ratingText(rating, rivals) {
  if (rating === null) return "–";
  return rivals < ENOUGH ? t("players.unsure", { rating: rating.toFixed(0) }) : rating.toFixed(0);
}
