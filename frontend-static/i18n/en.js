/** The texts that all games share, in English. `{n}` is filled in; `{n|turn|turns}` chooses by number. */

import { account } from "./en/account.js";
import { history } from "./en/history.js";
import { match } from "./en/match.js";
import { page } from "./en/page.js";
import { transactions } from "./en/transactions.js";
import { verification } from "./en/verification.js";

/** @type {Record<string, string>} */
export const en = { ...page, ...match, ...history, ...account, ...verification, ...transactions };
