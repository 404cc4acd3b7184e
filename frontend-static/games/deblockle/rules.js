/** The boards on the rules page, computed by the indexer's reducer, with their captions. */

import boards from "./rules.json" with { type: "json" };

/** @import { RuleBoard } from "../../types.js" */

/** @type {RuleBoard[]} */
export const rules = boards.map((board, i) => ({ board, caption: `deblockle.rules.board-${i + 1}` }));
