/** Nim as seen: what games/<slug>.js owes the page (types.js, Renderer). */

import { matchSentences } from "../sentences.js";
import { short, t } from "../words.js";

/** @import { Action, ChainEvent, Json, Order, Phrase, Picture, Seat, Sentence, View } from "../types.js" */

const MOST = 3;

export const words = {
  en: {
    "nim.game.lead": "One heap of stones. Take one, two or three; who takes the last one wins.",
    "nim.whose.open": "Waiting for a second player",
    "nim.whose.playing": "{player} takes next · {stones} {stones|stone|stones} left",
    "nim.whose.over": "The match is over",
    "nim.action.join": "Join",
    "nim.action.resign": "Resign",
    "nim.hint.resign": "The other wins.",
    "nim.why.seated": "You play in this match already.",
    "nim.why.invited": "The other seat is for somebody else.",
    "nim.why.not-playing": "From the second player on.",
    "nim.why.watching": "You do not play in this match.",
    "nim.why.turn": "It is the other's turn.",
    "nim.why.last": "Press one of the last {most} stones: it goes, with those after it.",
    "nim.cell.stone": "{cell}, a stone",
    "nim.cell.empty": "{cell}, empty",
    "nim.feed.Taken": "{player} took {stones}, {left} left",
    "nim.error.BadTake": "Take from 1 to {most}, not {stones}.",
  },
};

/** games/nim.css */
export const styled = true;
/** The action by which an account takes part. */
export const join = "join";
/** Its button wants a second press. */
export const confirmed = ["resign"];

/** The heap, a stone a cell. @param {View} view @returns {Picture} */
export function picture({ board }) {
  const { width = 7, height = 3, stones = 0, ply } = board;
  const pieces = Array.from({ length: stones }, (_, cell) => {
    return { id: `stone-${cell}`, cell, colour: 4, shape: 0, label: "", mine: false, sunk: false, selected: false, pending: false };
  });
  const taken = Array.from({ length: board.last ?? 0 }, (_, i) => ({ cell: stones + i, kind: "taken" }));
  return { width, height, pieces, fields: taken, marks: [], lines: [], stamp: String(ply) };
}

/** Pressing one of the last three stones takes it, and those after it. @param {View} view @param {number} cell @returns {Order} */
export const press = ({ board }, cell) => ({ action: "take", args: { stones: board.stones - cell } });

/** @param {View} view @param {number} cell */
export function describe({ board }, cell) {
  return t(cell < board.stones ? "nim.cell.stone" : "nim.cell.empty", { cell: cell + 1 });
}

/** @param {Json} board @returns {Seat[]} */
export function seats({ players = {} }) {
  const all = Object.entries(players).map(([address, { seat }]) => ({ address, seat, alive: true }));
  return all.sort((a, b) => a.seat - b.seat);
}

/** @param {Json} board @returns {Phrase} */
export function whose({ status, mover, stones }) {
  if (status === "playing") return { key: "nim.whose.playing", args: { player: short(mover), stones } };
  return { key: status === "open" ? "nim.whose.open" : "nim.whose.over" };
}

/** What has a button; a press on the board needs none. @param {View} view @param {Action} action */
export function shown({ board, me }, { name }) {
  const plays = Boolean(board.players[me]);
  return name === "join" ? board.status === "open" && !plays : name === "resign" && board.status === "playing" && plays;
}

/** Why the contract would refuse: its own checks, in its own order. @param {View} view @param {Action} action @param {Json} given @returns {Phrase|null} */
export function why(view, { name }, given = {}) {
  const { board, me, pending } = view;
  if (name === "create") return null;
  if (pending.some((tx) => tx.action === name && tx.account === me)) return { key: "why.on-its-way" };
  if (name === "join") {
    if (board.players[me]) return { key: "nim.why.seated" };
    return board.opponent && board.opponent !== me ? { key: "nim.why.invited" } : null;
  }
  if (board.status !== "playing") return { key: "nim.why.not-playing" };
  if (name === "claimTimeout") return null;
  if (!board.players[me]) return { key: "nim.why.watching" };
  if (name === "resign") return null;
  if (board.mover !== me) return { key: "nim.why.turn" };
  const most = Math.min(MOST, board.stones);
  return given.stones >= 1 && given.stones <= most ? null : { key: "nim.why.last", args: { most } };
}

/** What the player does not type: the move that this one answers. @param {View} view */
export const args = ({ board }) => ({ ply: board.ply });

/** @param {ChainEvent} event @returns {Sentence[]} */
export function sentences(event) {
  if (event.name !== "Taken") return matchSentences("nim", event);
  const { by, stones, left } = event.args;
  return [{ text: t("nim.feed.Taken", { player: short(by), stones, left }), tone: "plain" }];
}
