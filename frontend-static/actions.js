/** The buttons of a match: each possible or saying why not, with the story of what it sent. */

import { h } from "./dom.js";
import { opens } from "./chain.js";
import { life, trouble } from "./life.js";
import { isOver } from "./nonce.js";
import { either, say, t } from "./words.js";

/** @import { App } from "./app.js" */
/** @import { Action, GameInfo, Input, Phrase, Tx } from "./types.js" */

const ADDRESS = /^0x[0-9a-fA-F]{40}$/;

/** @param {App} app @param {GameInfo} game @param {string} match */
export function actionList(app, game, match) {
  const renderer = app.renderers.get(game.slug);
  const view = app.view(match);
  const actions = game.actions.filter((action) => !opens(game, action) && (renderer?.shown(view, action) ?? true));
  const loud = actions.find((action) => !app.whyNothing() && !renderer?.why(view, action));
  return h("div", { class: "actions", role: "group", "aria-label": t("match.actions") }, actions.map((action) => one(app, game, match, action, action === loud)));
}

/** @param {App} app @param {GameInfo} game @param {string} match @param {Action} action @param {boolean} loud */
function one(app, game, match, action, loud) {
  const renderer = app.renderers.get(game.slug);
  const kind = renderer?.kindOf(action) ?? action.name;
  const whyNow = () => app.whyNothing() ?? renderer?.why(app.view(match), action) ?? whyInputs(app, action);
  const why = whyNow();
  const mine = latest(app, match, kind);
  // Asked again at the click: a second one may come before the button is drawn as disabled.
  const send = () => { if (!whyNow()) app.act(game.slug, action, match, inputsOf(app, action), kind); };
  const ended = mine && ["failed", "refused"].includes(mine.state);
  const told = mine && (!why || !isOver(mine.state) || ended);
  const button = h("button", {
    id: `action-${kind}`, type: "button", class: loud ? "loud" : "", "data-action": kind, disabled: Boolean(why), onclick: send,
    "data-pending": mine && !isOver(mine.state), "aria-describedby": `why-${kind}`,
  }, either([`action.${game.slug}.${kind}`], action.label));
  return h("div", { class: action.inputs.length ? "action wide" : "action", key: kind },
    action.inputs.length ? h("div", { class: "typed" }, fields(app, action, kind), button) : button,
    h("div", { class: "below" },
      h("p", { class: "why", id: `why-${kind}`, "data-why": why?.key ?? "" }, why ? say(why) : told ? "" : either([`hint.${game.slug}.${kind}`], "")),
      told && life(mine)),
    ended ? trouble(mine) : null,
  );
}

/** The last transaction of this account for a button. @param {App} app @param {string} match @param {string} kind @returns {Tx|undefined} */
function latest(app, match, kind) {
  return app.transactions.list.findLast((tx) => tx.match === match && tx.action === kind && tx.account === app.me);
}

/** @param {Input} input */
const defaultOf = ({ kind, default: given }) => given ?? { int: 0, bool: false }[kind] ?? "";

/** @param {App} app @param {Action} action @returns {Record<string, any>} */
export function inputsOf(app, action) {
  return Object.fromEntries(action.inputs.map((input) => [input.name, app.typed[input.name] ?? defaultOf(input)]));
}

/** @param {App} app @param {Action} action @returns {Phrase|null} */
export function whyInputs(app, action) {
  const typed = inputsOf(app, action);
  for (const { name, label, kind, minimum, maximum } of action.inputs) {
    const value = typed[name];
    if (kind === "address" && !ADDRESS.test(value)) return { key: "why.captain-address" };
    const fits = Number.isInteger(Number(value)) && value !== "" && value >= minimum && value <= maximum;
    if (kind === "int" && !fits) return { key: "why.input", args: { label: either([`input.${name}`], label), minimum, maximum } };
  }
  return null;
}

/** @param {App} app @param {Action} action @param {string} place makes ids unique */
export function fields(app, action, place) {
  if (action.inputs.length === 0) return null;
  return h("div", { class: "fields" }, action.inputs.map((input) => field(app, input, `${place}-${input.name}`)));
}

/** @param {App} app @param {Input} input @param {string} id */
function field(app, input, id) {
  const value = app.typed[input.name] ?? defaultOf(input);
  const keep = (/** @type {any} */ given) => { app.typed[input.name] = given; app.redraw(); };
  const read = (/** @type {Event} */ event) => /** @type {HTMLInputElement} */ (event.target);
  /** @type {Record<string, Record<string, any>>} */
  const kinds = {
    int: { type: "number", min: input.minimum, max: input.maximum, value: String(value), oninput: (/** @type {Event} */ e) => keep(read(e).value) },
    bool: { type: "checkbox", checked: Boolean(value), onchange: (/** @type {Event} */ e) => keep(read(e).checked) },
    address: { type: "text", value: String(value), placeholder: "0x…", spellcheck: "false", autocomplete: "off", oninput: (/** @type {Event} */ e) => keep(read(e).value.trim()) },
  };
  const label = h("span", null, either([`input.${input.name}`], input.label));
  return h("label", { key: id, class: `field ${input.kind}`, for: id }, label, h("input", { id, "data-input": input.name, ...(kinds[input.kind] ?? kinds.address) }));
}
