/** A sentence with the result of a match: who beat whom, and how. */

import { t } from "../../i18n/translate.js";
import { h } from "../../lib/dom.js";
import { playerLink } from "../parts/labels.js";
import { sentence } from "../parts/sentence.js";

/** @import { Accounts } from "../../chain/wallet/accounts.js" */
/** @import { Child } from "../../lib/dom.js" */
/** @import { Summary } from "../../types.js" */
/** @typedef {{accounts: Accounts}} Uses */

/** The reasons for a win that have a special sentence. */
const REASONS_WITH_SENTENCE = ["resigned", "timeout", "cheating-proved"];

/** Return the key of the sentence that describes a match's result. @param {Summary} summary */
export function resultKey({ status, reason = "", winner, players, morePlayers = 0 }) {
  const n = players.length + morePlayers;
  if (status === "cancelled" || reason === "cancelled") return `lobby.result.cancelled${n ? "" : "-early"}`;
  if (winner && n > 2) return "lobby.result.won-many";
  if (winner) return REASONS_WITH_SENTENCE.includes(reason) ? `lobby.result.${reason}` : "lobby.result.won";
  if (n > 2 || n < 2) return "lobby.result.none-many";
  return reason === "draw" ? "lobby.result.draw" : "lobby.result.none";
}

/** @param {Uses} app @param {Summary} summary @returns {(Child|Child[])[]} */
export function result(app, summary) {
  const { winner, players, morePlayers = 0 } = summary;
  const [first, second] = players;
  const loser = players.find((address) => address !== winner);
  const parts = {
    ...(winner && { winner: winnerName(app, winner) }),
    ...(loser && { loser: playerLink(loser) }),
    ...(first && { first: playerLink(first) }),
    ...(second && { second: playerLink(second) }),
  };
  const n = players.length + morePlayers;
  const key = resultKey(summary);
  return sentence(key, parts, { n: key === "lobby.result.won-many" ? n - 1 : n }).map((piece) =>
    typeof piece === "string" ? h("span", { class: "vs" }, piece) : piece,
  );
}

/** @param {Uses} app @param {string} winner */
function winnerName(app, winner) {
  const isMine = Boolean(app.accounts.find(winner));
  const sign = isMine && h("span", { role: "img", "aria-label": t("lobby.result.you-won") }, "★ ");
  return h("span", { class: "won", "data-mine": isMine }, sign, playerLink(winner));
}
