/** What is asked before a fleet is shown: who says that the match is over, what is at stake, how long there is. */

import { left } from "../../shared/clock.js";
import { h } from "../../../lib/dom.js";
import { say, shortHex, t } from "../../../i18n/translate.js";
import { owesReveal, whyAsked } from "./auto-reveal.js";
import { rival } from "../shots.js";

/** @import { Asking, Finding, View } from "../../../types.js" */

/** @param {View} view @param {string} kind @returns {Asking|null} */
export function asks(view, kind) {
  if (kind === "surrender") return { tree: h("p", { class: "question" }, t("battleship.ask.surrender")), open: false, told: false, no: t("battleship.ask.go-on") };
  return kind === "reveal" && owesReveal(view) ? toReveal(view) : null;
}

/** Whether the page waits for its player's word. @param {View} view */
export const waits = (view) => owesReveal(view) && Boolean(whyAsked(view));

/** Open from the beginning, so that one press is enough; against the word of one's own node it takes two. @param {View} view @returns {Asking} */
function toReveal(view) {
  const { state } = view.finality?.() ?? { state: "server" };
  const why = whyAsked(view);
  const alarming = state === "differs";
  const { board, now, worth } = view;
  const stake = BigInt(board.stake ?? 0);
  const tree = h("div", { class: alarming ? "question alarm" : "question", id: "reveal-question", "data-finality": state, "data-why": why?.key ?? "" },
    h("h2", null, t(`battleship.ask.heading-${voice(state)}`)),
    h("p", null, t(`battleship.ask.says-${board.cause}${board.loser === view.me ? "-me" : ""}`, { name: shortHex(rival(board, view.me)) })),
    why && h("p", { class: "hint" }, say(inWords(why))),
    h("p", { class: "hint" }, stake > 0n ? t("battleship.ask.stake", { all: worth(2n * stake, board.token) }) : t("battleship.ask.no-stake"), " ", t("battleship.ask.until", { left: left(board.deadline - now) })));
  return { tree, open: !alarming, told: true, no: t("battleship.ask.not-now") };
}

/** A reason may carry another phrase: why a node said nothing. @param {import("../../../types.js").Phrase} why */
const inWords = ({ key, args = {} }) => ({ key, args: { ...args, why: args.why ? say(args.why) : "" } });

/** Who says so. @param {Finding["state"]} state @returns {"node"|"against"|"server"} */
const voice = (state) => (state === "differs" ? "against" : state === "final" || state === "recent" ? "node" : "server");
