// Conquest boards for tests. They use the map from a test vector. Players own some of the map's
// lands.
import { readFileSync } from "node:fs";

import { decodeGraph } from "../../../../frontend-static/games/conquest/map/graph.js";
import { mapOfSeed } from "../../../../frontend-static/games/conquest/world.js";

export const ANN = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
export const BOB = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC";
export const EVE = "0x90F79bf6EB2c4f870365E785982E1f101E93b906";

const vectors = JSON.parse(readFileSync(new URL("../../../fixtures/vectors/conquest.json", import.meta.url), "utf8"));
export const { battles } = vectors;
const [{ seed, grain }] = vectors.maps;
export const graphHex = mapOfSeed(seed, grain).graph;
export const graph = decodeGraph(graphHex);
export const map = { seed, grain, lands: graph.types.length, graph: graphHex };

/** A land of the map with at least four neighbours, and the land's first three neighbours. */
export const HOME = graph.neighbours.findIndex((near) => near.length >= 4);
export const [FIRST, SECOND, THIRD] = graph.neighbours[HOME];

/**
 * Return a board with these owners and soldiers. All other lands are neutral and have ten soldiers.
 */
export function playing(lands, more = {}) {
  const all = Object.fromEntries(graph.types.map((_, land) => [land, { soldiers: 10, ...lands[land] }]));
  return {
    ...{ status: "playing", ply: 7, trail: 99, clock: 3600, deadline: 5000, creator: ANN, seatCount: 2, first: 0 },
    ...{ players: { [ANN]: { seat: 0 }, [BOB]: { seat: 1 } }, mover: ANN, phase: "action", map, lands: all },
    seats: { 0: { alive: true, capital: HOME }, 1: { alive: true, capital: FIRST } },
    ...more,
  };
}

export const open = (more = {}) => ({
  ...{ status: "open", ply: 0, trail: 0, clock: 3600, deadline: 0, creator: ANN, seatCount: 3, seats: {}, map },
  ...{ players: { [ANN]: { seat: 0 } }, lands: playing({}).lands, ...more },
});

/**
 * Return a player's view of a board, and a function that clicks a cell. As on the page, clicks
 * change the selection in the view.
 */
export function player(renderer, board, me = ANN, more = {}) {
  const view = {
    ...{ match: "conquest/1", board, me, ownAccounts: new Set([me]), selected: 0, head: { height: 20 }, now: 1010 },
    ...{ pending: [], events: [], draft: { state: {}, change: () => undefined }, formatAmount: String, ...more },
  };
  const press = (cell) => {
    const move = renderer.press(view, cell);
    view.selected = renderer.select(view, cell);
    return move;
  };
  return { view, press };
}

/** Return the whole text in a view's tree. */
export const words = (tree) => (typeof tree === "string" ? tree : (tree?.children ?? []).map(words).join(" "));
