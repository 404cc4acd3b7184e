/**
 * Describes a land: its owner, its defence, and the strength that an attack must exceed. This
 * module has no side effects.
 */

import { h } from "../../lib/dom.js";
import { t } from "../../i18n/translate.js";
import { nameOf } from "../../names/names.js";
import { inSeat, plays } from "../shared/duel.js";
import {
  attack20,
  bestStrike,
  capitalOf,
  defence20,
  heroOn,
  isStronger,
  landsOf,
  outcomeOf,
  ownerOf,
  rangeOf,
  routeBetween,
  soldiersOf,
  soldiersText,
} from "./battle.js";
import { planOf, seatOf } from "./draft/plan.js";
import { badge } from "./seats.js";
import { CELLS, landAt, shoresOf, typeOf, worldOf } from "./world.js";

/** @import { Tree } from "../../lib/dom.js" */
/** @import { Json, RenderContext } from "../../types.js" */

/** @param {RenderContext} context @param {number} cell */
export function describe(context, cell) {
  const { board } = context;
  const world = worldOf(board);
  const land = cell < CELLS ? landAt(world, cell) : -1;
  if (land < 0) return t("conquest.land.sea");
  const plan = planOf(context);
  return [
    `${world.names[land]}, ${t(`conquest.type.${typeOf(world, land)}`)}`,
    ...(board.map ? [ownerText(context, land), t("conquest.land.soldiers", { n: soldiersOf(board, land) })] : []),
    ...(ownerOf(board, land) >= 0 ? [defenceText(board, land)] : []),
    ...ownership(context, land),
    ...(plan.source === land ? [t("conquest.land.selected")] : []),
    ...(plan.target === land ? [t("conquest.land.target")] : []),
    ...(plan.attacks.some(([, to]) => to === land) ? [t("conquest.land.attacked")] : []),
  ].join(", ");
}

/** @param {RenderContext} context @param {number} land */
function ownerText({ board, me }, land) {
  const address = inSeat(board, ownerOf(board, land));
  if (!address) return t("conquest.land.neutral");
  return address === me ? t("conquest.land.mine") : t("conquest.land.of", { name: nameOf(address) });
}

/** @param {Json} board @param {number} land */
const defenceText = (board, land) =>
  t("conquest.land.defence", { n: soldiersText(defence20(worldOf(board), board, land)) });

/** Describe who owns a land and what is on it, such as a capital or a port. @param {RenderContext} context @param {number} land */
function ownership({ board }, land) {
  const { graph } = worldOf(board);
  const { port, item } = board.lands?.[land] ?? {};
  return [
    capitalOf(board, land) >= 0 && t("conquest.land.capital"),
    heroOn(board, land) >= 0 && t("conquest.land.hero"),
    graph.forts[land] && t("conquest.land.fort"),
    port && t("conquest.land.port"),
    item && t(`conquest.land.item${item.fat ? "-fat" : ""}`, { n: item.turns }),
  ].filter((text) => typeof text === "string");
}

/** @param {RenderContext} context @param {number} cell @returns {Tree|null} */
export function inspect(context, cell) {
  const { board, me } = context;
  const world = worldOf(board);
  const land = landAt(world, cell);
  if (land < 0 || !board.map) return null;
  const owner = ownerOf(board, land);
  const rows = [
    t("conquest.land.soldiers", { n: soldiersOf(board, land) }),
    ...(owner >= 0 ? [defenceText(board, land)] : []),
    ...ownership(context, land),
    ...advice(context, land),
  ];
  const title = `${world.names[land]} · ${t(`conquest.type.${typeOf(world, land)}`)}`;
  return h(
    "div",
    { class: "land-card", id: "land-card", "data-land": land },
    h("strong", null, title),
    h(
      "span",
      { class: owner >= 0 ? `owner owner-${badge(owner).colour}` : "owner nobody" },
      ownerText({ ...context, me }, land),
    ),
    h(
      "ul",
      null,
      rows.map((row) => h("li", null, row)),
    ),
  );
}

/** Return advice on how the player can conquer the land, as a list of sentences. @param {RenderContext} context @param {number} land @returns {string[]} */
function advice({ board, me }, land) {
  const world = worldOf(board);
  const seat = seatOf(board, me);
  if (!plays(board, me) || board.status !== "playing" || !board.seats[seat]?.alive) return [];
  const owner = ownerOf(board, land);
  if (owner === seat) return [ownStrength(board, land)];
  const near = landsOf(board, seat).filter((from) => routeBetween(world, board, from, land));
  if (board.phase === "capital") return [];
  if (!near.length) return [t("conquest.advice.out-of-reach")];
  if (owner < 0) return [t("conquest.advice.neutral", { from: near.map((one) => world.names[one]).join(", ") })];
  return [strikeText(board, seat, land)];
}

/** @param {Json} board @param {number} land */
function ownStrength(board, land) {
  const shore = shoresOf(worldOf(board), land).length > 0;
  const key = board.lands[land].port ? "own-port" : shore ? "own-shore" : "own";
  return t(`conquest.advice.${key}`, { n: soldiersText(attack20(board, land)) });
}

/** @param {Json} board @param {number} seat @param {number} land */
function strikeText(board, seat, land) {
  const world = worldOf(board);
  const best = bestStrike(world, board, seat, land);
  if (!best) return t("conquest.advice.out-of-reach");
  const words = {
    from: world.names[best.from],
    own: soldiersText(best.attack20, best.divisor),
    needed: soldiersText(best.needed20, best.divisor),
    range: rangeOf(best),
    n: soldiersOf(board, land),
  };
  const sea = best.isSea ? "-sea" : "";
  if (!isStronger(best)) return t(`conquest.advice.weak${sea}`, words);
  return t(`conquest.advice.${outcomeOf(board, best)}${sea}`, words);
}
