/** What the chain says of the board that is seen, folded under one line: what was checked, where, and by whom. */

import { boardHash } from "../../../lib/board.js";
import { h } from "../../../lib/dom.js";
import { t } from "../../../i18n/translate.js";

/** @import { Child } from "../../../lib/dom.js" */
/** @import { Json, MatchContext, Tx } from "../../../types.js" */

/** @type {WeakMap<object, string>} */
const hashes = new WeakMap();

/** By what the board can be compared. @param {Json} board */
function hashOf(board) {
  const hash = hashes.get(board) ?? boardHash(board);
  hashes.set(board, hash);
  return hash;
}

/** The event that led to the board, its transaction, and the board's hash; `sent` are transactions of one's own. @param {MatchContext} matchContext @param {string} match @param {Tx[]} [sent] */
export function chainFacts(matchContext, match, sent = []) {
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
    event && fact("block", String(event.block)),
    event && fact("block-hash", event.hash),
    event && fact("tx", event.tx),
    own?.nonce !== undefined && fact("nonce", String(own.nonce)),
    fact("hash", hash),
  );
}

/** @param {string} name @param {string} value @param {string} [more] */
function fact(name, value, more) {
  return [
    h("dt", { key: `${name}-name` }, t(`facts.${name}`)),
    h("dd", { key: name, class: "mono", "data-fact": name, title: value }, value, more && ` (${more})`),
  ];
}

/** Where nobody can be asked. @param {Child[]} inside */
export const foldedFacts = (inside) =>
  h(
    "details",
    { class: "checked", id: "facts", key: "facts" },
    h("summary", null, t("facts.heading")),
    h("div", { class: "about-check" }, inside),
  );
