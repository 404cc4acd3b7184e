/** What happened, in words: newest block first, in a block in the order of the chain. */

import { inOrder } from "./board.js";
import { h } from "./dom.js";
import { ofGame, short, t } from "./words.js";

/** @import { App } from "./app.js" */
/** @import { Tree } from "./dom.js" */
/** @import { ChainEvent, Json, Renderer, Sentence } from "./types.js" */

const SHOWN = 10;
/** @type {ChainEvent[]} */
const NONE = [];
/** Hundreds of sentences are made anew only when there are new ones. @type {{events: ChainEvent[], board: Json, tree: Tree}|null} */
let kept = null;

/**
 * Events that came in one transaction, together: newest first, each group in chain order.
 * @param {ChainEvent[]} events @returns {ChainEvent[][]}
 */
export function groups(events) {
  /** @type {ChainEvent[][]} */
  const found = [];
  for (const event of inOrder(events, [])) {
    const last = found.at(-1);
    if (last && last[0].tx === event.tx && last[0].hash === event.hash) last.push(event);
    else found.push([event]);
  }
  return found.reverse();
}

/** @param {App} app @param {string} match @param {Renderer} renderer */
export function feed(app, match, renderer) {
  const events = app.feeds.get(match) ?? NONE;
  const board = app.board(match) ?? {};
  if (kept?.events !== events || kept.board !== board) kept = { events, board, tree: box(match.split("/")[0], events, board, renderer) };
  return kept.tree;
}

/** @param {string} slug @param {ChainEvent[]} events @param {Json} board @param {Renderer} renderer */
function box(slug, events, board, renderer) {
  const told = groups(events).map((group) => block(slug, group, board, renderer));
  const empty = h("p", { class: "hint" }, t("match.feed-empty"));
  return h("section", { class: "feed-box", "aria-labelledby": "feed-title" },
    h("h2", { id: "feed-title" }, t("match.feed")),
    h("div", { id: "feed", class: "feed", role: "log", "aria-live": "polite", tabindex: 0, "aria-labelledby": "feed-title" }, told.length ? told : empty),
  );
}

/** @param {string} slug @param {ChainEvent[]} group @param {Json} board @param {Renderer} renderer */
function block(slug, group, board, renderer) {
  const [first] = group;
  const lines = group.flatMap((event) => renderer.sentences(event, board, group).map((sentence) => ({ event, sentence })));
  const title = t("match.block-tx", { height: first.block, tx: first.tx });
  return h("div", { class: "group", key: `${first.seq}-${first.hash}`, "data-block": first.block, "data-tx": first.tx },
    h("span", { class: "when", title }, h("span", { class: "number" }, String(first.block)), h("span", { class: "mono" }, short(first.tx))),
    h("div", { class: "lines" }, lines.length > SHOWN + 2 ? folded(slug, lines) : lines.map(line)),
  );
}

/** @typedef {{event: ChainEvent, sentence: Sentence}} Line */

/** A block of many sentences: the story stays, what is minor in it is folded. @param {string} slug @param {Line[]} lines */
function folded(slug, lines) {
  const plain = lines.filter(({ sentence }) => sentence.minor);
  const hidden = new Set(plain.slice(SHOWN - (lines.length - plain.length) > 2 ? SHOWN - (lines.length - plain.length) : 2));
  const kept = lines.filter((one) => !hidden.has(one));
  if (hidden.size === 0) return lines.map(line);
  return [...kept.map(line), h("details", { key: "more" }, h("summary", null, t(ofGame(slug, "feed.more"), { n: hidden.size })), [...hidden].map(line))];
}

/** @param {Line} line */
function line({ event, sentence }) {
  return h("p", { class: `line ${sentence.tone}`, "data-seq": event.seq, "data-event": event.name }, sentence.text);
}
