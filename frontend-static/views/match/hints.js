/** A hint beside what it explains, never over it; what it lies over can be pressed through it. */

import { TARGETS } from "../../app/match/hints.js";
import { h } from "../../lib/dom.js";
import { gameKey, t } from "../../i18n/translate.js";

/** @import { Hints } from "../../app/match/hints.js" */
/** @typedef {{hints: Hints}} Needs What it uses of the page. */

/** Where each is pinned. */
const PINS = {
  board: "#board .part[data-side='1'], #board",
  line: "#whose",
  button: ".actions button.loud",
};
/** What no hint lies over. */
const KEPT = "#whose, .actions button.loud";
/** What it lies over only where there is no other room: what a press costs and became, and both players' boards. */
const NEWS = "#caption, #last-press, #board .part";
const GAP = 10;
const EDGE = 8;

/** @param {Needs} app @param {string} match */
export function hint({ hints }, match) {
  const step = hints.at(match);
  if (step < 0) return null;
  const name = TARGETS[step];
  const last = step === TARGETS.length - 1;
  return h(
    "aside",
    {
      id: "hint",
      key: "hint",
      class: "pinned",
      "data-hint": name,
      role: "status",
      "aria-label": t("hints.label", { n: step + 1, all: TARGETS.length }),
      drawn: (/** @type {HTMLElement} */ element) => pin(element, PINS[name]),
    },
    h("p", null, t(name === "board" ? gameKey(match.split("/")[0], "hints.board") : `hints.${name}`)),
    h(
      "p",
      { class: "row" },
      !last &&
        h(
          "button",
          { id: "hint-next", key: "next", type: "button", class: "small", onclick: () => hints.next(match) },
          t("hints.next"),
        ),
      h(
        "button",
        { id: "hint-close", key: "close", type: "button", class: "small", onclick: () => hints.close(match) },
        t("hints.close"),
      ),
    ),
  );
}

/** What was pinned to last. @type {Element|null} */
let pinned = null;

/** Beside its target, where it covers neither that nor the line nor the loud button. @param {HTMLElement} element @param {string} selector */
function pin(element, selector) {
  const target = selector.split(", ").flatMap((one) => document.querySelector(one) ?? [])[0];
  element.hidden = !target;
  if (!target) return;
  if (pinned !== target) target.scrollIntoView({ block: "nearest" });
  pinned = target;
  const areas = (/** @type {string} */ name) =>
    [...document.querySelectorAll(name)].filter((one) => one !== target).map((one) => one.getBoundingClientRect());
  const kept = [target.getBoundingClientRect(), ...areas(KEPT)];
  const origin = element.offsetParent?.getBoundingClientRect() ?? { top: -window.scrollY, left: -window.scrollX };
  const own = { width: element.offsetWidth, height: element.offsetHeight };
  const { top, left } = spotBeside(kept, own, window.innerWidth, window.innerHeight, areas(NEWS));
  element.style.setProperty("--top", `${Math.round(top - origin.top)}px`);
  element.style.setProperty("--left", `${Math.round(left - origin.left)}px`);
}

/** @typedef {{left: number, top: number, width: number, height: number}} Area In CSS pixels of the window. */

/**
 * Below the first area, else above it, else at its side; the first spot that covers the least, of what comes second only where that costs nothing.
 * @param {Area[]} kept what it should not cover @param {{width: number, height: number}} own @param {number} wide @param {number} high of the window @param {Area[]} [second]
 */
export function spotBeside(kept, own, wide, high, second = []) {
  const [{ left, top, width, height }] = kept;
  const [right, bottom] = [left + width, top + height];
  const columns = [left, right - own.width, (left + right - own.width) / 2];
  const rows = [bottom - own.height, top, ...[...kept, ...second].map((one) => one.top + one.height + GAP)];
  const spots = [
    ...[bottom + GAP, top - GAP - own.height].flatMap((y) => columns.map((x) => [x, y])),
    ...[right + GAP, left - GAP - own.width].flatMap((x) => rows.map((y) => [x, y])),
    ...rows.map((y) => [wide, y]),
  ].map(([x, y]) => ({
    left: Math.max(EDGE, Math.min(x, wide - own.width - EDGE)),
    top: Math.max(EDGE, Math.min(y, high - own.height - EDGE)),
  }));
  const cost = (/** @type {Area[]} */ areas, /** @type {{left: number, top: number}} */ spot) =>
    areas.reduce((sum, one) => sum + covered(one, { ...spot, ...own }), 0);
  const compare = (/** @type {typeof spots[0]} */ one, /** @type {typeof spots[0]} */ best) =>
    cost(kept, one) - cost(kept, best) || cost(second, one) - cost(second, best);
  return spots.reduce((best, one) => (compare(one, best) < 0 ? one : best));
}

/** Square pixels. @param {Area} a @param {Area} b */
const covered = (a, b) =>
  Math.max(0, Math.min(a.left + a.width, b.left + b.width) - Math.max(a.left, b.left)) *
  Math.max(0, Math.min(a.top + a.height, b.top + b.height) - Math.max(a.top, b.top));
