/** Boards of the rules page, as the reducer makes them, each with its caption. */

import boards from "./rules.json" with { type: "json" };

/** @import { RuleBoard } from "../../types.js" */

/** @type {RuleBoard[]} */
export const rules = boards.map((board, i) => ({ board, caption: `nim.rules.board-${i + 1}` }));
