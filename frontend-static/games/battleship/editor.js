/**
 * The fleet editor: a sea where the player drags and turns ships, or moves them with the keyboard.
 */

import { columnName, coordinate } from "../../lib/board.js";
import { h } from "../../lib/dom.js";
import { t } from "../../i18n/translate.js";
import { faultText, fleetDraft, shipName } from "./draft.js";
import { HEIGHT, LENGTHS, LETTERS, WIDTH, faultsOf, fits, randomFleet, tilesOf } from "./fleet/fleet.js";
import { dropped, nudged, put, turned } from "./fleet/placement.js";

/** @import { Tree } from "../../lib/dom.js" */
/** @import { Action, RenderContext } from "../../types.js" */
/** @import { FleetDraft } from "./draft.js" */
/** @import { Letter, PlacedShip } from "./fleet/fleet.js" */

/** The size of a tile and the space for the coordinates, in units of the SVG drawing. */
const TILE = 36;
const EDGE = 24;
const CORNER_RADIUS = 12;
/** @type {Record<string, [number, number]>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

const DOUBLE_MS = 400;

/** The dragged ship, and the distance from the ship's first tile to the pointer. @type {{letter: Letter, dx: number, dy: number}|null} */
let drag = null;
/** The last tap with a finger. A second tap on the same ship shortly afterwards turns the ship. @type {{letter: Letter, at: number}|null} */
let tap = null;

/**
 * Return the fleet editor for an action. In the form that opens a match, the editor is unfolded. In
 * the form that accepts a match, it is folded: the board already shows the ships, and the button
 * must stay within reach.
 * @param {RenderContext} context @param {Action} action @param {string} prefix @returns {Tree|null}
 */
export function form(context, { name }, prefix) {
  if (name !== "invite" && name !== "accept") return null;
  const draft = fleetDraft(context);
  const change = (/** @type {PlacedShip[]} */ ships, letter = draft.selected) => {
    Object.assign(draft, { ships, selected: letter });
    context.draft.change();
  };
  const random = h(
    "button",
    { id: `${prefix}-random`, type: "button", onclick: () => change(randomFleet()) },
    t("battleship.editor.random"),
  );
  const turn = h(
    "button",
    { id: `${prefix}-turn`, type: "button", onclick: () => change(turned(draft.ships, draft.selected)) },
    t("battleship.editor.turn", { ship: shipName(draft.selected) }),
  );
  const how = h("p", { class: "hint", id: `${prefix}-keys` }, t("battleship.editor.how"));
  const status = h(
    "p",
    { class: "fleet-said", id: `${prefix}-said`, role: "status", "data-wrong": faultsOf(draft.ships).length > 0 },
    statusText(draft),
  );
  const consent = h(
    "label",
    { class: "field bool", for: `${prefix}-reveal` },
    h("span", null, t("battleship.editor.reveal")),
    h("input", {
      id: `${prefix}-reveal`,
      type: "checkbox",
      checked: draft.reveal,
      onchange: (/** @type {Event} */ e) => {
        draft.reveal = /** @type {HTMLInputElement} */ (e.target).checked;
        context.draft.change();
      },
    }),
  );
  const props = { class: "fleet", key: `${prefix}-fleet` };
  if (name === "invite")
    return h(
      "div",
      props,
      how,
      sea(draft, prefix, change),
      h("div", { class: "fleet-buttons" }, random, turn),
      status,
      consent,
    );
  return h(
    "div",
    props,
    h("p", { id: `${prefix}-first` }, t("battleship.editor.first", { cell: coordinate(draft.first, WIDTH) })),
    random,
    h(
      "details",
      { id: `${prefix}-lay` },
      h("summary", null, t("battleship.editor.own")),
      h("div", { class: "fleet" }, how, sea(draft, prefix, change), turn),
    ),
    status,
    consent,
  );
}

/**
 * Describe the layout's faults. If there are none, describe the place of the ship that the player
 * touched last.
 * @param {FleetDraft} draft
 */
function statusText({ ships, selected }) {
  const faults = faultsOf(ships);
  return faults.length
    ? faults.map(faultText).join(" ")
    : positionText(/** @type {PlacedShip} */ (ships.find(({ letter }) => letter === selected)));
}

/** @param {PlacedShip} ship */
function positionText(ship) {
  const { letter, down, tile } = ship;
  if (!fits(ship)) return faultText({ why: "out", ship: letter });
  const end = tile + (LENGTHS[letter] - 1) * (down ? WIDTH : 1);
  return t("battleship.editor.position", {
    ship: shipName(letter),
    from: coordinate(tile, WIDTH),
    to: coordinate(end, WIDTH),
  });
}

/** @typedef {(ships: PlacedShip[], letter?: Letter) => void} Change */

/** @param {FleetDraft} draft @param {string} prefix @param {Change} change */
function sea(draft, prefix, change) {
  const [width, height] = [WIDTH * TILE, HEIGHT * TILE];
  const wrong = new Set(faultsOf(draft.ships).flatMap(({ ship, other }) => [ship, other]));
  const props = {
    class: "fleet-sea",
    id: `${prefix}-sea`,
    viewBox: `0 0 ${width + EDGE + 2} ${height + EDGE + 2}`,
    role: "group",
    "aria-label": t("battleship.editor.sea"),
  };
  return h(
    "svg",
    props,
    h("rect", { class: "ground", x: EDGE, y: EDGE, width, height, rx: 3 }),
    h("path", { class: "lines", d: rules() }),
    names(),
    LETTERS.map((letter) =>
      shipTree(
        /** @type {PlacedShip} */ (draft.ships.find((ship) => ship.letter === letter)),
        wrong.has(letter),
        draft,
        prefix,
        change,
      ),
    ),
  );
}

function rules() {
  const down = Array.from({ length: WIDTH - 1 }, (_, i) => `M${EDGE + (i + 1) * TILE},${EDGE}v${HEIGHT * TILE}`);
  const across = Array.from({ length: HEIGHT - 1 }, (_, i) => `M${EDGE},${EDGE + (i + 1) * TILE}h${WIDTH * TILE}`);
  return [...down, ...across].join("");
}

function names() {
  const columns = Array.from({ length: WIDTH }, (_, i) =>
    h("text", { key: `c${i}`, class: "edge", x: EDGE + (i + 0.5) * TILE, y: EDGE - 8 }, columnName(i)),
  );
  const rows = Array.from({ length: HEIGHT }, (_, i) =>
    h("text", { key: `r${i}`, class: "edge", x: EDGE / 2, y: EDGE + (i + 0.5) * TILE + 5 }, String(i + 1)),
  );
  return [...columns, ...rows];
}

/** @param {PlacedShip} ship @param {boolean} wrong @param {FleetDraft} draft @param {string} prefix @param {Change} change */
function shipTree(ship, wrong, draft, prefix, change) {
  const { letter, down, tile } = ship;
  const length = LENGTHS[letter] * TILE;
  const corner = { x: EDGE + (tile % WIDTH) * TILE, y: EDGE + Math.floor(tile / WIDTH) * TILE };
  const tiles = tilesOf(ship).map((_, i) =>
    h("circle", {
      class: "port",
      cx: corner.x + (down ? 0.5 : i + 0.5) * TILE,
      cy: corner.y + (down ? i + 0.5 : 0.5) * TILE,
      r: 3,
    }),
  );
  return h(
    "g",
    {
      key: letter,
      id: `${prefix}-ship-${letter}`,
      class: `ship${wrong ? " wrong" : ""}${draft.selected === letter ? " held" : ""}`,
      tabindex: 0,
      role: "button",
      "aria-label": positionText(ship),
      "aria-describedby": `${prefix}-keys`,
      onpointerdown: (/** @type {PointerEvent} */ e) => onDragStart(e, ship, draft, change),
      onpointermove: (/** @type {PointerEvent} */ e) => onDrag(e, draft, change),
      // A finger on a ship moves the ship, and a finger elsewhere scrolls the page. The CSS
      // property `touch-action` can't distinguish these cases inside an SVG.
      ontouchstart: (/** @type {TouchEvent} */ e) => e.preventDefault(),
      // treat the release as a last pointermove event, because a busy browser can skip the real one
      onpointerup: (/** @type {PointerEvent} */ e) => {
        onDrag(e, draft, change);
        onDragEnd(draft, change);
      },
      onpointercancel: () => onDragEnd(draft, change),
      ondblclick: () => change(turned(draft.ships, letter), letter),
      onkeydown: (/** @type {KeyboardEvent} */ e) => onKey(e, letter, draft, prefix, change),
      onfocus: () => {
        if (!drag) draft.lifted = { letter, ships: draft.ships };
      },
    },
    h("rect", {
      class: "hull",
      x: corner.x + 3,
      y: corner.y + 3,
      width: (down ? TILE : length) - 6,
      height: (down ? length : TILE) - 6,
      rx: CORNER_RADIUS,
    }),
    tiles,
  );
}

/**
 * Return the column and row under the pointer. They can be outside the board, because a drag can
 * leave it. @param {PointerEvent} event
 */
function tileUnder(event) {
  const drawing = /** @type {SVGSVGElement} */ (/** @type {Element} */ (event.currentTarget).closest("svg"));
  const box = drawing.getBoundingClientRect();
  const unit = (WIDTH * TILE + EDGE + 2) / box.width;
  return {
    x: Math.floor(((event.clientX - box.left) * unit - EDGE) / TILE),
    y: Math.floor(((event.clientY - box.top) * unit - EDGE) / TILE),
  };
}

/** @param {PointerEvent} event @param {PlacedShip} ship @param {FleetDraft} draft @param {Change} change */
function onDragStart(event, { letter, tile }, draft, change) {
  if (event.button !== 0) return;
  const { x, y } = tileUnder(event);
  drag = { letter, dx: x - (tile % WIDTH), dy: y - Math.floor(tile / WIDTH) };
  /** @type {Element} */ (event.currentTarget).setPointerCapture(event.pointerId);
  const again = event.pointerType === "touch" && tap?.letter === letter && event.timeStamp - tap.at < DOUBLE_MS;
  tap = again || event.pointerType !== "touch" ? null : { letter, at: event.timeStamp };
  change(again ? turned(draft.ships, letter) : draft.ships, letter);
}

/** @param {PointerEvent} event @param {FleetDraft} draft @param {Change} change */
function onDrag(event, draft, change) {
  if (!drag) return;
  const { x, y } = tileUnder(event);
  const { tile } = /** @type {PlacedShip} */ (draft.ships.find(({ letter }) => letter === drag?.letter));
  if (x - drag.dx === tile % WIDTH && y - drag.dy === Math.floor(tile / WIDTH)) return;
  tap = null;
  change(put(draft.ships, drag.letter, x - drag.dx, y - drag.dy), drag.letter);
}

/** @param {FleetDraft} draft @param {Change} change */
function onDragEnd(draft, change) {
  if (!drag) return;
  const { letter } = drag;
  drag = null;
  change(dropped(draft.ships, letter), letter);
}

/** @param {KeyboardEvent} event @param {Letter} letter @param {FleetDraft} draft @param {string} prefix @param {Change} change */
function onKey(event, letter, draft, prefix, change) {
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  const delta = ARROWS[event.key];
  if (delta) change(nudged(draft.ships, letter, ...delta), letter);
  else if (event.key === "r" || event.key === "R") change(turned(draft.ships, letter), letter);
  else if (event.key === "Escape" && draft.lifted) change(draft.lifted.ships, letter);
  else if (event.key === "Enter" || event.key === " ") putDown(letter, draft, prefix, change);
  else return;
  event.preventDefault();
  event.stopPropagation();
}

/** Put a ship down and focus the next ship. If the ship is misplaced, keep the focus on it. @param {Letter} letter @param {FleetDraft} draft @param {string} prefix @param {Change} change */
function putDown(letter, draft, prefix, change) {
  const wrong = faultsOf(draft.ships).some(({ ship, other }) => ship === letter || other === letter);
  change(draft.ships, letter);
  if (!wrong)
    document.getElementById(`${prefix}-ship-${LETTERS[(LETTERS.indexOf(letter) + 1) % LETTERS.length]}`)?.focus();
}
