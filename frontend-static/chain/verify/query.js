/** What the contract itself says of a match at a block, from whoever is asked; like is compared only with like. */

import { codeHash, holderOf, recall } from "./known-contracts.js";
import { has, question, read, unequal } from "./decode.js";
import { NodeRefusal } from "../../server/jsonrpc.js";

/** @import { Asked } from "./sources.js" */
/** @import { Place } from "./decode.js" */
/** @import { Block, GameInfo, Json, Phrase, Renderer } from "../../types.js" */
/** @typedef {{seq: number, board: Json, block: Block, settled?: boolean, past?: boolean}} Moment A board after event `seq`, which came in
 *   `block`. `settled: false`: more events of the match follow in that block. `past`: the match has gone on. */
/** @typedef {{state: "asking"|"same"|"counted"|"differs"|"untold", height: number, places: Place[], why?: Phrase, contract?: string, moved?: boolean, at: number}} Verdict
 *   `counted`: of this game only the number of events can be compared. `moved`: the contract is another than it was. `at`: milliseconds since 1970. */
/** @typedef {{chain: string, game: GameInfo, renderer: Renderer|undefined, match: string, moment: Moment}} Case */

const COUNT = "seqOf";
const BOARD = "board";
const REVERTED = 3;
const hex = (/** @type {number} */ height) => `0x${height.toString(16)}`;

/** What can't be told now, and why. */
export class Untold extends Error {
  /** @param {string} key @param {Json} [args] */
  constructor(key, args) {
    super(key);
    /** @type {Phrase} */
    this.why = { key, args };
  }
}

/** The chain is on another block than the page. */
export class Forked extends Untold {}

/** @param {Asked} asked @param {Case} of @returns {Promise<Verdict>} Throws Untold, NodeLost or NodeRefusal. */
export async function hear(asked, { chain, game, renderer, match, moment }) {
  const id = match.split("/")[1];
  const contract = holderOf(game, Number(id));
  const base = { height: moment.block.height, contract, places: [], at: Date.now() };
  if (moment.settled === false) throw new Untold("checked.between", { height: moment.block.height });
  const code = await codeHash(asked, chain, contract);
  if (!code) return { ...base, state: "differs", why: { key: "checked.no-contract", args: { address: contract } } };
  const was = recall(chain, match, { address: contract, code });
  if (was.address !== contract || was.code !== code) return { ...base, state: "differs", moved: true, why: { key: was.address === contract ? "checked.other-code" : "checked.other-contract", args: { was: was.address, now: contract } } };
  const compares = Boolean(renderer?.viewed && renderer.told && has(game.abi, BOARD));
  const answers = await testify(asked, contract, game.abi, compares ? [COUNT, BOARD] : [COUNT], id, moment);
  if (!answers) return { ...base, state: "differs", why: { key: "checked.no-match" } };
  const places = compare(game.abi, answers, moment, compares ? renderer : undefined);
  return { ...base, places, state: places.length ? "differs" : compares ? "same" : "counted" };
}

/** @param {any[]} abi @param {string[]} answers @param {Moment} moment @param {Renderer|undefined} renderer @returns {Place[]} */
function compare(abi, [count, board], { seq, board: shown }, renderer) {
  const counted = read(abi, COUNT, count);
  if (counted !== seq) return [{ place: "seq", shown: seq, real: counted }];
  return renderer?.viewed && renderer.told ? unequal(renderer.told(shown), renderer.viewed(read(abi, BOARD, board))) : [];
}

/** The contract's answers as of the moment's block; null: it says that there is no such match. @param {Asked} asked @param {string} to @param {any[]} abi @param {string[]} names @param {string} id @param {Moment} moment @returns {Promise<string[]|null>} */
async function testify(asked, to, abi, names, id, moment) {
  const { hash, height } = moment.block;
  const ask = (/** @type {any} */ at) => Promise.all(names.map((name) => asked.request("eth_call", [{ to, data: question(abi, name, id) }, at])));
  try {
    return await told(ask({ blockHash: hash, requireCanonical: true }));
  } catch (error) {
    if (!(error instanceof NodeRefusal)) throw error; // else the node does not know this block, or no block by its hash
  }
  await onThisBlock(asked, moment.block);
  try {
    const answers = await told(ask(hex(height)));
    await onThisBlock(asked, moment.block);
    return answers;
  } catch (error) {
    if (!(error instanceof NodeRefusal)) throw error; // else it has no state of that block any more
  }
  const answers = await told(ask("latest"));
  if (!answers || read(abi, COUNT, answers[0]) !== moment.seq) throw new Untold("checked.pruned", { height });
  const [again] = await ask("latest");
  if (read(abi, COUNT, again) !== moment.seq) throw new Untold("checked.pruned", { height });
  return answers;
}

/** @param {Promise<string[]>} answers */
const told = (answers) => answers.catch((error) => {
  if (error instanceof NodeRefusal && (error.code === REVERTED || /revert/i.test(error.message))) return null;
  throw error;
});

/** @param {Asked} asked @param {Block} block */
async function onThisBlock(asked, { height, hash }) {
  const found = await asked.request("eth_getBlockByNumber", [hex(height), false]);
  if (!found) throw new Untold("checked.not-there", { height });
  if (found.hash !== hash) throw new Forked("checked.other-block", { height, shown: hash.slice(0, 10), real: String(found.hash).slice(0, 10) });
}

/** How many events the match has now. @param {Asked} asked @param {GameInfo} game @param {string} match @returns {Promise<number>} */
export async function countNow(asked, game, match) {
  const id = match.split("/")[1];
  return read(game.abi, COUNT, await asked.request("eth_call", [{ to: holderOf(game, Number(id)), data: question(game.abi, COUNT, id) }, "latest"]));
}
