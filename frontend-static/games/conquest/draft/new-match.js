/**
 * The form for a new match. The player chooses the size of the map, sees a preview of a random map,
 * and chooses a player for each seat.
 */

import { h } from "../../../lib/dom.js";
import { ADDRESS } from "../../../lib/patterns.js";
import { fit } from "../../../layouts/geometry.js";
import { mapSvg } from "../../../layouts/map/svg.js";
import { t } from "../../../i18n/translate.js";
import { levelKey } from "../../../names/computers.js";
import { ZERO_ADDRESS, isAddress } from "../../../lib/ethereum/address.js";
import { randomHex } from "../../../lib/ethereum/bytes.js";
import { decodeGraph } from "../map/graph.js";
import { mapPicture } from "../picture.js";
import { badge } from "../seats.js";
import { mapOfSeed } from "../world.js";
import { badgeTree } from "./badge.js";

/** @import { Tree } from "../../../lib/dom.js" */
/** @import { I18nText, Json, Opponent, RenderContext } from "../../../types.js" */

/** The mean number of cells per land, for large maps (with many lands), medium and small maps. */
const GRAINS = [50, 76, 148];
const USUAL_GRAIN = 76;
const MIN_PLAYERS = 2;
const MAX_PLAYERS = 6;
const MIN_LANDS_PER_PLAYER = 4;
/** With this number of players or more, small maps hardly ever have enough lands. */
const MANY_PLAYERS = 6;
/** The maximum number of random seeds that the form tries, to find a map with enough lands. */
const MAX_TRIES = 40;
const PREVIEW = 360;

/** The choice for a seat. `who`: `anyone`, `address` (typed), or a computer player's name. @typedef {{who: string, address: string}} SeatChoice */
/**
 * @typedef {{seeds: Record<string, string>, grain: number, players: number, seats: SeatChoice[], opponent?: string, opponentAddress?: string, name?: string}} MatchDraft
 *   `seats`: the choices, starting at seat 1. `opponent`: the computer player that was chosen in
 *   the lobby. `opponentAddress`: the account of the opponent that a search found.
 */

const ANYONE = "anyone";
const TYPED = "address";

/**
 * Choose a random map, and take over the opponent from the lobby. Without such an opponent, the
 * first seat gets the weakest computer player once computer players are known.
 * @param {RenderContext} context
 */
export function prepare(context) {
  if (context.match) return;
  const state = draftOf(context);
  const weakest = context.opponents?.[0]?.name;
  if (state.opponent) {
    state.seats = state.seats.map(() => ({ who: String(state.opponent), address: "" }));
    delete state.opponent;
  }
  if (state.opponentAddress) {
    state.players = MIN_PLAYERS;
    state.seats[0] = { who: TYPED, address: state.opponentAddress };
    delete state.opponentAddress;
  }
  if (weakest && state.seats[0].who === "") state.seats[0].who = weakest;
  playableSeed(state);
}

/** @param {RenderContext} context @returns {MatchDraft} */
function draftOf({ draft: { state } }) {
  const seats = Array.from({ length: MAX_PLAYERS - 1 }, () => ({ who: "", address: "" }));
  if (!state.seats) Object.assign(state, { seeds: {}, grain: USUAL_GRAIN, players: MIN_PLAYERS, seats });
  return /** @type {MatchDraft} */ (state);
}

/** Return the number of lands on a map, or 0 if no match can be played on the map. @param {string} seed @param {number} grain */
const landCount = (seed, grain) => decodeGraph(mapOfSeed(seed, grain)?.graph ?? "0x0000")?.types.length ?? 0;

/** Return the seed for the chosen size. If the seed's map has too few lands, draw a new seed. @param {MatchDraft} state */
function playableSeed(state) {
  const { seeds, grain, players } = state;
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    if (seeds[grain] && landCount(seeds[grain], grain) >= MIN_LANDS_PER_PLAYER * players) break;
    seeds[grain] = randomHex(32);
  }
  return seeds[grain];
}

/** Return the form's value for a seat's choice. The default is `anyone`. @param {SeatChoice} choice */
const choiceOf = ({ who }) => who || ANYONE;

/**
 * Return the invited accounts, starting at seat 1. If several seats have the same computer player,
 * use a different account for each seat.
 * @param {RenderContext} context @returns {string[]} "" for a seat whose computer player has no free account
 */
function invitedAccounts(context) {
  const { seats, players } = draftOf(context);
  const used = new Map();
  return seats.slice(0, players - 1).map((choice) => {
    const who = choiceOf(choice);
    if (who === ANYONE) return ZERO_ADDRESS;
    if (who === TYPED) return choice.address;
    const at = used.get(who) ?? 0;
    used.set(who, at + 1);
    return opponentNamed(context, who)?.accounts[at]?.address ?? "";
  });
}

/** @param {RenderContext} context @param {string} who @returns {Opponent|undefined} */
const opponentNamed = ({ opponents = [] }, who) => opponents.find(({ name }) => name === who);

/** @param {RenderContext} context @returns {Json} */
export function createArgs(context) {
  const { grain, players } = draftOf(context);
  const seed = draftOf(context).seeds[grain];
  const graph = mapOfSeed(seed, grain)?.graph ?? "0x";
  return { seed, grain, players, invited: invitedAccounts(context), rematchOf: 0, graph };
}

/** @param {RenderContext} context @returns {I18nText|null} */
export function whyCreate(context) {
  const { grain, players, seeds } = draftOf(context);
  if (!seeds[grain]) return { key: "conquest.why.no-map" };
  if (landCount(seeds[grain], grain) < MIN_LANDS_PER_PLAYER * players)
    return { key: "conquest.why.small-map", args: { n: players } };
  const invited = invitedAccounts(context);
  const named = invited.filter((one) => one !== ZERO_ADDRESS);
  const odd = invited.findIndex((one) => !ADDRESS.test(one) || !isAddress(one));
  if (odd >= 0) return whySeat(context, odd);
  const lower = [context.me, ...named].map((one) => one.toLowerCase());
  return new Set(lower).size < lower.length ? { key: "conquest.why.twice" } : null;
}

/** @param {RenderContext} context @param {number} at @returns {I18nText} */
function whySeat(context, at) {
  const who = choiceOf(draftOf(context).seats[at]);
  if (who === TYPED) return { key: "conquest.why.seat-address", args: { n: at + 2 } };
  return {
    key: "conquest.why.few-computers",
    args: {
      level: t(levelKey(context.opponents ?? [], who)),
      n: opponentNamed(context, who)?.accounts.length ?? 0,
    },
  };
}

/** @param {RenderContext} context @param {{name: string}} action @param {string} prefix @returns {Tree|null} */
export function form(context, { name }, prefix) {
  if (name !== "create") return null;
  const state = draftOf(context);
  const change = (/** @type {Partial<MatchDraft>} */ changes) => {
    Object.assign(state, changes);
    if (state.players >= MANY_PLAYERS && state.grain === GRAINS[GRAINS.length - 1]) state.grain = USUAL_GRAIN;
    playableSeed(state);
    context.draft.change();
  };
  const another = () => change({ seeds: { ...state.seeds, [state.grain]: "" } });
  return h(
    "div",
    { class: "new-conquest", key: `${prefix}-form` },
    h(
      "div",
      { class: "new-map" },
      preview(state),
      h("button", { id: `${prefix}-another`, type: "button", onclick: another }, t("conquest.new.another")),
    ),
    h(
      "div",
      { class: "new-choices" },
      chips(
        `${prefix}-size`,
        t("conquest.input.grain"),
        GRAINS,
        state.grain,
        (grain) => change({ grain }),
        (grain) => t(`conquest.input.grain.${grain}`),
        (grain) => state.players >= MANY_PLAYERS && grain === GRAINS[GRAINS.length - 1],
      ),
      chips(
        `${prefix}-players`,
        t("conquest.input.players"),
        Array.from({ length: MAX_PLAYERS - MIN_PLAYERS + 1 }, (_, i) => MIN_PLAYERS + i),
        state.players,
        (players) => change({ players }),
        String,
      ),
      h(
        "ol",
        { class: "new-seats", id: `${prefix}-seats` },
        h("li", { key: "me" }, badgeTree(badge(0)), h("span", null, t("conquest.new.you"))),
        state.seats.slice(0, state.players - 1).map((choice, at) => seatRow(context, choice, at, prefix)),
      ),
    ),
  );
}

/** Return a row of buttons for a choice. The button of the chosen value is pressed. @param {string} id @param {string} title @param {number[]} values @param {number} value @param {(value: number) => void} choose @param {(value: number) => string} labelOf @param {(value: number) => boolean} [isFull] true if the chosen number of players is too large for a map of this size */
function chips(id, title, values, value, choose, labelOf, isFull = () => false) {
  return h(
    "div",
    { class: "computers", id, role: "group", "aria-labelledby": `${id}-title` },
    h("p", { class: "hint", id: `${id}-title` }, title),
    h(
      "div",
      { class: "strengths" },
      values.map((one) =>
        h(
          "button",
          {
            key: `${id}-${one}`,
            id: `${id}-${one}`,
            type: "button",
            "aria-pressed": String(one === value),
            disabled: isFull(one),
            "aria-describedby": isFull(one) ? `${id}-full` : undefined,
            onclick: () => choose(one),
          },
          labelOf(one),
        ),
      ),
    ),
    values.some(isFull) && h("p", { class: "hint", id: `${id}-full` }, t("conquest.new.five")),
  );
}

/** @param {RenderContext} context @param {SeatChoice} choice @param {number} at @param {string} prefix */
function seatRow(context, choice, at, prefix) {
  const { opponents = [], draft } = context;
  const who = choiceOf(choice);
  const id = `${prefix}-seat-${at + 1}`;
  const read = (/** @type {Event} */ event) => /** @type {HTMLInputElement} */ (event.target).value;
  const names = [...new Set([...opponents.map(({ name }) => name), ...([ANYONE, TYPED].includes(who) ? [] : [who])])];
  const options = [
    { value: ANYONE, text: t("conquest.new.anyone") },
    ...names.map((name) => ({
      value: name,
      text: t("conquest.new.computer", { level: t(levelKey(opponents, name)) }),
    })),
    { value: TYPED, text: t("conquest.new.address") },
  ];
  const choose = (/** @type {Event} */ event) => {
    choice.who = read(event);
    draft.change();
  };
  const drawn = (/** @type {HTMLSelectElement} */ element) => {
    if (element.value !== who) element.value = who;
  };
  return h(
    "li",
    { key: id },
    badgeTree(badge(at + 1)),
    h(
      "select",
      { id, onchange: choose, drawn, "aria-label": t("conquest.new.seat", { n: at + 2 }) },
      options.map(({ value, text }) => h("option", { key: value, value }, text)),
    ),
    who === TYPED &&
      h("input", {
        id: `${id}-address`,
        type: "text",
        value: choice.address,
        placeholder: "0x…",
        spellcheck: "false",
        autocomplete: "off",
        "aria-label": t("conquest.new.address-of", { n: at + 2 }),
        oninput: (/** @type {Event} */ event) => {
          choice.address = read(event).trim();
          draft.change();
        },
      }),
  );
}

/** The preview of the latest map, which is reused while the map stays the same. @type {{key: string, tree: Tree}|null} */
let drawnPreview = null;

/** @param {MatchDraft} state @returns {Tree} */
function preview({ seeds, grain }) {
  const key = `${seeds[grain]} ${grain}`;
  if (drawnPreview?.key === key) return drawnPreview.tree;
  const map = mapOfSeed(seeds[grain], grain);
  const picture = mapPicture({ map: { seed: seeds[grain], grain, graph: map?.graph ?? "0x0000" } });
  const geometry = fit(picture, { width: PREVIEW, height: PREVIEW }, 1);
  const drawing = mapSvg(picture, geometry);
  const [lands, seas] = [landCount(seeds[grain], grain), decodeGraph(map?.graph ?? "0x0000")?.bodies.length ?? 0];
  const tree = h(
    "figure",
    { class: "map-preview", key: "preview" },
    {
      ...drawing,
      props: {
        viewBox: `0 0 ${PREVIEW} ${PREVIEW}`,
        role: "img",
        "aria-label": t("conquest.new.preview", { n: lands, seas }),
      },
    },
    h("figcaption", { class: "hint" }, t("conquest.new.preview", { n: lands, seas })),
  );
  drawnPreview = { key, tree };
  return tree;
}
