/** The boards of the rules page, as computed by the reducer, each with its caption. */

import boards from "./rules.json" with { type: "json" };

/** @import { RuleBoard } from "../../types.js" */

/** @type {RuleBoard[]} */
export const rules = boards.map((board, i) => ({ board, caption: `tic-tac-toe.rules.board-${i + 1}` }));
