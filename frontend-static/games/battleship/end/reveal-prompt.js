/**
 * The confirmation that the page shows before it reveals a fleet. It says who reports the end of
 * the match, what is at stake, and how much time is left.
 */

import { timeLeft } from "../../shared/clock.js";
import { h } from "../../../lib/dom.js";
import { t, translate } from "../../../i18n/translate.js";
import { nameOf } from "../../../names/names.js";
import { mustReveal, whyConfirmReveal } from "./auto-reveal.js";
import { opponentOf, revealedShips } from "../shots.js";

/** @import { FinalityResult, Confirmation, RenderContext } from "../../../types.js" */

/** @param {RenderContext} context @param {string} actionId @returns {Confirmation|null} */
export function confirmationBefore(context, actionId) {
  if (actionId === "surrender")
    return {
      tree: h("p", { class: "question" }, t("battleship.ask.surrender")),
      open: false,
      visible: false,
      declineLabel: t("battleship.ask.go-on"),
    };
  return actionId === "reveal" && mustReveal(context) ? revealConfirmation(context) : null;
}

/** Return true if the page is waiting for the player to decide about the reveal. @param {RenderContext} context */
export const awaitsPlayer = (context) => mustReveal(context) && Boolean(whyConfirmReveal(context));

/**
 * Return the confirmation before a reveal. The confirmation is already open, so that a single click
 * is enough. If the player's own node contradicts the server, revealing takes two clicks. If the
 * page can reveal without asking, only players who use a wallet see the confirmation.
 * @param {RenderContext} context @returns {Confirmation}
 */
function revealConfirmation(context) {
  const { state } = context.finality?.() ?? { state: "server" };
  const why = whyConfirmReveal(context);
  const alarming = why !== null && state === "differs";
  const { board, now, formatAmount } = context;
  const stake = BigInt(board.stake ?? 0);
  const isBeaten = board.loser === context.me && revealedShips(board, opponentOf(board, context.me));
  const tree = h(
    "div",
    {
      class: alarming ? "question alarm" : "question",
      id: "reveal-question",
      "data-finality": state,
      "data-why": why?.key ?? "",
    },
    h("h2", null, t(`battleship.ask.heading-${why ? reportedBy(state) : "over"}`)),
    !alarming &&
      h(
        "p",
        null,
        t(`battleship.ask.says-${board.cause}${board.loser === context.me ? "-me" : ""}`, {
          name: nameOf(opponentOf(board, context.me)),
        }),
      ),
    why && h("p", { class: "hint" }, translate(translateArgs(why))),
    h(
      "p",
      { class: "hint" },
      stake > 0n && [t("battleship.ask.stake", { all: formatAmount(2n * stake, board.token) }), " "],
      t(isBeaten ? "battleship.ask.until-lost" : "battleship.ask.until", { left: timeLeft(board.deadline - now) }),
    ),
  );
  return { tree, open: !alarming, visible: true, declineLabel: t("battleship.ask.not-now") };
}

/** Translate a text's argument `why`, which says why a node didn't answer. @param {import("../../../types.js").I18nText} why */
const translateArgs = ({ key, args = {} }) => ({ key, args: { ...args, why: args.why ? translate(args.why) : "" } });

/**
 * Return who reports the end of the match: "server" alone, "node" if the player's node confirms it,
 * or "against" if that node contradicts the server. @param {FinalityResult["state"]} state @returns {"node"|"against"|"server"}
 */
const reportedBy = (state) =>
  state === "differs" ? "against" : state === "final" || state === "recent" ? "node" : "server";
