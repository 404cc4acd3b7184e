/**
 * Finds out which kind of error a node's message describes. Most rejections have no code of their
 * own, so only the message distinguishes them. This module has no side effects.
 */

import { NODE_ERRORS } from "./node-error-table.js";

/** @typedef {keyof typeof NODE_ERRORS | "other"} NodeErrorKind The kind of a node's error. The file transactions/node_errors.json explains each kind. */

const PATTERNS = Object.entries(NODE_ERRORS).map(
  ([kind, patterns]) => /** @type {const} */ ([kind, new RegExp(patterns.join("|"), "i")]),
);

/** @param {any} error an error or an error message @returns {NodeErrorKind} */
export function classify(error) {
  if (error?.code === 4001) return "declined"; // EIP-1193
  const text = String(error?.message ?? error);
  const found = PATTERNS.find(([, pattern]) => pattern.test(text));
  return found ? /** @type {NodeErrorKind} */ (found[0]) : "other";
}
