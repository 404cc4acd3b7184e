/**
 * The boards on the page with the game's rules, and their captions. The indexer's reducer computed
 * these boards.
 */

import boards from "./rules.json" with { type: "json" };

/** @import { RuleBoard } from "../../types.js" */

/** @type {RuleBoard[]} */
export const rules = boards.map((board, i) => ({ board, caption: `conquest.rules.board-${i + 1}` }));
