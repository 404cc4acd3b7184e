/** How a match ended, in words, and what comes next. */

import { hasEnded } from "../../lib/board.js";
import { h } from "../../lib/dom.js";
import { gameKey, shortHex, t } from "../../i18n/translate.js";

/** @import { Json, MatchContext } from "../../types.js" */

/** Who looks: `won`, `you-won`, `you-lost`; nobody has won: `none`. @param {MatchContext} matchContext @param {Json} board */
function side(matchContext, { winner, players = {} }) {
  if (!winner) return "none";
  if (winner === matchContext.me) return "you-won";
  return players[matchContext.me] && !matchContext.account(winner) ? "you-lost" : "won";
}

/** The text's key, for a reason as the boards name it. @param {string} reason @param {string} who */
function keyOf(reason, who) {
  if (reason === "cancelled" || reason === "draw") return `match.${reason}`;
  if (reason === "won" && who !== "none") return who === "won" ? "match.won" : `match.${who}`;
  return ["resigned", "timeout", "cheating-proved"].includes(reason) ? `match.${reason}-${who}` : "match.ended";
}

/** @param {MatchContext} matchContext @param {string} slug @param {Json} board @param {any} [again] what opens another one */
export function banner(matchContext, slug, board, again) {
  if (!hasEnded(board)) return null;
  const players = Object.keys(board.players ?? {});
  const loser = players.find((address) => address !== board.winner) ?? "0x";
  const key = keyOf(board.status === "cancelled" ? "cancelled" : board.reason, side(matchContext, board));
  const text = t(gameKey(slug, key), { name: shortHex(board.winner ?? "0x"), loser: shortHex(loser) });
  const leads = matchContext.link("", 0).startsWith("#/match/"); // a file leads nowhere
  const on =
    leads && board.rematch
      ? h("a", { id: "to-rematch", href: `#/match/${slug}/${board.rematch}`, class: "button" }, t("match.to-rematch"))
      : again;
  return h(
    "div",
    { id: "banner", class: "banner", role: "status", "data-reason": board.reason, key: "banner" },
    h("strong", null, text),
    on,
  );
}
