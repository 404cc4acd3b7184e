/** A hint beside what it explains, never over it; what it lies over can be pressed through it. */

import { TARGETS } from "../../app/match/hints.js";
import { h } from "../../lib/dom.js";
import { gameKey, t } from "../../i18n/translate.js";

/** @import { App } from "../../app/app.js" */
/** @typedef {Pick<App, "hints">} Needs What it uses of the page. */

/** Where each is pinned. */
const PINS = {
  board: "#board",
  line: "#whose",
  button: ".actions button.loud, .actions button:not(:disabled), .actions",
};
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

/** Below its target; above or beside it where the window ends there and has room. @param {HTMLElement} element @param {string} selector */
function pin(element, selector) {
  const target = selector.split(", ").flatMap((one) => document.querySelector(one) ?? [])[0];
  element.hidden = !target;
  if (!target) return;
  const [box, own] = [target.getBoundingClientRect(), element.getBoundingClientRect()];
  const origin = element.offsetParent?.getBoundingClientRect() ?? { top: -window.scrollY, left: -window.scrollX };
  const isLow = box.bottom + GAP + own.height > window.innerHeight;
  const isAbove = isLow && box.top > own.height + GAP + EDGE;
  const isBeside = isLow && !isAbove && box.right + GAP + own.width + EDGE < window.innerWidth;
  const top = isBeside ? Math.max(EDGE, box.top) : isAbove ? box.top - GAP - own.height : box.bottom + GAP;
  const left = isBeside ? box.right + GAP : Math.max(EDGE, Math.min(box.left, window.innerWidth - own.width - EDGE));
  element.style.setProperty("--top", `${Math.round(top - origin.top)}px`);
  element.style.setProperty("--left", `${Math.round(left - origin.left)}px`);
}
