/** The boards on Nim's rules page, in the reducer's format, and the boards' captions. */

import boards from "./rules.json" with { type: "json" };

/** @import { RuleBoard } from "../../types.js" */

/** @type {RuleBoard[]} */
export const rules = boards.map((board, i) => ({ board, caption: `nim.rules.board-${i + 1}` }));
