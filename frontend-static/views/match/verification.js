/** Under the board: whether it is what the contract itself says, and who was asked. Quiet while it is. */

import { h } from "../../lib/dom.js";
import { copier } from "../parts/copy.js";
import { longHex, say, t } from "../../i18n/translate.js";

/** @import { App } from "../../app/app.js" */
/** @import { Asked } from "../../chain/verify/sources.js" */
/** @import { Place } from "../../chain/verify/decode.js" */
/** @import { Moment, Verdict } from "../../chain/verify/query.js" */

const SHOWN = 4;
const LETTERS = 60;
/** Also told by its form. */
const SIGNS = { asking: "…", same: "✓", counted: "✓", differs: "✗", untold: "?" };

/** @param {App} app @param {string} match @param {Moment|null|undefined} [moment] the board that is shown; else the latest */
export function checkMark(app, match, moment = app.socket.entries.get(match)) {
  if (!moment) return null;
  const { asked } = app.witness;
  const verdict = app.witness.look(match, moment);
  return verdict.state === "differs" ? alarm(app, match, verdict, asked) : quiet(app, verdict, asked);
}

/** @param {Asked} asked */
const who = ({ kind }) => t(`asked.${kind}`);

/** @param {App} app @param {Verdict} verdict @param {Asked} asked */
function quiet(app, { state, height, why, contract }, asked) {
  const told = state === "same" || state === "counted";
  return h("details", { class: "checked", id: "checked", key: "checked", "data-checked": state, "data-asked": asked.kind },
    h("summary", null, h("i", { "aria-hidden": "true" }, SIGNS[state]), h("span", null, t(`checked.${state}`, { height })), told && h("span", { class: "who" }, who(asked))),
    h("div", { class: "about-check" },
      why && h("p", null, say(why)),
      state === "counted" && h("p", null, t("checked.counted-lead")),
      h("p", null, t(`asked.${asked.kind}-lead`, { name: asked.name })),
      contract && address(app, contract)));
}

/** @param {App} app @param {string} contract */
function address(app, contract) {
  return h("p", { class: "row" }, h("span", null, t("checked.contract"), " ", h("span", { class: "mono", title: contract, "data-contract": contract }, longHex(contract))), copier(app, contract, "copy-contract", t("match.copy-address", { address: contract })));
}

/** @param {App} app @param {string} match @param {Verdict} verdict @param {Asked} asked */
function alarm(app, match, { height, places, why, contract, moved }, asked) {
  const more = places.length > SHOWN && h("li", { class: "hint" }, t("checked.more", { n: places.length - SHOWN }));
  return h("div", { class: "checked alarm", id: "checked", key: "alarm", role: "alert", "data-checked": "differs", "data-asked": asked.kind },
    h("strong", null, h("i", { "aria-hidden": "true" }, SIGNS.differs), " ", t("checked.differs")),
    h("p", null, why ? say(why) : t("checked.differs-lead", { height })),
    places.length > 0 && h("ul", null, places.slice(0, SHOWN).map(line), more),
    contract && address(app, contract),
    moved && h("button", { id: "accept-contract", type: "button", class: "small", onclick: () => app.witness.accept(match) }, t("checked.accept")),
    h("p", { class: "hint" }, t(`asked.${asked.kind}-lead`, { name: asked.name }), " ", t("checked.advice")));
}

/** @param {Place} found */
function line({ place, shown, real }) {
  return h("li", { "data-place": place }, h("span", { class: "mono" }, place), " ", t("checked.place", { shown: value(shown), real: value(real) }));
}

/** @param {any} found */
function value(found) {
  const text = found === undefined || found === null ? t("checked.nothing") : typeof found === "string" ? found : JSON.stringify(found);
  return text.length > LETTERS ? `${text.slice(0, LETTERS)}…` : text;
}
