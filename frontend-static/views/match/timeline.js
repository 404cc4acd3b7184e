/** The time line under a board: ways to other moments, who did what in the one that is shown, and the way back to the present. */

import { boardHash } from "../../lib/board.js";
import { h } from "../../lib/dom.js";
import { copier, isOnlyHere } from "../parts/copy.js";
import { SPEEDS, groupOf } from "../../history/playback.js";
import { say, shortHex, t } from "../../i18n/translate.js";

/** @import { Past } from "../../history/playback.js" */
/** @import { ChainEvent, Json, Renderer, Stage } from "../../types.js" */

/** Sentences that are told beside the number of the moment. */
const TOLD = 3;

/** @param {Stage} stage @param {string} match @param {Renderer} renderer @param {any} links */
export function timeLine(stage, match, renderer, links) {
  const { past } = stage;
  if (past.last === 0) return null;
  return h("section", { class: "time-line", id: "time-line", "aria-label": t("past.label"), "data-looking": past.at !== null, "data-playing": past.playing, "aria-busy": String(past.aim !== null) },
    refused(past), controls(past), h("div", { class: "time-where" }, moment(stage, match, renderer), compared(stage, match)), h("div", { class: "time-foot" }, links));
}

/** @param {Past} past */
function controls(past) {
  const { at, last, playing, seq } = past;
  const begun = at !== null && past.edge(at.seq, -1);
  const atFirst = begun !== false && "seq" in begun && begun.seq === 1;
  return h("div", { class: "time-keys", role: "group", "aria-label": t("past.ways") },
    way("first", "M4 3v10M13 3 6 8l7 5Z", () => past.first(), atFirst),
    way("back", "M11 3 4 8l7 5Z", () => past.back(), atFirst),
    way(playing ? "pause" : "play", playing ? "M5 3v10M11 3v10" : "M4 2.5 13.5 8 4 13.5Z", () => past.toggle(), false, "play"),
    way("forward", "M5 3l7 5-7 5Z", () => past.forward(), at === null && !past.aim),
    way("last", "M12 3v10M3 3l7 5-7 5Z", () => past.present(), at === null && !past.aim),
    h("input", { id: "time-slider", type: "range", min: 1, max: last, step: 1, value: String(Math.min(seq, last)), "aria-label": t("past.slider"), "aria-valuetext": t("past.of", { seq, last }), oninput: (/** @type {Event} */ event) => past.slide(Number(/** @type {HTMLInputElement} */ (event.target).value)) }),
    h("span", { class: "number of" }, `${seq} / ${last}`),
    choice("time-speed", t("past.speed"), String(past.speed), SPEEDS.map((speed) => [String(speed), t("past.times", { speed })]), (value) => past.run(Number(value))),
    choice("time-step", t("past.step"), past.by, [["tx", t("past.by-tx")], ["event", t("past.by-event")]], (value) => past.stepBy(value === "event" ? "event" : "tx")));
}

/** @param {string} name @param {string} icon @param {() => void} go @param {boolean} disabled @param {string} [id] */
function way(name, icon, go, disabled, id = name) {
  const label = t(`past.way.${name}`);
  return h("button", { id: `time-${id}`, key: id, type: "button", class: "quiet round", "aria-label": label, title: label, disabled, onclick: go },
    h("svg", { class: "icon solid", width: 16, height: 16, viewBox: "0 0 16 16", "aria-hidden": "true" }, h("path", { d: icon })));
}

/** @param {string} id @param {string} label @param {string} value @param {string[][]} options @param {(value: string) => void} choose */
function choice(id, label, value, options, choose) {
  const change = (/** @type {Event} */ event) => choose(/** @type {HTMLSelectElement} */ (event.target).value);
  return h("select", { id, class: "small", "aria-label": label, title: label, value, onchange: change },
    options.map(([name, text]) => h("option", { key: name, value: name, selected: name === value }, text)));
}

/** Which moment is shown, and who did what in it. @param {Stage} stage @param {string} match @param {Renderer} renderer */
function moment(stage, match, renderer) {
  const { at, by, last, playing } = stage.past;
  const event = at?.event ?? stage.past.record?.event(last);
  const told = at ? sentencesOf(stage, match, renderer, by === "event" || at.ghost ? [at.event] : groupOf(stage.events(match), at)) : [];
  const position = event ? t("match.position", { seq: at?.seq ?? last, height: event.block }) : t("past.of", { seq: last, last });
  return h("p", { class: "moment", id: "moment", role: "status", "aria-live": playing ? "off" : "polite" },
    h("span", { class: "number position", "data-seq": at?.seq ?? last, title: event && t("match.block-tx", { height: event.block, tx: event.tx }) }, position), told.length > 0 && ` · ${told.join(" · ")}`);
}

/** @param {Stage} stage @param {string} match @param {Renderer} renderer @param {ChainEvent[]} group */
function sentencesOf(stage, match, renderer, group) {
  const board = stage.board(match) ?? {};
  const told = group.flatMap((event) => renderer.sentences(event, board, group)).map(({ text }) => text);
  const rest = told.length - TOLD;
  return rest > 1 ? [...told.slice(0, TOLD), t("feed.more", { n: rest })] : told;
}

/** By what the board can be compared. @param {Stage} stage @param {string} match */
function compared(stage, match) {
  const hash = hashOf(stage.board(match) ?? {});
  return h("span", { class: "mono", title: hash }, t("match.hash", { hash: hash.slice(0, 10) }));
}

/** The link to what is shown: to the match, or to just this moment of it. @param {Stage} stage @param {string} match */
export function copyLink(stage, match) {
  const { at } = stage.past;
  const seq = at && !at.ghost ? at.seq : 0;
  const text = t(seq ? "past.copy-moment" : "match.copy-link");
  const address = new URL(stage.link(match, seq), location.href).href;
  return copier(stage, address, "copy-link", text, text, t(isOnlyHere(address) ? "copy.done-here" : "match.copied"));
}

/** Why it is not shown what was asked for. @param {Past} past */
function refused(past) {
  const { trouble, at } = past;
  if (!trouble) return null;
  const back = !at && h("button", { id: "to-present", type: "button", class: "small loud", onclick: () => past.present() }, t("past.to-present"));
  return h("div", { class: "row refused-moment" }, h("p", { class: "trouble", id: "past-trouble", role: "alert", "data-why": trouble.key }, say(trouble)), back);
}

/** @type {WeakMap<object, string>} */
const hashes = new WeakMap();

/** @param {Json} board */
function hashOf(board) {
  const hash = hashes.get(board) ?? boardHash(board);
  hashes.set(board, hash);
  return hash;
}

/** The file that anybody can check against the chain. @param {string} match */
export function saveReplay(match) {
  const name = `${match.replace("/", "-")}.json`;
  return h("a", { id: "save-replay", class: "button small quiet", href: `/api/matches/${match}/replay`, download: name, title: t("replay.save-title") }, t("replay.save"));
}

/** In the place of what can be done: that nothing can be done in the past, what happened since, and the way back. @param {Stage} stage */
export function wayBack({ past }) {
  const { at, last, missed } = past;
  if (!at) return null;
  const ghost = at.ghost && h("p", { id: "ghost-told", class: "trouble" }, t("ghost.told", { height: at.event.block, hash: shortHex(at.event.hash) }));
  return h("div", { class: "actions looking", id: "looking", role: "group", tabindex: -1, "aria-label": t("past.looking"), "data-missed": missed },
    h("div", { class: "action" },
      ghost || h("p", null, h("strong", null, t("past.looking")), " ", t("past.lead", { seq: at.seq, last })),
      h("p", { class: "hint", id: "moved-on", role: "status" }, missed > 0 && t("past.moved-on", { n: missed })),
      h("button", { id: "to-present", type: "button", class: "loud", onclick: () => past.present() }, t("past.to-present"))));
}
