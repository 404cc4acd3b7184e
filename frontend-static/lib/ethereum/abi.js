/**
 * Encodes and decodes calls, results, errors and logs according to a contract's ABI.
 * https://docs.soliditylang.org/en/latest/abi-spec.html
 */

import * as AbiEvent from "ox/AbiEvent";
import * as AbiItem from "ox/AbiItem";
import * as AbiParameters from "ox/AbiParameters";

/** @typedef {{name: string, type: string}} Parameter */
/** @typedef {any} AbiEntry An entry in the JSON of an ABI. */
/** @typedef {{name: string, args: Record<string, any>}} Decoded A decoded call, error or log. `args`: the arguments, in their order. The key is the name of the argument or, if it has no name, its position. Integers of more than 48 bits are bigints. */

const SELECTOR_DIGITS = 10;
const OPTIONS = { checksumAddress: true };

export class Interface {
  /** @param {readonly AbiEntry[]} abi the contract's ABI, as parsed JSON */
  constructor(abi) {
    this.entries = abi;
    /** @type {Map<AbiEntry, string>} */
    this.selectors = new Map();
  }

  /** @param {string} name a function's name, such as `close`, or its signature, such as `close(uint48)` @returns {AbiEntry|undefined} */
  getFunction(name) {
    return this.entries.find(
      (entry) => entry.type === "function" && (entry.name === name || AbiItem.getSignature(entry) === name),
    );
  }

  /** @param {string|AbiEntry} wanted a function's name, signature or ABI entry @param {any[]} args @returns {string} Throws if the arguments don't fit the function. */
  encodeFunctionData(wanted, args) {
    const found = typeof wanted === "string" ? this.getFunction(wanted) : wanted;
    if (!found) throw new Error(`no function ${wanted}`);
    return this.selectorOf(found) + AbiParameters.encode(found.inputs, args, OPTIONS).slice(2);
  }

  /** @param {string} name @param {string} answer 0x hex @returns {readonly any[]} Throws if the function can't have returned this answer. */
  decodeFunctionResult(name, answer) {
    return decode(this.getFunction(name)?.outputs ?? [], answer);
  }

  /** Decode the data of a contract call. Return null if the ABI doesn't have the function. @param {string} data 0x hex @returns {Decoded|null} Throws if the arguments can't be decoded. */
  parseCall(data) {
    return this.parse("function", data);
  }

  /** Decode the error in the data of a revert. Return null if the ABI doesn't have the error. @param {string} data 0x hex @returns {Decoded|null} Throws if the arguments can't be decoded. */
  parseError(data) {
    return this.parse("error", data);
  }

  /** @param {{topics: string[], data: string}} log @returns {Decoded|null} Throws. */
  parseLog({ topics, data }) {
    const found = this.entries.find((entry) => entry.type === "event" && this.selectorOf(entry) === topics[0]);
    if (!found) return null;
    const log = /** @type {AbiEvent.decode.Log} */ ({ topics, data });
    return { name: found.name, args: AbiEvent.decode(found, log, OPTIONS) ?? {} };
  }

  /** Return the first topic of an event's logs, which identifies the event. @param {string} name */
  topicOf(name) {
    return this.selectorOf(this.entries.find((entry) => entry.type === "event" && entry.name === name));
  }

  /** @param {"function"|"error"} type @param {string} data @returns {Decoded|null} */
  parse(type, data) {
    const selector = data.slice(0, SELECTOR_DIGITS);
    const found = this.entries.find((entry) => entry.type === type && this.selectorOf(entry) === selector);
    if (!found) return null;
    const values = decode(found.inputs, `0x${data.slice(SELECTOR_DIGITS)}`);
    const names = found.inputs.map((/** @type {Parameter} */ one, /** @type {number} */ i) => one.name || String(i));
    return { name: found.name, args: Object.fromEntries(values.map((value, i) => [names[i], value])) };
  }

  /**
   * Return the selector of an ABI entry, as 0x hex. A function's or an error's selector has four
   * bytes, and an event's has 32 bytes. @param {AbiEntry} entry @returns {string}
   */
  selectorOf(entry) {
    const known = this.selectors.get(entry);
    if (known) return known;
    const made = entry.type === "event" ? AbiItem.getSignatureHash(entry) : AbiItem.getSelector(entry);
    this.selectors.set(entry, made);
    return made;
  }
}

/** @param {AbiEntry[]} parameters @param {string} data @returns {readonly any[]} */
const decode = (parameters, data) =>
  parameters.length ? AbiParameters.decode(parameters, /** @type {`0x${string}`} */ (data), OPTIONS) : [];

/** The parsed interface for each ABI. It is cached because each drawing needs it. @type {WeakMap<readonly any[], Interface>} */
const parsed = new WeakMap();

/** @param {readonly any[]} abi @returns {Interface} */
export function interfaceOf(abi) {
  const known = parsed.get(abi) ?? new Interface(abi);
  parsed.set(abi, known);
  return known;
}

/**
 * Estimate the number of words in the call data of a function. An array of fixed length counts as
 * one word per element. A type of variable length counts as three words. Any other type counts as
 * one word. @param {string} signature
 */
export function callDataWords(signature) {
  const types = signature
    .slice(signature.indexOf("(") + 1, -1)
    .split(",")
    .filter(Boolean);
  const words = types.map((type) => {
    const [, length] = type.match(/\[(\d*)\]$/) ?? [];
    return length ? Number(length) : length === "" || ["bytes", "string"].includes(type) ? 3 : 1;
  });
  return words.reduce((sum, n) => sum + n, 0);
}
