/**
 * Lets the page play one turn after another, and stops it when the player has a decision to make.
 * This module has no side effects.
 */

import { afloat } from "./ships.js";

/** @import { I18nText, Json, RenderContext } from "../../types.js" */

/** @param {RenderContext} context @param {{board: Json, seq: number}} before the state when the player pressed the button @returns {I18nText|null} */
function why(context, before) {
  const { board, me } = context;
  const mine = afloat(board, me).length;
  if (mine < afloat(before.board, me).length)
    return { key: mine ? "touche-coule.series.last-ship" : "touche-coule.series.all-sunk" };
  const sunk = before.board.afloat - board.afloat;
  if (before.board.status === "playing" && sunk > 0) return { key: "touche-coule.series.sunk", args: { n: sunk } };
  return someoneSharedMaps(context, before.seq) ? { key: "touche-coule.series.message" } : null;
}

/**
 * Return true if another person's ships have shared their maps since event `seq`. Maps that
 * computer players share don't count, because computer players share them whenever they fire.
 * @param {RenderContext} context @param {number} seq
 */
function someoneSharedMaps({ events = [], me, opponents = [] }, seq) {
  const computers = opponents.flatMap(({ accounts }) => accounts.map(({ address }) => address));
  return events.some(
    ({ name, args, seq: at }) =>
      name === "Communicated" && at > seq && args.owner !== me && !computers.includes(String(args.owner)),
  );
}

/**
 * The move that the page repeats, and when it stops. `temporary`: the reasons that go away by
 * themselves. Here, the chain must first add a block. `harmless`: the errors after which the page
 * continues. Here, somebody else took a turn or changed position first.
 */
export const repeats = {
  actionId: "turn",
  maximum: 80,
  why,
  temporary: ["touche-coule.why.too-soon"],
  harmless: ["touche-coule.error.StaleMove", "touche-coule.error.TooSoon"],
};
