/**
 * The facts from the chain about the displayed board. By default, they are collapsed to one line.
 */

import { boardHash } from "../../../lib/board.js";
import { h } from "../../../lib/dom.js";
import { gwei } from "../../parts/tx-status.js";
import { t } from "../../../i18n/translate.js";

/** @import { Child } from "../../../lib/dom.js" */
/** @import { MatchContext } from "../../../history/match-context.js" */
/** @import { Json, Tx } from "../../../types.js" */

/** @type {WeakMap<object, string>} */
const hashes = new WeakMap();

/**
 * Return the board's hash. Two players can compare the hashes to check that they see the same
 * board. @param {Json} board
 */
function hashOf(board) {
  const hash = hashes.get(board) ?? boardHash(board);
  hashes.set(board, hash);
  return hash;
}

/**
 * Return facts about the board: the event that led to it, the transaction of that event, the
 * finality, and the board's hash. `sent`: the player's own transactions. `finalHeight`: the height
 * of the last final block, or -1 if there is no chain. `fees`: the cost of each possible move, as
 * text.
 * @param {MatchContext} matchContext @param {string} match @param {Tx[]} [sent] @param {number} [finalHeight] @param {string} [fees]
 */
export function chainFacts(matchContext, match, sent = [], finalHeight = -1, fees = "") {
  const { playhead, last, history } = matchContext.playback;
  const event =
    playhead?.event ?? matchContext.events(match).findLast(({ seq }) => seq === last) ?? history?.event(last);
  const hash = hashOf(matchContext.board(match) ?? {});
  const own = event && sent.find(({ hashes }) => hashes.includes(event.tx));
  const same = event && matchContext.events(match).filter(({ tx, hash }) => tx === event.tx && hash === event.hash);
  const first = same?.[0] ?? event;
  return h(
    "dl",
    { class: "facts", key: "facts" },
    fact(
      "seq",
      String(playhead?.seq ?? last),
      first && event && first.seq < event.seq ? `${first.seq}–${event.seq}` : "",
    ),
    event && finalHeight >= 0 && finality(event.block, finalHeight),
    event && fact("block", String(event.block)),
    event && fact("block-hash", event.hash),
    event && fact("tx", event.tx),
    own?.nonce !== undefined && fact("nonce", String(own.nonce)),
    own?.gas && own.fees && fact("gas", t("facts.gas-at", { gas: own.gas, fee: gwei(own.fees.maxFeePerGas) })),
    fees && fact("fees", fees),
    fact("hash", hash),
  );
}

/** Return the finality of the board, which is the finality of its last event's block. @param {number} block @param {number} finalHeight */
function finality(block, finalHeight) {
  const state = block <= finalHeight ? "final" : "recent";
  return [
    h("dt", { key: "state-name" }, t("facts.state")),
    h("dd", { key: "state", "data-fact": "state", "data-state": state }, t(`facts.state-${state}`, { block })),
  ];
}

/** @param {string} name @param {string} value @param {string} [more] */
function fact(name, value, more) {
  return [
    h("dt", { key: `${name}-name` }, t(`facts.${name}`)),
    h("dd", { key: name, class: "mono", "data-fact": name, title: value }, value, more && ` (${more})`),
  ];
}

/** Return the facts, collapsed to one line, for a board that the page hasn't checked. @param {Child[]} inside */
export const foldedFacts = (inside) =>
  h(
    "details",
    { class: "checked", id: "facts", key: "facts" },
    h("summary", null, t("facts.heading")),
    h("div", { class: "about-check" }, inside),
  );
