/** The story of a transaction as dots that fill, a word, and the reason when it ended badly. */

import { h } from "./dom.js";
import { either, ofGame, say, t } from "./words.js";

/** @import { Tx, TxState } from "./types.js" */

/** Dots filled. Five, as final is to come: a place for a later issue. @type {Record<TxState, number>} */
const FILLED = { waiting: 0, simulated: 1, signed: 2, sent: 3, mined: 4, failed: 4, refused: 1 };
const DOTS = 4;

/** @param {Tx} tx */
export function actionName(tx) {
  return either([ofGame(tx.game, `action.${tx.action}`)], tx.action);
}

/** @param {Tx} tx */
export function stateName(tx) {
  if (tx.state === "mined") return t("tx.mined", { block: tx.block });
  if (tx.state === "failed" && tx.block !== undefined) return t("tx.failed-in", { block: tx.block });
  return t(`tx.${tx.state}`);
}

/** @param {Tx} tx */
export function life(tx) {
  const dots = Array.from({ length: DOTS }, (_, i) => h("i", { class: i < FILLED[tx.state] ? "full" : "" }));
  const label = t("tx.life", { action: actionName(tx), state: stateName(tx) });
  const props = { class: "life", "data-tx": tx.id, "data-state": tx.state, "data-action": tx.action, "data-hash": tx.hash, "data-nonce": tx.nonce };
  return h("span", { ...props, title: tx.hash ?? "" }, h("span", { class: "dots", role: "img", "aria-label": label }, dots), h("span", { class: "state" }, stateName(tx)));
}

/** @param {Tx} tx */
export function trouble(tx) {
  if (!tx.reason) return null;
  return h("div", { class: "trouble", role: "alert", key: `trouble-${tx.id}`, "data-trouble": tx.action }, h("p", null, say(tx.reason.sentence)), h("small", { class: "mono" }, tx.reason.small));
}
