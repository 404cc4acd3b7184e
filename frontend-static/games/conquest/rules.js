/**
 * The example boards on the page with Conquest's rules, and their captions. The indexer's reducer,
 * which applies events to a board, has computed the boards.
 */

import boards from "./rules.json" with { type: "json" };

/** @import { RuleBoard } from "../../types.js" */

/** @type {RuleBoard[]} */
export const rules = boards.map((board, i) => ({ board, caption: `conquest.rules.board-${i + 1}` }));
