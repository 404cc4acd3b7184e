/**
 * Asks a node for the state of a match in its contract at a given block, and compares the answer
 * with the board on display.
 */

import { toQuantity } from "../../lib/ethereum/bytes.js";
import { codeHash, contractOf, trustOnFirstUse } from "./known-contracts.js";
import { callData, decodeResult, hasView, leafDifferences } from "./decode.js";
import { NodeUnavailable, RpcError } from "../../server/jsonrpc.js";
import { TextError } from "../../lib/text-error.js";

/** @import { RpcSource } from "./sources.js" */
/** @import { Difference } from "./decode.js" */
/** @import { Block, GameInfo, I18nText, Json, Renderer } from "../../types.js" */
/**
 * @typedef {{seq: number, board: Json, block: Block, settled?: boolean, past?: boolean}} Claim A
 * board that the page shows as the board after event `seq`, in `block`. `settled`: false if the
 * match has more events in this block, so that no node can return this board. `past`: true if newer
 * events exist.
 */
/**
 * @typedef {{state: "asking"|"same"|"count-only"|"differs"|"unanswered", height: number, differences: Difference[], why?: I18nText, contract?: string, moved?: boolean, at: number}} CheckResult
 * `count-only`: the page could compare only the number of events, and this number is correct.
 * `moved`: true if the match's contract or its code has changed. `at`: the time of the check, in
 * milliseconds since 1970.
 */
/** @typedef {{chain: string, game: GameInfo & {abi: readonly any[]}, renderer: Renderer|undefined, match: string, claim: Claim}} CheckRequest */

const COUNT = "seqOf";
const BOARD = "board";
const REVERTED = 3;

/** Thrown if the page can't verify a board now. `text` explains the reason. */
export class Unverifiable extends TextError {}

/** Thrown if the node's block at the board's height isn't the board's block. */
export class BlockMismatch extends Unverifiable {}

/** Return the reason why a board can't be verified. Return undefined for errors of other kinds. @param {unknown} error @returns {I18nText|undefined} */
export function whyNoAnswer(error) {
  if (error instanceof Unverifiable) return error.text;
  const args = { text: error instanceof Error ? error.message.slice(0, 200) : "" };
  if (error instanceof NodeUnavailable) return { key: "checked.no-answer", args };
  if (error instanceof RpcError) return { key: "checked.refused", args };
}

/** @param {RpcSource} source @param {CheckRequest} of @returns {Promise<CheckResult>} Throws Unverifiable, NodeUnavailable or RpcError. */
export async function checkBoard(source, { chain, game, renderer, match, claim }) {
  const id = match.split("/")[1];
  const contract = contractOf(game, Number(id));
  const base = { height: claim.block.height, contract, differences: [], at: Date.now() };
  if (claim.settled === false) throw new Unverifiable("checked.between", { height: claim.block.height });
  const code = await codeHash(source, chain, contract);
  if (!code) return { ...base, state: "differs", why: { key: "checked.no-contract", args: { address: contract } } };
  const was = trustOnFirstUse(chain, match, { address: contract, code });
  if (was.address !== contract || was.code !== code) {
    const key = was.address === contract ? "checked.other-code" : "checked.other-contract";
    return { ...base, state: "differs", moved: true, why: { key, args: { was: was.address, now: contract } } };
  }
  const other = await companionOfOtherCode(source, chain, game);
  if (other) return { ...base, state: "differs", why: { key: "checked.companion", args: other } };
  const compares = Boolean(renderer?.fromContract && renderer.fromBoard && hasView(game.abi, BOARD));
  const answers = await callContract(source, contract, game.abi, compares ? [COUNT, BOARD] : [COUNT], id, claim);
  if (!answers) return { ...base, state: "differs", why: { key: "checked.no-match" } };
  const differences = compare(game.abi, answers, claim, compares ? renderer : undefined);
  return { ...base, differences, state: differences.length ? "differs" : compares ? "same" : "count-only" };
}

/**
 * Return the first companion contract whose code isn't the code that the server reports. Companions
 * are contracts that players choose in a match, such as captains. @param {RpcSource} source @param {string} chain @param {GameInfo} game @returns {Promise<{name: string, address: string}|undefined>}
 */
async function companionOfOtherCode(source, chain, { companions = [] }) {
  const codes = await Promise.all(companions.map(({ address }) => codeHash(source, chain, address)));
  return companions.find((one, i) => codes[i] !== one.codeHash);
}

/** @param {readonly any[]} abi @param {string[]} answers @param {Claim} claim @param {Renderer|undefined} renderer @returns {Difference[]} */
function compare(abi, [count, board], { seq, board: claimed }, renderer) {
  const counted = decodeResult(abi, COUNT, count);
  if (counted !== seq) return [{ path: "seq", claimed: seq, actual: counted }];
  return renderer?.fromContract && renderer.fromBoard
    ? leafDifferences(renderer.fromBoard(claimed), renderer.fromContract(decodeResult(abi, BOARD, board)))
    : [];
}

/**
 * Call view functions of a match's contract, for the state at the displayed board's block. Return
 * null if the match doesn't exist in the contract. @param {RpcSource} source @param {string} to @param {readonly any[]} abi @param {string[]} names @param {string} id @param {Claim} claim @returns {Promise<string[]|null>}
 */
async function callContract(source, to, abi, names, id, claim) {
  const { hash, height } = claim.block;
  const call = (/** @type {any} */ at) =>
    Promise.all(names.map((name) => source.request("eth_call", [{ to, data: callData(abi, name, id) }, at])));
  try {
    return await nullIfReverted(call({ blockHash: hash, requireCanonical: true }));
  } catch (error) {
    if (!(error instanceof RpcError)) throw error; // the node doesn't have this block, or it can't look up blocks by hash
  }
  await onThisBlock(source, claim.block);
  try {
    const answers = await nullIfReverted(call(toQuantity(height)));
    await onThisBlock(source, claim.block);
    return answers;
  } catch (error) {
    if (!(error instanceof RpcError)) throw error; // the node has deleted the state at that block
  }
  const answers = await nullIfReverted(call("latest"));
  if (!answers || decodeResult(abi, COUNT, answers[0]) !== claim.seq)
    throw new Unverifiable("checked.pruned", { height });
  const [again] = await call("latest");
  if (decodeResult(abi, COUNT, again) !== claim.seq) throw new Unverifiable("checked.pruned", { height });
  return answers;
}

/** @param {Promise<string[]>} answers */
const nullIfReverted = (answers) =>
  answers.catch((error) => {
    if (error instanceof RpcError && (error.code === REVERTED || /revert/i.test(error.message))) return null;
    throw error;
  });

/** @param {RpcSource} source @param {Block} block */
async function onThisBlock(source, { height, hash }) {
  const found = await source.request("eth_getBlockByNumber", [toQuantity(height), false]);
  if (!found) throw new Unverifiable("checked.not-there", { height });
  const [shown, real] = [hash, String(found.hash)].map((one) => one.slice(0, 10));
  if (found.hash !== hash) throw new BlockMismatch("checked.other-block", { height, shown, real });
}

/** Ask a node for the number of events that a match has now. @param {RpcSource} source @param {CheckRequest["game"]} game @param {string} match @returns {Promise<number>} */
export async function currentSeq(source, game, match) {
  const id = match.split("/")[1];
  const call = { to: contractOf(game, Number(id)), data: callData(game.abi, COUNT, id) };
  return decodeResult(game.abi, COUNT, await source.request("eth_call", [call, "latest"]));
}
