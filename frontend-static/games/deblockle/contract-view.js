/**
 * Converts the index's board and the contract's view of a match to the same form, so that the page
 * can compare them. from_board and from_contract in indexer/games/deblockle.py do the same.
 */

import { NOBODY, bits, duelFromBoard, duelFromContract, pick, seatsOf, statusOf } from "../shared/contract-view.js";
import { SIDE, cellOf } from "./cubes.js";

/** @import { Json } from "../../types.js" */

/** The rule sets, in the order of their numbers in the contract. */
export const RULESETS = ["near", "board"];
const PHASES = ["roll", "hop", "end"];
const NO_CUBE = 255;
const CUBES = 4;
const PLAYERS = 2;
/** The steps from a cell to its four neighbours: forward, right, backward and left. */
const STEPS = [-SIDE, 1, SIDE, -1];

/** @param {Json} contractView @returns {Json} */
export function fromContract(contractView) {
  const { players, left } = contractView;
  const playing = statusOf(contractView) === "playing";
  const cubes = Object.fromEntries(
    left.map((/** @type {Json} */ one) => [
      String(one.id),
      { cell: cellOf(one.x, one.y), ...pick(one, ["up", "front", "right"]) },
    ]),
  );
  return {
    ...duelFromContract(contractView, players),
    setup: contractView.cubes,
    ruleset: RULESETS[contractView.ruleset],
    phase: playing ? PHASES[contractView.phase] : null,
    cubes,
    moves: playing ? movesOf(contractView, cubes) : {},
    ...pick(contractView, ["passes", "quiet", "token", "streamed"]),
    stake: String(contractView.stake),
    rate: String(contractView.rate),
    withdrawn: contractView.withdrawn.map(String),
  };
}

/** Return the cells that each cube can reach with one roll or one hop. @param {Json} contractView @param {Json} cubes @returns {Json} */
function movesOf({ players, mover, hopper, hops, rolls }, cubes) {
  if (hopper !== NO_CUBE) return { [hopper]: bits(hops) };
  /** @type {Record<string, number[]>} */
  const found = {};
  for (const bit of bits(rolls)) {
    const cube = String(CUBES * players.indexOf(mover) + Math.floor(bit / STEPS.length));
    found[cube] = [...(found[cube] ?? []), cubes[cube].cell + STEPS[bit % STEPS.length]].sort((a, b) => a - b);
  }
  return found;
}

/** @param {Json} board @returns {Json} */
export function fromBoard(board) {
  const players = seatsOf(board).map((address) => board.players[address]);
  const missing = PLAYERS - players.length;
  return {
    ...duelFromBoard(board),
    ...pick(board, ["setup", "ruleset", "moves", "passes", "quiet", "stake", "rate"]),
    phase: board.phase ?? null,
    cubes: Object.fromEntries(
      Object.entries(board.cubes).map(([id, cube]) => [id, pick(cube, ["cell", "up", "front", "right"])]),
    ),
    token: board.token ?? NOBODY,
    streamed: [...players.map(({ streamed }) => streamed), ...Array(missing).fill(0)],
    withdrawn: [...players.map((player) => player.withdrawn), ...Array(missing).fill("0")],
  };
}
