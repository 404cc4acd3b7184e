/**
 * A bar at the top of each page that shows the search for an opponent. The bar stays there until
 * both players are in the match.
 */

import { h } from "../../lib/dom.js";
import { duration, t, translate } from "../../i18n/translate.js";
import { nameOf } from "../../names/names.js";

/** @import { Pairing } from "../../app/lobby/pairing.js" */
/** @import { Search } from "../../app/lobby/seek.js" */
/** @import { ServerState } from "../../app/server-state.js" */
/** @import { Opponents } from "../../app/lobby/opponents.js" */
/** @typedef {{opponents: Opponents, pairing: Pairing, redraw: () => void, server: ServerState}} Uses */

/** @param {Uses} app @param {string} [match] the match that the player is looking at, whose board the bar must not move */
export function pairingStrip(app, match) {
  const { search, why } = app.pairing;
  if (search && !(search.hidden && search.state === "waiting")) return strip(app, search, match);
  if (!why) return null;
  const close = () => {
    app.pairing.why = null;
    app.redraw();
  };
  return h(
    "div",
    { class: "pairing", id: "pairing", key: "pairing" },
    h("p", null, translate(why)),
    stripButton("pairing-close", "pairing.close", close),
  );
}

/** @param {Uses} app @param {Search} search @param {string} [match] */
function strip(app, search, match) {
  const { pairing } = app;
  const { state, opens } = search;
  const args = {
    game: [app.server.games.get(search.slug)?.title ?? search.slug, termsOf(search)].filter(Boolean).join(", "),
    name: nameOf(search.opponent || search.asked),
  };
  const offersComputer = pairing.offersComputer() && app.opponents.of(search.slug).length > 0;
  const found = state === "opening" ? (opens ? "opens" : "waits") : state;
  const waits = (search.asked && "asking") || (search.departures && "again") || (offersComputer && "alone") || found;
  return h(
    "div",
    { class: search.hidden || match ? "pairing over" : "pairing", id: "pairing", key: "pairing", "data-state": state },
    state !== "asked" && ring(search),
    h("p", null, t(`pairing.${state === "waiting" ? waits : found}`, args)),
    offersComputer && stripButton("pairing-computer", "pairing.computer", () => void pairing.playMeanwhile(), "loud"),
    state === "asked"
      ? [
          stripButton("pairing-accept", "pairing.accept", () => pairing.accept(), "loud"),
          stripButton("pairing-decline", "pairing.decline", () => pairing.stop()),
        ]
      : stripButton("pairing-stop", "pairing.stop", () => pairing.stop()),
  );
}

/** Return the clock of the matches in this search as text, or "" if the game has no clock. @param {Search} search */
const termsOf = ({ clock }) => (clock ? t("clock.each", { time: duration(clock) }) : "");

/** Return a ring that fills once per minute. Inside, it shows the seconds since the search began. @param {Search} search */
function ring({ startedAt }) {
  const seconds = Math.max(0, Math.floor((Date.now() - (startedAt || Date.now())) / 1000));
  const circle = { cx: 20, cy: 20, r: 17 };
  return h(
    "svg",
    { class: "ring", viewBox: "0 0 40 40", "aria-hidden": "true" },
    h("circle", circle),
    h("circle", { ...circle, class: "part", pathLength: 60, "stroke-dasharray": `${seconds % 60} 60` }),
    h("text", { x: 20, y: 20 }, String(seconds)),
  );
}

/** Return a button for the bar at the top of the page. @param {string} id @param {string} key the message key of the label @param {() => void} onclick @param {string} [style] */
export const stripButton = (id, key, onclick, style = "small") =>
  h("button", { id, key: id, type: "button", class: style, onclick }, t(key));
