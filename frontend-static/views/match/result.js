/** The banner with the result of a match in words, and with the buttons for the next steps. */

import { hasEnded } from "../../lib/board.js";
import { h } from "../../lib/dom.js";
import { gameKey, t } from "../../i18n/translate.js";
import { nameOf } from "../../names/names.js";

/** @import { MatchContext } from "../../history/match-context.js" */
/** @import { Json } from "../../types.js" */

/**
 * Return the result from the viewer's side: `you-won`, `you-lost`, or `none` if nobody has won. If
 * somebody else has won, return `won` if the viewer only watches, or if the winner is another
 * account in this browser. @param {MatchContext} matchContext @param {Json} board
 */
function side(matchContext, { winner, players = {} }) {
  if (!winner) return "none";
  if (winner === matchContext.me) return "you-won";
  return players[matchContext.me] && !matchContext.account(winner) ? "you-lost" : "won";
}

/** Return the key of the result's text, which depends on the board's `reason`. @param {string} reason @param {string} who */
function keyOf(reason, who) {
  if (reason === "cancelled" || reason === "draw") return `match.${reason}`;
  if (reason === "won" && who !== "none") return who === "won" ? "match.won" : `match.${who}`;
  return ["resigned", "timeout", "cheating-proved"].includes(reason) ? `match.${reason}-${who}` : "match.ended";
}

/**
 * The signs for the results, as SVG paths. Players recognize them by shape, even if they can't
 * distinguish the colours. `over`: any result other than the named ones.
 */
const SIGNS = { won: "M3 9.5 6.5 13 13 4", lost: "M4 4l8 8M12 4l-8 8", drawn: "M3 6h10M3 10h10", over: "M4 8h8" };

/** @param {MatchContext} matchContext @param {string} who @param {Json} board @returns {keyof typeof SIGNS} */
function toneOf(matchContext, who, { reason, players = {} }) {
  if (who === "you-won") return "won";
  if (who === "you-lost") return "lost";
  return reason === "draw" && players[matchContext.me] ? "drawn" : "over";
}

/** @param {MatchContext} matchContext @param {string} match @param {Json} board @param {any} [next] the buttons for the next steps */
export function banner(matchContext, match, board, next) {
  if (!hasEnded(board)) return null;
  const [slug] = match.split("/");
  const players = Object.keys(board.players ?? {});
  const loser = players.find((address) => address !== board.winner) ?? "0x";
  const who = side(matchContext, board);
  const key = keyOf(board.status === "cancelled" ? "cancelled" : board.reason, who);
  const tone = toneOf(matchContext, who, board);
  const text = t(gameKey(slug, key), { name: nameOf(board.winner ?? "0x"), loser: nameOf(loser) });
  const close = () => {
    matchContext.ui.closedEnd = match;
    matchContext.redraw();
    setTimeout(() => document.getElementById("board")?.focus(), 0);
  };
  return h(
    "section",
    {
      id: "banner",
      class: "banner",
      "aria-labelledby": "result",
      "data-reason": board.reason,
      "data-tone": tone,
      key: "banner",
    },
    h(
      "svg",
      { class: "icon sign", width: 28, height: 28, viewBox: "0 0 16 16", "aria-hidden": "true" },
      h("path", { d: SIGNS[tone] }),
    ),
    h("strong", { id: "result" }, text),
    h(
      "button",
      {
        id: "end-close",
        type: "button",
        class: "quiet round",
        "aria-label": t("end.close"),
        title: t("end.close"),
        onclick: close,
      },
      "×",
    ),
    next && h("div", { class: "next", role: "group", "aria-label": t("end.next") }, next),
  );
}
