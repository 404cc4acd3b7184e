/**
 * Converts the index's board and the contract's view of a match to the same form, so that the page
 * can compare them. indexer/games/conquest_view.py does the same.
 */

import { NOBODY, REASONS, bits, pick, statusOf } from "../shared/contract-view.js";

/** @import { Json } from "../../types.js" */

/** The contract's value for "no seat" and "no land". */
const NONE = 255;
const PHASES = ["reinforcement", "action", "move", "capital"];
const DRAWS = ["none", "first", "turn", "battle", "collect"];
const STARTED = ["playing", "finished"];
const SHARED = ["ply", "trail", "clock", "deadline"];
const OF_SEATS = ["alive", "capitals", "heroes", "hadHero", "stored", "forced", "soldiers", "first"];

/**
 * Convert the contract's view of a match. The result names no winner, because the winner is the
 * only player who is still alive.
 * @param {Json} contractView @returns {Json}
 */
export function fromContract(contractView) {
  const status = statusOf(contractView);
  const started = STARTED.includes(status);
  return {
    ...pick(contractView, [...SHARED, "seats", "players", "invited"]),
    status,
    reason: REASONS[contractView.reason],
    ...(started && {
      ...pick(contractView, OF_SEATS),
      owned: contractView.owned.map(String),
      ports: String(contractView.ports),
      items: contractView.items.map((/** @type {Json} */ one) => pick(one, ["land", "fat", "turns"])),
    }),
    ...(status === "playing" && {
      ...pick(contractView, ["mover", "drawBlock", "attacked", "built", "pairs"]),
      phase: PHASES[contractView.phase],
      draw: DRAWS[contractView.draw],
      used: bits(contractView.used).map((bit) => bit + 1),
    }),
  };
}

/** @param {Json} board @returns {Json} */
export function fromBoard(board) {
  const count = board.seatCount;
  const bySeat = new Map(Object.entries(board.players).map(([address, { seat }]) => [seat, address]));
  const seats = Array.from({ length: count }, (_, seat) => seat);
  return {
    ...pick(board, [...SHARED, "status"]),
    seats: count,
    players: seats.map((seat) => bySeat.get(seat) ?? NOBODY),
    invited: seats.map((seat) => board.invited?.[seat] ?? NOBODY),
    reason: board.reason ?? REASONS[0],
    ...(STARTED.includes(board.status) && { ...seatFields(board), ...landFields(board), first: board.first ?? NONE }),
    ...(board.status === "playing" && turnFields(board)),
  };
}

/** @param {Json} board */
const turnFields = (board) => ({
  mover: board.mover ? board.players[board.mover].seat : NONE,
  phase: board.phase,
  draw: board.draw?.kind ?? DRAWS[0],
  drawBlock: board.draw?.block ?? 0,
  used: board.used ?? [],
  attacked: board.attacked ?? false,
  built: board.built ?? false,
  pairs: `0x${openLands(board)
    .map((land) => land.toString(16).padStart(2, "0"))
    .join("")}`,
});

/** Return the lands on which the open random draw can have an effect. @param {Json} board @returns {number[]} */
const openLands = ({ collecting, attacks = [] }) => (collecting === undefined ? attacks.flat() : [collecting]);

/** @param {Json} board */
function seatFields(board) {
  const seats = Array.from({ length: board.seatCount }, (_, seat) => board.seats[seat]);
  const mask = (/** @type {string} */ key) =>
    seats.reduce((sum, seat, number) => sum | (Number(Boolean(seat[key])) << number), 0);
  return {
    ...{ alive: mask("alive"), hadHero: mask("hadHero") },
    capitals: seats.map(({ capital = NONE }) => capital),
    heroes: seats.map(({ hero = NONE }) => hero),
    stored: seats.map(({ item = 0 }) => item),
    forced: seats.map(({ forced = 0 }) => forced),
  };
}

/**
 * Return the state of the lands. Each set of lands is a bit mask as decimal text, because a
 * JavaScript number can't represent that many bits exactly.
 * @param {Json} board
 */
function landFields(board) {
  const lands = Array.from({ length: board.map.lands }, (_, land) => board.lands[land]);
  const mask = (/** @type {(land: Json) => boolean} */ fits) =>
    String(lands.reduce((sum, land, number) => (fits(land) ? sum | (1n << BigInt(number)) : sum), 0n));
  return {
    owned: Array.from({ length: board.seatCount }, (_, seat) => mask(({ owner }) => owner === seat)),
    ports: mask(({ port }) => Boolean(port)),
    soldiers: lands.map(({ soldiers }) => soldiers),
    items: lands.flatMap(({ item }, land) => (item ? [{ land, ...item }] : [])),
  };
}
