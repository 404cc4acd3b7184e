/** The buttons of a match: each possible or saying why not, with the story of what it sent. */

import { h } from "./dom.js";
import { opens } from "./chain.js";
import { life, trouble } from "./life.js";
import { isOver } from "./nonce.js";
import { either, ofGame, say, t } from "./words.js";

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
  const whyNow = () => app.whyNothing() ?? renderer?.why(app.view(match), action) ?? whyInputs(app, game.slug, action);
  const why = whyNow();
  const mine = latest(app, match, kind);
  // Asked again at the click: a second one may come before the button is drawn as disabled.
  const send = () => { if (!whyNow()) app.act(game.slug, action, match, inputsOf(app, game.slug, action), kind); };
  const ended = mine && ["failed", "refused"].includes(mine.state);
  const told = mine && (!why || !isOver(mine.state) || ended);
  const button = h("button", {
    id: `action-${kind}`, type: "button", class: loud ? "loud" : "", "data-action": kind, disabled: Boolean(why), onclick: send,
    "data-pending": mine && !isOver(mine.state), "aria-describedby": `why-${kind}`,
  }, either([ofGame(game.slug, `action.${kind}`)], action.label));
  return h("div", { class: action.inputs.length ? "action wide" : "action", key: kind },
    action.inputs.length ? h("div", { class: "typed" }, fields(app, game.slug, action, kind), button) : button,
    h("div", { class: "below" },
      h("p", { class: "why", id: `why-${kind}`, "data-why": why?.key ?? "" }, why ? say(why) : told ? "" : either([ofGame(game.slug, `hint.${kind}`)], "")),
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

/** Games may name their inputs alike. @param {string} slug @param {string} name */
const typedAs = (slug, name) => `${slug}.${name}`;

/** @param {string} slug @param {Input} input */
const labelOf = (slug, { name, label }) => either([ofGame(slug, `input.${name}`)], label);

/** @param {Pick<App, "typed">} app @param {string} slug @param {Action} action @returns {Record<string, any>} */
export function inputsOf(app, slug, action) {
  return Object.fromEntries(action.inputs.map((input) => [input.name, app.typed[typedAs(slug, input.name)] ?? defaultOf(input)]));
}

/** @param {Pick<App, "typed">} app @param {string} slug @param {Action} action @returns {Phrase|null} */
export function whyInputs(app, slug, action) {
  const typed = inputsOf(app, slug, action);
  for (const input of action.inputs) {
    const { kind, minimum, maximum } = input;
    const value = typed[input.name];
    const label = labelOf(slug, input);
    if (kind === "address" && !ADDRESS.test(value)) return { key: ofGame(slug, "why.address"), args: { label } };
    const fits = Number.isInteger(Number(value)) && value !== "" && value >= minimum && value <= maximum;
    if (kind === "int" && !fits) return { key: "why.input", args: { label, minimum, maximum } };
  }
  return null;
}

/** @param {App} app @param {string} slug @param {Action} action @param {string} place makes ids unique */
export function fields(app, slug, action, place) {
  if (action.inputs.length === 0) return null;
  return h("div", { class: "fields" }, action.inputs.map((input) => field(app, slug, input, `${place}-${input.name}`)));
}

/** @param {App} app @param {string} slug @param {Input} input @param {string} id */
function field(app, slug, input, id) {
  const key = typedAs(slug, input.name);
  const value = app.typed[key] ?? defaultOf(input);
  const keep = (/** @type {any} */ given) => { app.typed[key] = given; app.redraw(); };
  const read = (/** @type {Event} */ event) => /** @type {HTMLInputElement} */ (event.target);
  /** @type {Record<string, Record<string, any>>} */
  const kinds = {
    int: { type: "number", min: input.minimum, max: input.maximum, value: String(value), oninput: (/** @type {Event} */ e) => keep(read(e).value) },
    bool: { type: "checkbox", checked: Boolean(value), onchange: (/** @type {Event} */ e) => keep(read(e).checked) },
    address: { type: "text", value: String(value), placeholder: "0x…", spellcheck: "false", autocomplete: "off", oninput: (/** @type {Event} */ e) => keep(read(e).value.trim()) },
  };
  const label = h("span", null, labelOf(slug, input));
  return h("label", { key: id, class: `field ${input.kind}`, for: id }, label, h("input", { id, "data-input": input.name, ...(kinds[input.kind] ?? kinds.address) }));
}
