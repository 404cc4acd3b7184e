/** Draws a board, and describes its cells in words. This module has no side effects. */

import { coordinate } from "../../lib/board.js";
import { t } from "../../i18n/translate.js";
import { nameOf } from "../../names/names.js";
import { cellOf, firedBits, shipOf } from "./ships.js";
import { knownFields, shipsWithMaps, showsOwnView } from "./sea-view.js";

/** @import { I18nText, Json, Mark, Picture, Piece, RenderContext } from "../../types.js" */
/** @import { Ship } from "./ships.js" */

/** The minimum number of turns between two changes of a ship's position, as in ToucheCoule.sol. */
const REST = 5;

/** @param {RenderContext} context @returns {Picture} */
export function picture(context) {
  const { board } = context;
  const ships = Object.entries(board.ships ?? {}).map(([number, ship]) => piece(context, Number(number), ship));
  const volley = volleyOf(board);
  return {
    width: board.width ?? 12,
    height: board.height ?? 12,
    surface: "sea",
    pieces: ships
      .filter(({ mine, sunk }) => mine || sunk || !showsOwnView(context))
      .sort((a, b) => Number(b.sunk) - Number(a.sunk)),
    fields: fieldsOf(context),
    marks: volley.map(({ ship, cell, hit }) => ({
      ...{ cell, from: hasShotLine(context, ship) ? cellOf(board, board.ships[ship]) : undefined },
      ...(hit ? { kind: "hit", shape: "burst" } : { kind: "miss" }),
    })),
    lines: volley
      .filter(({ ship }) => hasShotLine(context, ship) && (volley.length <= 6 || ship === context.selected))
      .map(({ ship, cell, hit }) => {
        return { from: cellOf(board, board.ships[ship]), to: cell, kind: hit ? "hit" : "miss" };
      }),
    stamp: String(board.volley?.turn ?? ""),
  };
}

/** @param {RenderContext} context @param {number} number @param {Ship} ship @returns {Piece} */
function piece({ board, ownAccounts, selected, pending }, number, ship) {
  const seat = board.players[ship.owner]?.seat ?? 0;
  const sails = pending.some(
    (tx) => tx.action === "changePosition" && tx.account === ship.owner && ship.ready <= board.ply,
  );
  const fires = pending.some((tx) => tx.action === "turn") && board.ply > 0;
  const talks = pending.some((tx) => tx.action === "communicate" && tx.account === ship.owner);
  return {
    id: `ship-${number}`,
    cell: cellOf(board, ship),
    colour: seat % 8,
    shape: seat % 6,
    label: String(number),
    mine: ownAccounts.has(ship.owner),
    sunk: !ship.afloat,
    selected: selected === number,
    pending: ship.afloat && (sails || fires || talks),
  };
}

/**
 * Return true if the ship has moved since its last shot. The board doesn't record the cell from
 * which a ship fired, so a line to the target would start at the wrong cell.
 * @param {Json} board @param {Ship} ship
 */
const hasMoved = (board, ship) => board.ply > 0 && ship.ready === board.ply + REST;

/**
 * Return true if the picture has a line from a ship to its target. A ship that has moved since its
 * shot has no line. In the view that shows only what the player's own ships know, the ships of
 * other players have no line either.
 * @param {RenderContext} context @param {number} number
 */
function hasShotLine(context, number) {
  const { board, ownAccounts } = context;
  const ship = board.ships[number];
  return !hasMoved(board, ship) && (ownAccounts.has(ship.owner) || !showsOwnView(context));
}

/** @param {Json} board */
function volleyOf(board) {
  const sunk = new Set(
    (board.volley?.sunk ?? []).map((/** @type {number} */ ship) => cellOf(board, board.ships[ship])),
  );
  return Object.entries(board.volley?.shots ?? {}).map(([ship, cell]) => ({
    ship: Number(ship),
    cell,
    hit: sunk.has(cell),
  }));
}

/**
 * Return fields for the cells that the chosen ship knows. If no ship is chosen and the view shows
 * only what the player's own ships know, return fields for the cells that any of these ships knows.
 * If no ship is chosen in the view of the real sea, return none.
 * @param {RenderContext} context @returns {Mark[]}
 */
function fieldsOf(context) {
  const { board, selected } = context;
  const ship = selected ? shipOf(board, selected) : undefined;
  if (ship) return ship.captain ? [] : knownFields(board, [selected]);
  return showsOwnView(context) ? knownFields(board, shipsWithMaps(context)) : [];
}

/** @param {RenderContext} context @returns {I18nText[]} */
export function legend({ board, selected }) {
  const ship = shipOf(board, selected);
  return ship && !ship.captain
    ? ["own", "fired", "ally", "unknown"].map((code) => ({ key: `touche-coule.code.${code}` }))
    : [];
}

/**
 * Return the number of the player's own ship that a click on a cell selects, or 0 if the click
 * selects none. A click on the selected ship deselects it.
 * @param {RenderContext} context @param {number} cell
 */
export function select({ board, ownAccounts, selected }, cell) {
  const found = Object.entries(board.ships ?? {}).find(
    ([, ship]) => ship.afloat && cellOf(board, ship) === cell && ownAccounts.has(ship.owner),
  );
  return found && Number(found[0]) !== selected ? Number(found[0]) : 0;
}

/** @param {RenderContext} context @param {number} cell */
export function describe({ board, ownAccounts, selected }, cell) {
  const here = Object.entries(board.ships ?? {}).filter(([, ship]) => cellOf(board, ship) === cell);
  const words = here.map(([number, ship]) => {
    if (!ship.afloat) return t("touche-coule.unit.out", { unit: number });
    return t(ownAccounts.has(ship.owner) ? "touche-coule.unit.mine" : "touche-coule.unit.other", {
      unit: number,
      owner: nameOf(ship.owner),
    });
  });
  if (volleyOf(board).some((shot) => shot.cell === cell)) words.push(t("touche-coule.cell.shot"));
  const chosen = shipOf(board, selected);
  if (chosen && !chosen.captain && (firedBits(chosen) >> BigInt(cell)) & 1n) words.push(t("touche-coule.cell.fired"));
  const name = coordinate(cell, board.width ?? 12);
  return words.length
    ? t("touche-coule.cell.holds", { cell: name, what: words.join(", ") })
    : t("touche-coule.cell.empty", { cell: name });
}
