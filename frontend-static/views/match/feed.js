/**
 * The list of moves, which shows events as sentences. The newest transaction is at the top. Each
 * transaction's events are in the chain's order. The list also has orphaned events, which a reorg
 * has removed from the chain.
 */

import { mergeBySeq } from "../../lib/board.js";
import { h } from "../../lib/dom.js";
import { language } from "../../i18n/language.js";
import { gameKey, t } from "../../i18n/translate.js";
import { namesRevision } from "../../names/names.js";

/** @import { Tree } from "../../lib/dom.js" */
/** @import { MatchContext } from "../../history/match-context.js" */
/** @import { ChainEvent, Json, OrphanedEvent, Playhead, Renderer, Sentence } from "../../types.js" */

const MAX_UNFOLDED = 10;
/**
 * The list as drawn last. It is cached because it can have hundreds of sentences.
 * @type {{marks: any[], trees: FeedItem[]}|null}
 */
let cached = null;

/** @typedef {{group: ChainEvent[], tree: Tree}} FeedItem */
/** @typedef {{slug: string, board: Json, me: string, renderer: Renderer, link: (seq: number) => string, showOrphan: (orphan: OrphanedEvent) => void}} FeedContext */

/** Group events by transaction, the newest first. The events of a group are in the chain's order. @param {ChainEvent[]} events @returns {ChainEvent[][]} */
export function byTransaction(events) {
  /** @type {ChainEvent[][]} */
  const found = [];
  for (const event of mergeBySeq(events, [])) {
    const last = found.at(-1);
    if (last && last[0].tx === event.tx && last[0].hash === event.hash) last.push(event);
    else found.push([event]);
  }
  return found.reverse();
}

/** @param {MatchContext} matchContext @param {string} match @param {Renderer} renderer */
export function feed(matchContext, match, renderer) {
  const [events, orphans, board] = [
    matchContext.events(match),
    matchContext.orphansOf(match),
    matchContext.latestBoard(match) ?? {},
  ];
  const { me } = matchContext;
  const marks = [match, events, orphans, board, matchContext.ui.older, namesRevision(), language, me];
  if (!cached || marks.some((mark, i) => mark !== cached?.marks[i])) {
    const showOrphan = (/** @type {OrphanedEvent} */ orphan) => matchContext.playback.showOrphan(orphan);
    cached = {
      marks,
      trees: items(
        { slug: match.split("/")[0], board, me, renderer, link: (seq) => matchContext.link(match, seq), showOrphan },
        events,
        orphans,
      ),
    };
  }
  return feedList(matchContext, match, cached.trees, events[0]?.seq ?? 1);
}

/**
 * Return the events grouped by transaction, with the tree of each group. A group of orphaned events
 * comes just below the group that has replaced it. @param {FeedContext} feedContext @param {ChainEvent[]} events @param {OrphanedEvent[]} orphans @returns {FeedItem[]}
 */
function items(feedContext, events, orphans) {
  const first = events[0]?.seq ?? 1;
  const there = byTransaction(events).map((group) => ({ group, tree: transactionItem(feedContext, group) }));
  const orphaned = orphansByTransaction(orphans.filter(({ seq }) => seq >= first)).map((group) => ({
    group,
    tree: orphanedTransactionItem(feedContext, group),
  }));
  return [...there, ...orphaned].sort((a, b) => b.group[0].seq - a.group[0].seq);
}

/** Group orphaned events by transaction, the newest first. @param {OrphanedEvent[]} orphans @returns {OrphanedEvent[][]} */
function orphansByTransaction(orphans) {
  /** @type {Map<string, OrphanedEvent[]>} */
  const found = new Map();
  for (const orphan of orphans)
    found.set(orphan.tx + orphan.hash, [...(found.get(orphan.tx + orphan.hash) ?? []), orphan]);
  return [...found.values()].reverse();
}

/** @param {MatchContext} matchContext @param {string} match @param {FeedItem[]} trees @param {number} first */
function feedList(matchContext, match, trees, first) {
  const { playhead } = matchContext.playback;
  const nodes = trees.map(({ group, tree }) =>
    isAt(group, playhead)
      ? { ...tree, props: { ...tree.props, class: `${tree.props.class} now`, "aria-current": "step" } }
      : tree,
  );
  const empty = h("p", { class: "hint" }, t("match.feed-empty"));
  const older =
    first > 1 &&
    !playhead &&
    matchContext.loadOlder &&
    h(
      "button",
      {
        id: "older",
        key: "older",
        type: "button",
        class: "small",
        disabled: matchContext.ui.older,
        onclick: () => void matchContext.loadOlder?.(match),
      },
      t("past.older"),
    );
  return h(
    "section",
    { class: "feed-box", "aria-labelledby": "feed-title" },
    h("h2", { id: "feed-title" }, t("match.feed")),
    h(
      "div",
      {
        id: "feed",
        class: "feed",
        role: "log",
        "aria-live": playhead ? "off" : "polite",
        tabindex: 0,
        "aria-labelledby": "feed-title",
        drawn: (/** @type {HTMLElement} */ element) => scrollToPlayhead(element, playhead),
      },
      nodes.length ? nodes : empty,
      older,
    ),
  );
}

/** @param {ChainEvent[]} group @param {Playhead|null} playhead */
function isAt(group, playhead) {
  return playhead !== null && group.some(({ seq, hash }) => seq === playhead.seq && hash === playhead.event.hash);
}

/** The playhead to which each list was last scrolled. @type {WeakMap<Element, Playhead|null>} */
const scrolledTo = new WeakMap();

/** Scroll the list to the playhead if the list has its own scroll bar. @param {HTMLElement} element @param {Playhead|null} playhead */
function scrollToPlayhead(element, playhead) {
  if (scrolledTo.get(element) === playhead) return;
  scrolledTo.set(element, playhead);
  if (element.scrollHeight <= element.clientHeight) return;
  const now = /** @type {HTMLElement|null} */ (element.querySelector("[aria-current]"));
  if (!now) return void (playhead === null && element.scrollTo(0, 0));
  const [box, row] = [element.getBoundingClientRect(), now.getBoundingClientRect()];
  if (row.top < box.top || row.bottom > box.bottom - 24) element.scrollBy(0, row.top - box.top - box.height / 3);
}

/** @param {FeedContext} feedContext @param {ChainEvent[]} group */
function transactionItem(feedContext, group) {
  const [first] = group;
  const lines = sentences(feedContext, group);
  return h(
    "div",
    { class: "group", key: `${first.seq}-${first.hash}`, "data-block": first.block, "data-tx": first.tx },
    h(
      "div",
      { class: "lines" },
      lines.length > MAX_UNFOLDED + 2 ? foldedLines(feedContext, lines) : lines.map((one) => line(feedContext, one)),
    ),
  );
}

/** @param {FeedContext} feedContext @param {ChainEvent[]} group */
const sentences = ({ renderer, board, me }, group) =>
  group.flatMap((event) => renderer.sentences(event, board, group, me).map((sentence) => ({ event, sentence })));

/**
 * Return the element for a group of orphaned events. Its attributes are different from those of a
 * move, so that scripts don't mistake orphaned events for moves.
 * @param {FeedContext} feedContext @param {OrphanedEvent[]} group
 */
function orphanedTransactionItem(feedContext, group) {
  const [first] = group;
  const lines = sentences(feedContext, group)
    .slice(0, MAX_UNFOLDED)
    .map(({ event, sentence }) => {
      const orphan = /** @type {OrphanedEvent} */ (event);
      return h(
        "p",
        { class: "line", "data-ghost-seq": orphan.seq, "data-event": orphan.name },
        h(
          "button",
          { type: "button", class: "go", tabindex: -1, onclick: () => feedContext.showOrphan(orphan) },
          sentence.text,
        ),
      );
    });
  return h(
    "div",
    {
      class: "group ghost",
      key: `ghost-${first.seq}-${first.hash}`,
      "data-ghost": first.tx,
      "data-ghost-block": first.block,
    },
    h("div", { class: "lines" }, h("p", { class: "taken-back" }, t("ghost.mark")), lines),
  );
}

/** @typedef {{event: ChainEvent, sentence: Sentence}} FeedLine */

/** Return the lines for a transaction with many lines. The minor lines are folded. @param {FeedContext} feedContext @param {FeedLine[]} lines */
function foldedLines(feedContext, lines) {
  const plain = lines.filter(({ sentence }) => sentence.minor);
  const hidden = new Set(
    plain.slice(MAX_UNFOLDED - (lines.length - plain.length) > 2 ? MAX_UNFOLDED - (lines.length - plain.length) : 2),
  );
  const stay = lines.filter((one) => !hidden.has(one));
  const tree = (/** @type {FeedLine} */ one) => line(feedContext, one);
  if (hidden.size === 0) return lines.map(tree);
  return [
    ...stay.map(tree),
    h(
      "details",
      { key: "more" },
      h("summary", null, t(gameKey(feedContext.slug, "feed.more"), { n: hidden.size })),
      [...hidden].map(tree),
    ),
  ];
}

/**
 * Return a line of the list. A click on the line shows the board after the line's event. Keyboard
 * users can use the timeline instead.
 * @param {FeedContext} feedContext @param {FeedLine} line
 */
function line({ link }, { event, sentence }) {
  return h(
    "p",
    { class: `line ${sentence.tone}`, "data-seq": event.seq, "data-event": event.name },
    h("a", { class: "go", href: link(event.seq), tabindex: -1 }, sentence.text),
  );
}
