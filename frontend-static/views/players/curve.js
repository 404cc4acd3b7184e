/** The curve of a player's rating in a game, with a description of the selected match. */

import { CURVE } from "../../app/lobby/career.js";
import { ago, t } from "../../i18n/translate.js";
import { h } from "../../lib/dom.js";
import { nameOf } from "../../names/names.js";
import { playerLink, titleOf } from "../parts/labels.js";
import { sentence } from "../parts/sentence.js";
import { START, curveOf, nearest } from "./curve-points.js";

/** @import { ServerState } from "../../app/server-state.js" */
/** @import { Ui } from "../../app/ui.js" */
/** @import { Json } from "../../types.js" */
/** @import { Curve } from "./curve-points.js" */
/** @typedef {{redraw: () => void, server: ServerState, ui: Ui}} Uses */

/**
 * The size of the drawing in SVG units. The browser stretches the drawing to the available space.
 */
const [WIDTH, HEIGHT] = [1000, 100];
/** The maximum number of points with a mark. More marks would only make the line look thicker. */
const MAX_MARKS = 60;

/** @param {Uses} app @param {string} game @param {Json} answer the server's answer */
export function ratingCurve(app, game, answer) {
  const matches = /** @type {Json[]} */ ([...answer.ratings].reverse());
  if (!matches.length) return null;
  const isWhole = !answer.next;
  const ratings = matches.map(({ rating }) => Number(rating));
  const curve = curveOf(ratings, isWhole);
  const at = Math.min(app.ui.career.at[game] ?? matches.length - 1, matches.length - 1);
  const choose = (/** @type {number} */ i) => {
    if (i === at) return;
    app.ui.career.at[game] = i;
    app.redraw();
  };
  const title = app.server.games.get(game)?.title ?? game;
  const id = `curve-${game}`;
  return h(
    "section",
    { class: "card curve", key: game, id, "data-matches": matches.length, "aria-labelledby": `${id}-title` },
    h("h2", { id: `${id}-title` }, t("players.curve", { game: title })),
    plot(curve, at, choose, summary(title, ratings, isWhole)),
    h(
      "div",
      { class: "row span", "aria-hidden": "true" },
      h("span", null, isWhole ? t("players.curve-start") : t("players.curve-last", { n: CURVE })),
      h("span", null, t("players.curve-now")),
    ),
    matches.length > 1 && slider(id, matches, at, choose),
    h("p", { class: "point", id: `${id}-point`, "data-point": matches[at].match }, inWords(app, matches, at, isWhole)),
  );
}

/** Return a sentence that describes the rating curve, for screen readers. @param {string} game @param {number[]} ratings @param {boolean} isWhole */
function summary(game, ratings, isWhole) {
  const all = isWhole ? [START, ...ratings] : ratings;
  const [low, high] = [Math.min(...all), Math.max(...all)].map((rating) => rating.toFixed(0));
  const [first, last] = [all[0], all[all.length - 1]].map((rating) => rating.toFixed(0));
  return t("players.curve-label", { game, n: ratings.length, first, last, low, high });
}

/** @param {Curve} curve @param {number} at @param {(i: number) => void} choose @param {string} label */
function plot(curve, at, choose, label) {
  const { points, ticks, line } = curve;
  const onpointermove = (/** @type {PointerEvent} */ event) => {
    const { left, width } = /** @type {Element} */ (event.currentTarget).getBoundingClientRect();
    choose(nearest(curve, (event.clientX - left) / width));
  };
  const xy = (/** @type {{x: number, y: number}} */ { x, y }) => `${(x * WIDTH).toFixed(1)} ${(y * HEIGHT).toFixed(2)}`;
  const marks = points.length <= MAX_MARKS ? points : [];
  return h(
    "div",
    { class: "plot" },
    ticks.map(({ rating, y }) =>
      h("span", { class: "tick number", key: rating, vars: { "--y": y }, "aria-hidden": "true" }, String(rating)),
    ),
    h(
      "div",
      { class: "canvas", onpointermove, onpointerdown: onpointermove },
      h(
        "svg",
        { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img", "aria-label": label },
        h("path", { class: "grid", d: ticks.map(({ y }) => `M0 ${(y * HEIGHT).toFixed(2)}H${WIDTH}`).join("") }),
        h("path", { class: "rating", d: `M${line.map(xy).join("L")}` }),
        h("path", { class: "marks", d: marks.map((point) => `M${xy(point)}h0`).join("") }),
        h("path", { class: "chosen", d: `M${xy(points[at])}h0` }),
      ),
    ),
  );
}

/** Return a slider for selecting a match by keyboard or touch. @param {string} id @param {Json[]} matches @param {number} at @param {(i: number) => void} choose */
const slider = (id, matches, at, choose) =>
  h("input", {
    id: `${id}-slider`,
    type: "range",
    min: 1,
    max: matches.length,
    step: 1,
    value: String(at + 1),
    "aria-label": t("players.curve-slider"),
    "aria-valuetext": pointText(matches[at], nameOf),
    oninput: (/** @type {Event} */ event) => choose(Number(/** @type {HTMLInputElement} */ (event.target).value) - 1),
  });

/** @param {Json} match @param {(address: string) => string} name */
function pointText({ result, rating, opponents: [first, ...more] }, name) {
  const who = first && !more.length ? name(first) : t("players.rivals-n", { n: more.length + (first ? 1 : 0) });
  return t(`players.point-${result}`, { who, rating: rating.toFixed(0) });
}

/** @param {Uses} app @param {Json[]} matches @param {number} at @param {boolean} isWhole */
function inWords(app, matches, at, isWhole) {
  const { match, result, rating, time, opponents } = matches[at];
  const before = at > 0 ? matches[at - 1].rating : isWhole ? START : null;
  const change = before === null ? 0 : Math.round(rating) - Math.round(before);
  const who =
    opponents.length === 1 ? playerLink(opponents[0]) : h("span", null, t("players.rivals-n", { n: opponents.length }));
  return [
    h("a", { href: `#/match/${match}` }, titleOf(app, match)),
    " ",
    sentence(`players.point-${result}`, { who }, { rating: rating.toFixed(0) }).map((piece) =>
      typeof piece === "string" ? h("span", null, piece) : piece,
    ),
    change !== 0 &&
      h("span", { class: change > 0 ? "gain number" : "loss number" }, t("players.change", { n: change })),
    " ",
    h("span", { class: "hint" }, ago(Date.now() / 1000 - time)),
  ];
}
