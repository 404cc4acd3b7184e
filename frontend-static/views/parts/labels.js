/** Small parts for several views: addresses, badges of owners, titles of matches, ratings. */

import { longHex, t } from "../../i18n/translate.js";
import { OWNER_SHAPES, outline } from "../../layouts/shapes.js";
import { h } from "../../lib/dom.js";
import { HEIGHT, WIDTH, flagOf, flagTrees } from "../../names/flag.js";
import { computers } from "../../names/computers.js";
import { nameOf } from "../../names/names.js";

/** @import { Renderer } from "../../types.js" */

const SEAT_COLOURS = 8;
/** A rating from fewer opponents than this is unreliable (indexer/store/rivals.py: ENOUGH). */
const RELIABLE_OPPONENTS = 5;

/** The badge of an owner. Each seat has its own shape and colour. @param {number} seat @param {Pick<Renderer, "badge">} [renderer] */
export function badge(seat, renderer) {
  const { colour, shape } = renderer?.badge?.(seat) ?? { colour: seat % SEAT_COLOURS, shape: seat % OWNER_SHAPES };
  const path = h("path", { d: outline(shape, 6.2), class: "hull" });
  return h(
    "svg",
    { class: `badge owner-${colour}`, width: 18, height: 18, viewBox: "-9 -9 18 18", "aria-hidden": "true" },
    path,
  );
}

/** The sign of a computer player. @param {string} address */
const computerMark = (address) => computers.has(address) && icon("M2 3h12v8H2ZM8 11v3M5 14h6", t("opponents.computer"));

/** A computer player's level, shown after its name. @param {string} address */
const level = (address) => computers.has(address) && h("span", { class: "level" }, t(computers.get(address) ?? ""));

/** The signal flag of an account. It depends on the address only, not on the account's name. @param {string} address */
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

/** An account's flag and name. For a computer player, also its sign and level. @param {string} address */
const flagAndName = (address) => [
  flag(address),
  computerMark(address),
  h("span", { class: "words" }, nameOf(address)),
  level(address),
];

/** @param {string} address */
const nameProps = (address) => ({
  class: computers.has(address) ? "address computer" : "address",
  title: address,
  "data-address": address,
});

/** An account's flag and name. Its address appears when the pointer is over them. @param {string} address */
export const playerName = (address) => h("span", nameProps(address), flagAndName(address));

/**
 * The name followed by digits of the address. Used if money or a signature is at stake, because
 * anyone could make an account with the same two-word name. @param {string} address
 */
export const nameWithHex = (address) => [playerName(address), " ", hexOf(address)];

/** @param {string} address */
export const hexOf = (address) => h("span", { class: "mono hex" }, longHex(address));

/** A player's name as a button that opens a card with the address and the player's options. @param {string} address @param {{id: string, open: boolean, onclick: () => void}} press */
export const playerButton = (address, { id, open, onclick }) =>
  h(
    "button",
    { ...nameProps(address), id, key: id, type: "button", "aria-expanded": String(open), onclick },
    flagAndName(address),
  );

/** A player's name as a link to the player's page. @param {string} address */
export const playerLink = (address) =>
  h("a", { ...nameProps(address), href: `#/player/${address}` }, flagAndName(address));

/** A line drawing as large as the text. `label`: its text for screen readers, if any. @param {string} path @param {string} [label] */
function icon(path, label) {
  const role = label ? { role: "img", "aria-label": label } : { "aria-hidden": "true" };
  return h("svg", { class: "icon", width: 14, height: 14, viewBox: "0 0 16 16", ...role }, h("path", { d: path }));
}

/** The title of a match, such as `Tic-tac-toe 7`. @param {{server: {games: Map<string, {title: string}>}}} app @param {string} match */
export function titleOf(app, match) {
  const [slug, id] = match.split("/");
  return t("match.title", { game: app.server.games.get(slug)?.title ?? slug, id });
}

/**
 * The rating as text: `1516`, or `1516?` if there were few opponents, or `–` before the first
 * match. @param {number|null} rating @param {number} rivals
 */
export function ratingText(rating, rivals) {
  if (rating === null) return "–";
  return rivals < RELIABLE_OPPONENTS ? t("players.unsure", { rating: rating.toFixed(0) }) : rating.toFixed(0);
}
