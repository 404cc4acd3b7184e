/**
 * Returns the text that explains why a contract or a node has rejected a transaction. The text
 * depends on the contract's error or on the node's message. This module has no side effects.
 */

import { Interface, interfaceOf } from "../../lib/ethereum/abi.js";
import { clean } from "../../lib/patterns.js";
import { classify } from "../../server/node-errors.js";
import { has } from "../../i18n/translate.js";
import { nameOf } from "../../names/names.js";
import revert from "./revert.abi.js";
import sessions from "./sessions.abi.js";

/** @import { NodeErrorKind } from "../../server/node-errors.js" */
/** @import { I18nText, Json, Reason } from "../../types.js" */

const BUILT_IN = new Interface(revert);
/**
 * The errors of the session registry. A game's contract passes them on, but its ABI doesn't contain
 * them. Their texts are in i18n/messages.
 */
const SESSIONS = new Interface(sessions);

/** For each kind of rejection by a node, the message key of the text for players. @type {Partial<Record<NodeErrorKind, string>>} */
const SENTENCES = {
  funds: "node.funds",
  declined: "node.declined",
  low: "node.nonce",
  replacement: "node.underpriced",
  underpriced: "node.underpriced",
  basefee: "node.underpriced",
  busy: "node.busy",
  large: "node.too-large",
};
/** The names of those error arguments that are addresses of players. */
const PLAYERS = ["mover", "invited", "inviter"];
/**
 * The pattern of a node's message that a contract has reverted. The message can contain any text
 * from the contract, so the page must not classify it as a rejection by the node.
 */
const REVERTED = /\brevert(ed)?\b/i;

/** @param {any} error an error with `data` and `message` @param {readonly any[]} abi @param {string} game the game's slug @returns {Reason} */
export function explain(error, abi, game) {
  const named = parse(error?.data ?? "", abi);
  if (named)
    return {
      sentence: sentenceOf(named, game),
      small: short(`${named.name}(${Object.values(named.args).join(", ")})`),
    };
  const message = String(error?.message ?? error);
  const known = REVERTED.test(message) ? undefined : SENTENCES[classify(error)];
  return { sentence: { key: known ?? "node.refused" }, small: short(message) };
}

/** Shorten a text from a contract or a node and make it safe to show, because it can't be trusted. @param {string} text */
const short = (text) => clean(text.slice(0, 300));

/** @param {string} data @param {readonly any[]} abi @returns {{name: string, args: Json}|null} */
function parse(data, abi) {
  if (data.length < 10) return null;
  for (const known of [interfaceOf(abi), SESSIONS, BUILT_IN]) {
    try {
      const found = known.parseError(data);
      if (found)
        return {
          name: found.name,
          args: Object.fromEntries(Object.entries(found.args).map(([name, value]) => [name, cleaned(value)])),
        };
    } catch {
      break; // the error's data is truncated, or its text isn't valid UTF-8
    }
  }
  return { name: "Unknown", args: { data: data.slice(0, 74) } };
}

/** @param {any} value */
const cleaned = (value) => (typeof value === "string" ? short(value) : value);

/**
 * Return the text that explains a contract's error. If the error has an argument `current` (the
 * match's state), each state can have its own text. @param {{name: string, args: Json}} error
 * @param {string} game @returns {I18nText}
 */
function sentenceOf({ name, args }, game) {
  const names = [`error.${name}-${args.current}`, `error.${name}`];
  const key = [...names.map((one) => `${game}.${one}`), ...names].find(has);
  return key ? { key, args: { ...args, ...playersIn(args) } } : { key: "error.other", args: { name } };
}

/** Return the names of the players in an error. The page shows their addresses below the text. @param {Json} args */
const playersIn = (args) =>
  Object.fromEntries(PLAYERS.filter((name) => name in args).map((name) => [name, nameOf(args[name])]));
