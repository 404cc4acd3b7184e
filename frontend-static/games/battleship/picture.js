/** The two seas as they are drawn and described. Pure but for the fleets that this browser keeps. */

import { coordinate } from "../../lib/board.js";
import { plays } from "../shared/duel.js";
import { shortHex, t } from "../../i18n/translate.js";
import { fleetOf } from "./answers.js";
import { boatName, draft } from "./draft.js";
import { HEIGHT, TILES, WIDTH, boatAt, fits, tilesOf } from "./fleet/fleet.js";
import { lies, looking, mayAccept, owners, pendingAt, revealedBoats, shotsAt, unanswered } from "./shots.js";

/** @import { Line, Mark, Order, Picture, View } from "../../types.js" */
/** @import { Boat } from "./fleet/fleet.js" */

/** @typedef {{owner: string, boats: Boat[], kind: "mine"|"revealed"|"draft"|"outline", first: number}} Sea A sea as it may be seen; `first`: the first shot that is being chosen, or -1. */

/** A fleet that is sealed or being laid is for its owner alone. @param {View} view */
export const secret = (view) => mayAccept(view) || (plays(view.board, view.me) && Boolean(fleetOf(view.board, view.me)) && !revealedBoats(view.board, view.me) && ["open", "playing"].includes(view.board.status));

/** The seas, left and right. Looking back one knows what was revealed later. @param {View} view @returns {Sea[]} */
function seas(view) {
  return owners(view).map((owner, side) => {
    const shown = revealedBoats(view.board, owner);
    if (shown) return { owner, boats: shown, kind: "revealed", first: -1 };
    if (mayAccept(view)) return { owner, boats: side ? [] : draft(view).boats, kind: "draft", first: side ? draft(view).first : -1 };
    const own = owner && owner === view.me ? fleetOf(view.board, owner)?.boats : undefined;
    const later = view.later ? revealedBoats(view.later, owner) : null;
    return own || !later ? { owner, boats: own ?? [], kind: "mine", first: -1 } : { owner, boats: later, kind: "outline", first: -1 };
  });
}

/** @param {View} view @returns {Picture} */
export function picture(view) {
  const parts = seas(view).map((sea, side) => part(view, sea, side));
  return { width: WIDTH, height: HEIGHT, pieces: [], fields: [], marks: [], lines: [], stamp: String(view.board.ply ?? 0), parts };
}

/** @param {View} view @param {Sea} sea @param {number} side @returns {Picture} */
function part(view, { owner, boats, kind, first }, side) {
  const { board } = view;
  const waits = pendingAt(board, owner);
  const never = unansweredAt(view, owner);
  /** @type {Mark[]} */
  const answers = shotsAt(board, owner).map(([tile, answer]) => (answer === "hit" ? { cell: tile, kind: "hit", shape: "burst" } : { cell: tile, kind: "miss", shape: "dot" }));
  const false_ = lies(board, owner).map(([cell]) => ({ cell, kind: "false" }));
  const target = never >= 0 ? [{ cell: never, kind: "unanswered" }] : waits >= 0 ? [{ cell: waits, kind: "asked" }] : first >= 0 ? [{ cell: first, kind: "aim" }] : [];
  return {
    width: WIDTH, height: HEIGHT, title: titleOf(view, owner, side), pieces: [], stamp: "",
    fields: [...false_, ...(waits >= 0 ? [{ cell: waits, kind: "last" }] : [])],
    marks: [...answers, ...false_.map((mark) => ({ ...mark, shape: "cross" })), ...target],
    lines: boats.filter(fits).map((boat) => hull(boat, kind)).filter(({ from, to }, i, all) => i === all.findIndex((line) => line.from === from && line.to === to)),
  };
}

/** @param {View} view @param {string} owner of the sea @returns {number} -1 for none */
function unansweredAt(view, owner) {
  const shot = unanswered(view);
  return owner && shot && shot.by !== owner ? shot.tile : -1;
}

/** @param {Boat} boat @param {string} kind @returns {Line} */
const hull = (boat, kind) => ({ from: boat.tile, to: Number(tilesOf(boat).at(-1)), kind, ...(kind === "outline" ? { hollow: true } : {}) });

/** Whose sea it is. @param {string} me @param {string} owner @param {number} side @returns {"mine"|"nobody"|"enemy"|"empty"} `empty`: for who looks on nobody is the enemy */
const whoseSea = (me, owner, side) => (me && (owner === me || (!side && !owner)) ? "mine" : owner ? "enemy" : me ? "nobody" : "empty");

/** The title, and that it is one's turn where one fires. @param {View} view @param {string} owner @param {number} side */
function titleOf(view, owner, side) {
  const { board, me } = view;
  const title = t(`battleship.sea.${whoseSea(looking(view), owner, side)}`, { name: shortHex(owner) });
  return side && board.status === "playing" && board.mover === me ? t("battleship.sea.fire", { title }) : title;
}

/** The sea in a sentence. @param {string} me @param {string} owner @param {number} side */
function inSea(me, owner, side) {
  const whose = whoseSea(me, owner, side);
  return t(whose === "enemy" ? "battleship.sea.in" : `battleship.sea.in-${whose}`, { name: shortHex(owner) });
}

/** The sea and the tile of a cell. @param {number} cell */
const placeOf = (cell) => ({ side: Math.floor(cell / TILES), tile: cell % TILES });

/** A cell in words. @param {View} view @param {number} cell */
export function describe(view, cell) {
  const { side, tile } = placeOf(cell);
  const { board } = view;
  const sea = seas(view)[side];
  const answer = shotsAt(board, sea.owner).find(([at]) => at === tile)?.[1];
  const boat = boatAt(sea.boats, tile);
  const what = [];
  if (boat) what.push(boatName(boat));
  if (answer) what.push(t(`battleship.tile.${answer}`));
  if (lies(board, sea.owner).some(([at]) => at === tile)) what.push(t("battleship.tile.false"));
  if (pendingAt(board, sea.owner) === tile) what.push(t("battleship.tile.asked"));
  if (unansweredAt(view, sea.owner) === tile) what.push(t("battleship.tile.unanswered"));
  if (sea.first === tile) what.push(t("battleship.tile.aim"));
  if (!what.length) what.push(t(sea.boats.length ? "battleship.tile.water" : "battleship.tile.unknown"));
  return t("battleship.tile.says", { cell: coordinate(tile, WIDTH), sea: inSea(looking(view), sea.owner, side), what: what.join(", ") });
}

/** A shot: a tile of the enemy's sea; before the match begins it is only chosen. @param {View} view @param {number} cell @returns {Order|null} */
export function press(view, cell) {
  const { side, tile } = placeOf(cell);
  if (side === 0 || tile < 0) return null;
  if (mayAccept(view)) {
    draft(view).first = tile;
    view.desk.change();
    return null;
  }
  const { board, me } = view;
  return board.status === "playing" && board.phase === "shots" && plays(board, me) ? { action: "move", args: { tile } } : null;
}

