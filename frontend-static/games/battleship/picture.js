/**
 * Draws the two seas, and describes their tiles in words. The functions read the fleets stored in
 * this browser. Only `press` has a side effect: it changes the draft.
 */

import { coordinate } from "../../lib/board.js";
import { plays } from "../shared/duel.js";
import { t } from "../../i18n/translate.js";
import { nameOf } from "../../names/names.js";
import { fleetOf } from "./answers.js";
import { fleetDraft, shipName } from "./draft.js";
import { HEIGHT, TILES, WIDTH, fits, shipAt, tilesOf } from "./fleet/fleet.js";
import { sunkBy, sunkOf } from "./fleet/sunk.js";
import { falseAnswers, mayAccept, owners, pendingAt, revealedShips, shotsAt, unanswered, viewer } from "./shots.js";

/** @import { Json, Line, Mark, Move, Picture, RenderContext } from "../../types.js" */
/** @import { PlacedShip } from "./fleet/fleet.js" */
/** @import { Sunk } from "./fleet/sunk.js" */
/** @import { Answer } from "./shots.js" */

/** @typedef {{owner: string, ships: PlacedShip[], kind: "mine"|"revealed"|"draft"|"outline", first: number}} Sea The visible part of a sea. `first`: the tile that the player chose for the first shot, or -1 if there is none. */

/** Return true while the page shows a draft or a sealed fleet, which only its owner may see. @param {RenderContext} context */
export const hasSecret = (context) =>
  mayAccept(context) ||
  (plays(context.board, context.me) &&
    Boolean(fleetOf(context.board, context.me)) &&
    !revealedShips(context.board, context.me) &&
    ["open", "playing"].includes(context.board.status));

/**
 * Return the left and the right sea. If the player views an earlier event, also show the ships that
 * were revealed after that event.
 * @param {RenderContext} context @returns {Sea[]}
 */
export function seas(context) {
  return owners(context).map((owner, side) => {
    const revealed = revealedShips(context.board, owner);
    if (revealed) return { owner, ships: revealed, kind: "revealed", first: -1 };
    if (mayAccept(context))
      return {
        owner,
        ships: side ? [] : fleetDraft(context).ships,
        kind: "draft",
        first: side ? fleetDraft(context).first : -1,
      };
    const own = owner && owner === context.me ? fleetOf(context.board, owner)?.placedShips : undefined;
    const later = context.latestBoard ? revealedShips(context.latestBoard, owner) : null;
    return own || !later
      ? { owner, ships: own ?? [], kind: "mine", first: -1 }
      : { owner, ships: later, kind: owner === context.me ? "mine" : "outline", first: -1 };
  });
}

/**
 * Return the sunk ships in a sea. On the owner's own sea, a pending shot counts, because the owner
 * knows whether it hits.
 * @param {Json} board @param {Sea} sea @param {number} [except] a tile; the function ignores the shot at this tile @returns {Sunk}
 */
export function sunkIn(board, { owner, ships, kind }, except = -1) {
  /** @type {[number, Answer][]} */
  const answers = shotsAt(board, owner).filter(([tile]) => tile !== except);
  if (!ships.length) return sunkBy(answers);
  const hits = answers.flatMap(([tile, answer]) => (answer === "hit" ? [tile] : []));
  const pending = pendingAt(board, owner);
  return sunkOf(ships.filter(fits), kind === "mine" && pending !== except ? [...hits, pending] : hits);
}

/** @param {RenderContext} context @returns {Picture} */
export function picture(context) {
  const parts = seas(context).map((sea, side) => part(context, sea, side));
  return {
    width: WIDTH,
    height: HEIGHT,
    pieces: [],
    fields: [],
    marks: [],
    lines: [],
    stamp: String(context.board.ply ?? 0),
    parts,
  };
}

/** @param {RenderContext} context @param {Sea} sea @param {number} side @returns {Picture} */
function part(context, sea, side) {
  const { owner, ships, kind, first } = sea;
  const { board } = context;
  const waits = pendingAt(board, owner);
  const never = unansweredAt(context, owner);
  /** @type {Mark[]} */
  const answers = shotsAt(board, owner).map(([tile, answer]) =>
    answer === "hit" ? { cell: tile, kind: "hit", shape: "burst" } : { cell: tile, kind: "miss" },
  );
  const false_ = falseAnswers(board, owner).map(([cell]) => ({ cell, kind: "false" }));
  const target =
    never >= 0
      ? [{ cell: never, kind: "unanswered" }]
      : waits >= 0
        ? [{ cell: waits, kind: "asked" }]
        : first >= 0
          ? [{ cell: first, kind: "aim" }]
          : [];
  return {
    width: WIDTH,
    height: HEIGHT,
    surface: "sea",
    title: titleOf(context, owner, side),
    pieces: [],
    stamp: "",
    fields: [...false_, ...(waits >= 0 ? [{ cell: waits, kind: "last" }] : [])],
    marks: [...answers, ...false_.map((mark) => ({ ...mark, shape: "cross" })), ...target],
    lines: [
      ...ships.filter(fits).map((ship) => hull(ship, kind)),
      ...sunkIn(board, sea).ships.map((ship) => ({ ...hull(ship, "outline"), kind: "sunk", over: true })),
    ].filter((line, i, all) => i === all.findIndex((one) => lineKey(one) === lineKey(line))),
  };
}

/** @param {RenderContext} context @param {string} owner the sea's owner @returns {number} the tile of the shot that was never answered, or -1 if there is none */
function unansweredAt(context, owner) {
  const shot = unanswered(context);
  return owner && shot && shot.by !== owner ? shot.tile : -1;
}

/** @param {PlacedShip} ship @param {string} kind @returns {Line} */
const hull = (ship, kind) => ({
  from: ship.tile,
  to: Number(tilesOf(ship).at(-1)),
  kind,
  ...(kind === "outline" ? { hollow: true } : { hull: true }),
});

/** @param {Line} line */
const lineKey = ({ from, to, kind }) => `${from} ${to} ${kind}`;

/** @param {string} me @param {string} owner @param {number} side @returns {"mine"|"nobody"|"enemy"|"empty"} `nobody`: the sea of an opponent who hasn't joined. `empty`: a sea without an owner, if the viewer only watches */
const whoseSea = (me, owner, side) =>
  me && (owner === me || (!side && !owner)) ? "mine" : owner ? "enemy" : me ? "nobody" : "empty";

/** Return the title of a sea. On the player's turn, the title of the enemy's sea is highlighted. @param {RenderContext} context @param {string} owner @param {number} side */
function titleOf(context, owner, side) {
  const { board, me } = context;
  const title = t(`battleship.sea.${whoseSea(viewer(context), owner, side)}`, { name: nameOf(owner) });
  return side && board.status === "playing" && board.mover === me ? t("battleship.sea.fire", { title }) : title;
}

/** Return a phrase such as "in your sea", for use inside a sentence. @param {string} me @param {string} owner @param {number} side */
function inSea(me, owner, side) {
  const whose = whoseSea(me, owner, side);
  return t(whose === "enemy" ? "battleship.sea.in" : `battleship.sea.in-${whose}`, { name: nameOf(owner) });
}

/**
 * Return the sea and the tile for a cell number. Cells are numbered across both seas, the left sea
 * first. @param {number} cell
 */
const seaAndTileOf = (cell) => ({ side: Math.floor(cell / TILES), tile: cell % TILES });

/** @param {RenderContext} context @param {number} cell */
export function describe(context, cell) {
  const { side, tile } = seaAndTileOf(cell);
  const { board } = context;
  const sea = seas(context)[side];
  const answer = shotsAt(board, sea.owner).find(([at]) => at === tile)?.[1];
  const ship = shipAt(sea.ships, tile);
  const what = [];
  if (ship) what.push(shipName(ship));
  if (answer) what.push(t(`battleship.tile.${answer}`));
  if (sunkIn(board, sea).ships.some((one) => tilesOf(one).includes(tile))) what.push(t("battleship.tile.sunk"));
  if (falseAnswers(board, sea.owner).some(([at]) => at === tile)) what.push(t("battleship.tile.false"));
  if (pendingAt(board, sea.owner) === tile) what.push(t("battleship.tile.asked"));
  if (unansweredAt(context, sea.owner) === tile) what.push(t("battleship.tile.unanswered"));
  if (sea.first === tile) what.push(t("battleship.tile.aim"));
  if (!what.length) what.push(t(sea.ships.length ? "battleship.tile.water" : "battleship.tile.unknown"));
  return t("battleship.tile.says", {
    cell: coordinate(tile, WIDTH),
    sea: inSea(viewer(context), sea.owner, side),
    what: what.join(", "),
  });
}

/**
 * Fire at a tile in the enemy's sea. Before the match begins, only store the tile as the first
 * shot.
 * @param {RenderContext} context @param {number} cell @returns {Move|null}
 */
export function press(context, cell) {
  const { side, tile } = seaAndTileOf(cell);
  if (side === 0 || tile < 0) return null;
  if (mayAccept(context)) {
    fleetDraft(context).first = tile;
    context.draft.change();
    return null;
  }
  const { board, me } = context;
  return board.status === "playing" && board.phase === "shots" && plays(board, me)
    ? { action: "move", args: { tile } }
    : null;
}
