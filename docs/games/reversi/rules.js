/** Boards of the page of rules, as the reducer folds them, each with the text below it. */

import boards from "./rules.json" with { type: "json" };

/** @import { RuleBoard } from "../../types.js" */

/** @type {RuleBoard[]} */
export const rules = boards.map((board, i) => ({ board, caption: `reversi.rules.board-${i + 1}` }));
