/**
 * The timeline below a board: the controls, sentences about the events at the playhead (the
 * displayed event), and the button that returns to the latest board.
 */

import { h } from "../../../lib/dom.js";
import { copyButton, isLocalAddress } from "../../parts/copy.js";
import { SPEEDS } from "../../../history/playback.js";
import { eventsOfTx, txEdge } from "../../../history/transaction-events.js";
import { t, translate } from "../../../i18n/translate.js";
import { siteUrl } from "../../../lib/site.js";

/** @import { Playback } from "../../../history/playback.js" */
/** @import { MatchContext } from "../../../history/match-context.js" */
/** @import { ChainEvent, Renderer } from "../../../types.js" */

/** The maximum number of sentences about the events at the playhead. */
const MAX_TEXTS = 3;

/**
 * Return true if the timeline is collapsed, because the page shows the latest board and the player
 * hasn't opened the timeline.
 * @param {MatchContext} matchContext @param {string} match
 */
function isCollapsed({ hasServer, playback, ui }, match) {
  const busy = playback.playhead !== null || playback.target !== null || playback.trouble !== null;
  return hasServer && !busy && ui.openTimeline !== match;
}

/** @param {MatchContext} matchContext @param {string} match @param {Renderer} renderer @param {any} facts @param {any} links */
export function timeline(matchContext, match, renderer, facts, links) {
  const { playback } = matchContext;
  if (playback.last === 0) return null;
  const collapsed = isCollapsed(matchContext, match);
  return h(
    "section",
    {
      class: collapsed ? "time-line thin" : "time-line",
      id: "time-line",
      "aria-label": t("past.label"),
      "data-looking": playback.playhead !== null,
      "data-playing": playback.playing,
      "aria-busy": String(playback.target !== null),
    },
    seekError(playback),
    controls(matchContext, match, collapsed),
    !collapsed && h("div", { class: "time-where", key: "where" }, playheadText(matchContext, match, renderer)),
    h("div", { class: "time-foot", key: "foot" }, facts, links),
  );
}

/** @param {MatchContext} matchContext @param {string} match @param {boolean} collapsed */
function controls({ playback, ui, redraw, hasServer }, match, collapsed) {
  const { playhead, last, playing, seq } = playback;
  const begun = playhead !== null && txEdge(playback.history, playhead.seq, -1);
  const atFirst = begun !== false && "seq" in begun && begun.seq === 1;
  return h(
    "div",
    { class: "time-keys", key: "keys", role: "group", "aria-label": t("past.ways") },
    !collapsed && stepButton("first", "M4 3v10M13 3 6 8l7 5Z", () => playback.slide(1), atFirst),
    stepButton("back", "M11 3 4 8l7 5Z", () => playback.back(), atFirst),
    stepButton(
      playing ? "pause" : "play",
      playing ? "M5 3v10M11 3v10" : "M4 2.5 13.5 8 4 13.5Z",
      () => playback.toggle(),
      false,
      "play",
    ),
    !collapsed &&
      stepButton("forward", "M5 3l7 5-7 5Z", () => playback.forward(), playhead === null && !playback.target),
    !collapsed &&
      stepButton("last", "M12 3v10M3 3l7 5-7 5Z", () => playback.present(), playhead === null && !playback.target),
    h("input", {
      id: "time-slider",
      key: "slider",
      type: "range",
      min: 1,
      max: last,
      step: 1,
      value: String(Math.min(seq, last)),
      "aria-label": t("past.slider"),
      "aria-valuetext": t("past.of", { seq, last }),
      oninput: (/** @type {Event} */ event) =>
        playback.slide(Number(/** @type {HTMLInputElement} */ (event.target).value)),
    }),
    h("span", { class: "number of", key: "of", "data-seq": playhead?.seq ?? last }, `${seq} / ${last}`),
    !collapsed &&
      choice(
        "time-speed",
        t("past.speed"),
        String(playback.speed),
        SPEEDS.map((speed) => [String(speed), t("past.times", { speed })]),
        (value) => playback.setSpeed(Number(value)),
      ),
    !collapsed &&
      choice(
        "time-step",
        t("past.step"),
        playback.stepUnit,
        [
          ["tx", t("past.by-tx")],
          ["event", t("past.by-event")],
        ],
        (value) => playback.setStepUnit(value === "event" ? "event" : "tx"),
      ),
    playhead === null && hasServer && expandButton(ui, redraw, match, collapsed),
  );
}

/** Return the button that expands or collapses the timeline at the latest board. @param {MatchContext["ui"]} ui @param {() => void} redraw @param {string} match @param {boolean} collapsed */
function expandButton(ui, redraw, match, collapsed) {
  const toggle = () => {
    ui.openTimeline = collapsed ? match : "";
    redraw();
  };
  const label = t(collapsed ? "past.more" : "past.less");
  return h(
    "button",
    {
      id: "time-open",
      key: "open",
      type: "button",
      class: "quiet round",
      "aria-label": label,
      "aria-expanded": String(!collapsed),
      title: label,
      onclick: toggle,
    },
    h(
      "svg",
      { class: "icon", width: 16, height: 16, viewBox: "0 0 16 16", "aria-hidden": "true" },
      h("path", { d: collapsed ? "M3 6l5 5 5-5" : "M3 10l5-5 5 5" }),
    ),
  );
}

/** @param {string} name @param {string} icon @param {() => void} go @param {boolean} disabled @param {string} [id] */
function stepButton(name, icon, go, disabled, id = name) {
  const label = t(`past.way.${name}`);
  return h(
    "button",
    {
      id: `time-${id}`,
      key: id,
      type: "button",
      class: "quiet round",
      "aria-label": label,
      title: label,
      disabled,
      onclick: go,
    },
    h(
      "svg",
      { class: "icon solid", width: 16, height: 16, viewBox: "0 0 16 16", "aria-hidden": "true" },
      h("path", { d: icon }),
    ),
  );
}

/** @param {string} id @param {string} label @param {string} value @param {string[][]} options @param {(value: string) => void} choose */
function choice(id, label, value, options, choose) {
  const change = (/** @type {Event} */ event) => choose(/** @type {HTMLSelectElement} */ (event.target).value);
  return h(
    "select",
    { id, class: "small", "aria-label": label, title: label, value, onchange: change },
    options.map(([name, text]) => h("option", { key: name, value: name, selected: name === value }, text)),
  );
}

/** Return the number of the event at the playhead, with sentences about its transaction's events. @param {MatchContext} matchContext @param {string} match @param {Renderer} renderer */
function playheadText(matchContext, match, renderer) {
  const { playhead, stepUnit, last, playing } = matchContext.playback;
  const texts = playhead
    ? sentencesOf(
        matchContext,
        match,
        renderer,
        stepUnit === "event" || playhead.orphan ? [playhead.event] : eventsOfTx(matchContext.events(match), playhead),
      )
    : [];
  const position = t("past.of", { seq: playhead?.seq ?? last, last });
  return h(
    "p",
    { class: "moment", id: "moment", role: "status", "aria-live": playing ? "off" : "polite" },
    h("span", { class: "number position" }, position),
    texts.length > 0 && ` · ${texts.join(" · ")}`,
  );
}

/** @param {MatchContext} matchContext @param {string} match @param {Renderer} renderer @param {ChainEvent[]} group */
function sentencesOf(matchContext, match, renderer, group) {
  const board = matchContext.board(match) ?? {};
  const texts = group.flatMap((event) => renderer.sentences(event, board, group)).map(({ text }) => text);
  const rest = texts.length - MAX_TEXTS;
  return rest > 1 ? [...texts.slice(0, MAX_TEXTS), t("feed.more", { n: rest })] : texts;
}

/** Return the button that copies a link to the match or to the event at the playhead. @param {MatchContext} matchContext @param {string} match @param {boolean|undefined} isDevelopment true on a development chain */
export function copyLink(matchContext, match, isDevelopment) {
  const { playhead } = matchContext.playback;
  const seq = playhead && !playhead.orphan ? playhead.seq : 0;
  const text = t(seq ? "past.copy-moment" : "match.copy-link");
  const address = new URL(matchContext.link(match, seq), location.href).href;
  return copyButton(
    matchContext,
    address,
    "copy-link",
    text,
    text,
    t("match.copied"),
    isLocalAddress(address, isDevelopment) ? t("copy.only-here") : undefined,
  );
}

/** Return why the page can't show the requested event. @param {Playback} playback */
function seekError(playback) {
  const { trouble, playhead } = playback;
  if (!trouble) return null;
  const back =
    !playhead &&
    h(
      "button",
      { id: "to-present", type: "button", class: "small loud", onclick: () => playback.present() },
      t("past.to-present"),
    );
  return h(
    "div",
    { class: "row refused-moment" },
    h("p", { class: "trouble", id: "past-trouble", role: "alert", "data-why": trouble.key }, translate(trouble)),
    back,
  );
}

/** Return the link to the replay file, which anyone can check against the chain. @param {string} match */
export function saveReplay(match) {
  const name = `${match.replace("/", "-")}.json`;
  return h(
    "a",
    {
      id: "save-replay",
      class: "button small quiet",
      href: siteUrl(`api/matches/${match}/replay`),
      download: name,
      title: t("replay.save-title"),
    },
    t("replay.save"),
  );
}

/**
 * Return the note that replaces the buttons of a match while the page shows an earlier board. It
 * says how many events have happened since then, and has a button that returns to the latest board.
 * @param {MatchContext} matchContext
 */
export function backToPresent({ playback }) {
  const { playhead, last, missed } = playback;
  if (!playhead) return null;
  const orphan = playhead.orphan && h("p", { id: "ghost-told", class: "trouble" }, t("ghost.told"));
  return h(
    "div",
    {
      class: "actions looking",
      id: "looking",
      role: "group",
      tabindex: -1,
      "aria-label": t("past.looking"),
      "data-missed": missed,
    },
    h(
      "div",
      { class: "action" },
      orphan || h("p", null, h("strong", null, t("past.looking")), " ", t("past.lead", { seq: playhead.seq, last })),
      h("p", { class: "hint", id: "moved-on", role: "status" }, missed > 0 && t("past.moved-on", { n: missed })),
      h(
        "button",
        { id: "to-present", type: "button", class: "loud", onclick: () => playback.present() },
        t("past.to-present"),
      ),
    ),
  );
}
