/**
 * Small elements that several views use: names, addresses, players' badges, match titles and
 * ratings.
 */

import { longHex, t } from "../../i18n/translate.js";
import { OWNER_SHAPES, outline } from "../../layouts/shapes.js";
import { h } from "../../lib/dom.js";
import { HEIGHT, WIDTH, flagOf, flagTrees } from "../../names/flag.js";
import { computers } from "../../names/computers.js";
import { nameOf } from "../../names/names.js";

/** @import { GameInfo, Renderer } from "../../types.js" */

const SEAT_COLOURS = 8;
/**
 * The minimum number of opponents that makes a rating reliable. It must equal RELIABLE_OPPONENTS in
 * indexer/store/opponents.py.
 */
const RELIABLE_OPPONENTS = 5;

/** Return the badge of a seat. Each seat's badge has its own shape and colour. @param {number} seat @param {Pick<Renderer, "badge">} [renderer] */
export function badge(seat, renderer) {
  const { colour, shape } = renderer?.badge?.(seat) ?? { colour: seat % SEAT_COLOURS, shape: seat % OWNER_SHAPES };
  const path = h("path", { d: outline(shape, 6.2), class: "hull" });
  return h(
    "svg",
    { class: `badge owner-${colour}`, width: 18, height: 18, viewBox: "-9 -9 18 18", "aria-hidden": "true" },
    path,
  );
}

/** Return the symbol that marks a computer player, or false for a person. @param {string} address */
const computerMark = (address) => computers.has(address) && icon("M2 3h12v8H2ZM8 11v3M5 14h6", t("opponents.computer"));

/** Return the level of a computer player, which follows the name, or false for a person. @param {string} address */
const level = (address) => computers.has(address) && h("span", { class: "level" }, t(computers.get(address) ?? ""));

/** Return an account's signal flag, which depends on the address and not on the name. @param {string} address */
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

/** Return an account's flag and name. A computer player also has the computer symbol and the level. @param {string} address */
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

/** Return an account's flag and name. The address appears when the pointer is on them. @param {string} address */
export const playerName = (address) => h("span", nameProps(address), flagAndName(address));

/**
 * Return an account's name and some digits of its address, for places where money or a signature is
 * at stake. The name alone isn't safe there, because anyone can create an account with the same
 * two-word name.
 * @param {string} address
 */
export const nameWithHex = (address) => [playerName(address), " ", hexOf(address)];

/** @param {string} address */
export const hexOf = (address) => h("span", { class: "mono hex" }, longHex(address));

/** Return a player's name as a button that opens the player's name card (views/parts/name-card.js). @param {string} address @param {{id: string, open: boolean, onclick: () => void}} press */
export const playerButton = (address, { id, open, onclick }) =>
  h(
    "button",
    { ...nameProps(address), id, key: id, type: "button", "aria-expanded": String(open), onclick },
    flagAndName(address),
  );

/** Return a player's name as a link to the player's page. @param {string} address */
export const playerLink = (address) =>
  h("a", { ...nameProps(address), href: `#/player/${address}` }, flagAndName(address));

/**
 * Return an icon that is about as high as the text around it. `label`: the icon's text for screen
 * readers, if it has any.
 * @param {string} path @param {string} [label]
 */
function icon(path, label) {
  const role = label ? { role: "img", "aria-label": label } : { "aria-hidden": "true" };
  return h("svg", { class: "icon", width: 14, height: 14, viewBox: "0 0 16 16", ...role }, h("path", { d: path }));
}

/** Return the title of a match, such as `Tic-tac-toe 7`. @param {{server: {games: Map<string, Pick<GameInfo, "title">>}}} app @param {string} match */
export function titleOf(app, match) {
  const [slug, id] = match.split("/");
  return t("match.title", { game: app.server.games.get(slug)?.title ?? slug, id });
}

/**
 * Return a rating as text, such as `1516`. If the rating comes from few opponents, the text is
 * `1516?`. Before the first rated match, it is `–`.
 * @param {number|null} rating @param {number} opponents
 */
export function ratingText(rating, opponents) {
  if (rating === null) return "–";
  return opponents < RELIABLE_OPPONENTS ? t("players.unsure", { rating: rating.toFixed(0) }) : rating.toFixed(0);
}
