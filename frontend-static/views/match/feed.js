/** What happened, in words: newest block first, in a block in the order of the chain; among it what a reorg took back. */

import { inOrder } from "../../lib/board.js";
import { h } from "../../lib/dom.js";
import { ofGame, shortHex, t } from "../../i18n/translate.js";

/** @import { Tree } from "../../lib/dom.js" */
/** @import { ChainEvent, Ghost, Json, Moment, Renderer, Sentence, Stage } from "../../types.js" */

const SHOWN = 10;
/** Hundreds of sentences are made anew only when there are new ones. @type {{marks: any[], trees: Told[]}|null} */
let kept = null;

/** @typedef {{group: ChainEvent[], tree: Tree}} Told */
/** @typedef {{slug: string, board: Json, renderer: Renderer, link: (seq: number) => string, haunt: (ghost: Ghost) => void}} Teller */

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

/** @param {Stage} stage @param {string} match @param {Renderer} renderer */
export function feed(stage, match, renderer) {
  const [events, ghosts, board] = [stage.events(match), stage.ghostsOf(match), stage.latest(match) ?? {}];
  const marks = [match, events, ghosts, board, stage.ui.older];
  if (!kept || marks.some((mark, i) => mark !== kept?.marks[i])) {
    const haunt = (/** @type {Ghost} */ ghost) => stage.past.haunt(ghost);
    kept = { marks, trees: told({ slug: match.split("/")[0], board, renderer, link: (seq) => stage.link(match, seq), haunt }, events, ghosts) };
  }
  return box(stage, match, kept.trees, events[0]?.seq ?? 1);
}

/** Where each ghost stood: just below what came in its place. @param {Teller} teller @param {ChainEvent[]} events @param {Ghost[]} ghosts @returns {Told[]} */
function told(teller, events, ghosts) {
  const first = events[0]?.seq ?? 1;
  const there = groups(events).map((group) => ({ group, tree: block(teller, group) }));
  const gone = ghostGroups(ghosts.filter(({ seq }) => seq >= first)).map((group) => ({ group, tree: ghostBlock(teller, group) }));
  return [...there, ...gone].sort((a, b) => b.group[0].seq - a.group[0].seq);
}

/** Those of one transaction together, the later ones first. @param {Ghost[]} ghosts @returns {Ghost[][]} */
function ghostGroups(ghosts) {
  /** @type {Map<string, Ghost[]>} */
  const found = new Map();
  for (const ghost of ghosts) found.set(ghost.tx + ghost.hash, [...(found.get(ghost.tx + ghost.hash) ?? []), ghost]);
  return [...found.values()].reverse();
}

/** @param {Stage} stage @param {string} match @param {Told[]} trees @param {number} first */
function box(stage, match, trees, first) {
  const { at } = stage.past;
  const shown = trees.map(({ group, tree }) => (isAt(group, at) ? { ...tree, props: { ...tree.props, class: `${tree.props.class} now`, "aria-current": "step" } } : tree));
  const empty = h("p", { class: "hint" }, t("match.feed-empty"));
  const older = first > 1 && !at && stage.loadOlder && h("button", { id: "older", key: "older", type: "button", class: "small", disabled: stage.ui.older, onclick: () => void stage.loadOlder?.(match) }, t("past.older"));
  return h("section", { class: "feed-box", "aria-labelledby": "feed-title" },
    h("h2", { id: "feed-title" }, t("match.feed")),
    h("div", { id: "feed", class: "feed", role: "log", "aria-live": at ? "off" : "polite", tabindex: 0, "aria-labelledby": "feed-title", drawn: (/** @type {HTMLElement} */ element) => follow(element, at) }, shown.length ? shown : empty, older),
  );
}

/** @param {ChainEvent[]} group @param {Moment|null} at */
function isAt(group, at) {
  return at !== null && group.some(({ seq, hash }) => seq === at.seq && hash === at.event.hash);
}

/** Whose moment each list shows. @type {WeakMap<Element, Moment|null>} */
const followed = new WeakMap();

/** The list goes along with the moment, where it scrolls by itself. @param {HTMLElement} element @param {Moment|null} at */
function follow(element, at) {
  if (followed.get(element) === at) return;
  followed.set(element, at);
  if (element.scrollHeight <= element.clientHeight) return;
  const now = /** @type {HTMLElement|null} */ (element.querySelector("[aria-current]"));
  if (!now) return void (at === null && element.scrollTo(0, 0));
  const [box, place] = [element.getBoundingClientRect(), now.getBoundingClientRect()];
  if (place.top < box.top || place.bottom > box.bottom - 24) element.scrollBy(0, place.top - box.top - box.height / 3);
}

/** @param {Teller} teller @param {ChainEvent[]} group */
function block(teller, group) {
  const [first] = group;
  const lines = sentences(teller, group);
  return h("div", { class: "group", key: `${first.seq}-${first.hash}`, "data-block": first.block, "data-tx": first.tx },
    when(first),
    h("div", { class: "lines" }, lines.length > SHOWN + 2 ? folded(teller, lines) : lines.map((one) => line(teller, one))),
  );
}

/** @param {ChainEvent} event */
function when({ block: height, tx }) {
  return h("span", { class: "when", title: t("match.block-tx", { height, tx }) }, h("span", { class: "number" }, String(height)), h("span", { class: "mono" }, shortHex(tx)));
}

/** @param {Teller} teller @param {ChainEvent[]} group */
const sentences = ({ renderer, board }, group) => group.flatMap((event) => renderer.sentences(event, board, group).map((sentence) => ({ event, sentence })));

/** What is no part of the match any more: other marks than those of a move, so that nobody counts it as one. @param {Teller} teller @param {Ghost[]} group */
function ghostBlock(teller, group) {
  const [first] = group;
  const lines = sentences(teller, group).slice(0, SHOWN).map(({ event, sentence }) => {
    const ghost = /** @type {Ghost} */ (event);
    return h("p", { class: "line", "data-ghost-seq": ghost.seq, "data-event": ghost.name }, h("button", { type: "button", class: "go", tabindex: -1, onclick: () => teller.haunt(ghost) }, sentence.text));
  });
  return h("div", { class: "group ghost", key: `ghost-${first.seq}-${first.hash}`, "data-ghost": first.tx, "data-ghost-block": first.block },
    when(first),
    h("div", { class: "lines" }, h("p", { class: "taken-back" }, t("ghost.mark", { height: first.block })), lines));
}

/** @typedef {{event: ChainEvent, sentence: Sentence}} Line */

/** A block of many sentences: the story stays, what is minor in it is folded. @param {Teller} teller @param {Line[]} lines */
function folded(teller, lines) {
  const plain = lines.filter(({ sentence }) => sentence.minor);
  const hidden = new Set(plain.slice(SHOWN - (lines.length - plain.length) > 2 ? SHOWN - (lines.length - plain.length) : 2));
  const stay = lines.filter((one) => !hidden.has(one));
  const told = (/** @type {Line} */ one) => line(teller, one);
  if (hidden.size === 0) return lines.map(told);
  return [...stay.map(told), h("details", { key: "more" }, h("summary", null, t(ofGame(teller.slug, "feed.more"), { n: hidden.size })), [...hidden].map(told))];
}

/** A click leads to its moment; the keyboard walks there along the time line. @param {Teller} teller @param {Line} line */
function line({ link }, { event, sentence }) {
  return h("p", { class: `line ${sentence.tone}`, "data-seq": event.seq, "data-event": event.name }, h("a", { class: "go", href: link(event.seq), tabindex: -1 }, sentence.text));
}
