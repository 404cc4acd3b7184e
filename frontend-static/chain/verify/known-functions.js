/**
 * Encodes calls of the functions that a game's renderer lists. The server also describes these
 * functions. However, a dishonest server could describe a token's `transfer` as a move, or swap two
 * arguments. This module has no side effects.
 */

import { Interface } from "../../lib/ethereum/abi.js";

/** @import { Action, Renderer } from "../../types.js" */
/** @typedef {{type: "function", name: string, inputs: {type: string, name: string}[]}} KnownFunction An entry in the JSON of an ABI. */

/** Convert a function's text, such as `resign(uint48 matchId)`, to an ABI entry. @param {string} text @returns {KnownFunction} */
function parse(text) {
  const [name, list] = text.slice(0, -1).split("(");
  const inputs = list.split(", ").filter(Boolean);
  return {
    type: "function",
    name,
    inputs: inputs.map((input) => {
      const [type, argument] = input.split(" ");
      return { type, name: argument };
    }),
  };
}

/** @param {KnownFunction} known */
const signatureOf = ({ name, inputs }) => `${name}(${inputs.map(({ type }) => type).join()})`;

/**
 * Return the function that an action calls, or undefined if the renderer doesn't list it. The
 * action must have the function's name, because the name decides the text on the button. @param {Pick<Renderer, "functions">} renderer @param {Pick<Action, "name"|"signature">} action @returns {KnownFunction|undefined}
 */
export const functionOf = ({ functions }, { name, signature }) =>
  functions.map(parse).find((known) => known.name === name && signatureOf(known) === signature);

/** Return the call data with which a transaction calls an action's function. @param {Pick<Renderer, "functions">} renderer @param {Pick<Action, "name"|"signature">} action @param {(name: string) => any} value returns the value of the argument with this name @returns {string} Throws if the renderer doesn't list the function, or if a value is missing. */
export function encode(renderer, action, value) {
  const known = functionOf(renderer, action);
  if (!known) throw new Error(`the page doesn't know the function ${action.signature}`);
  return new Interface([known]).encodeFunctionData(
    known,
    known.inputs.map(({ name }) => value(name)),
  );
}
