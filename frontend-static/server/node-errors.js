/**
 * Classifies a node's rejection by its message, because nodes have no codes for most rejections.
 * This module has no side effects.
 */

import { NODE_ERRORS } from "./node-error-table.js";

/** @typedef {keyof typeof NODE_ERRORS | "other"} NodeErrorKind see transactions/node_errors.json for the meaning of each kind */

const PATTERNS = Object.entries(NODE_ERRORS).map(
  ([kind, patterns]) => /** @type {const} */ ([kind, new RegExp(patterns.join("|"), "i")]),
);

/** @param {any} error the error, or its message @returns {NodeErrorKind} */
export function classify(error) {
  if (error?.code === 4001) return "declined"; // EIP-1193
  const text = String(error?.message ?? error);
  const found = PATTERNS.find(([, pattern]) => pattern.test(text));
  return found ? /** @type {NodeErrorKind} */ (found[0]) : "other";
}
