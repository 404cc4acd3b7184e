/**
 * Parses replay files, and makes all the checks that need no node. See docs/reference/replay.md.
 */

import { boardHash, isObject } from "../lib/board.js";
import { MAX_EVENTS, hasSides, isBounded } from "./bounds.js";
import { FileHistory } from "./match-history.js";
import { TextError } from "../lib/text-error.js";

/** @import { Patched } from "./match-history.js" */
/** @import { Json } from "../types.js" */

const FORMAT = "chainboard-replay";
const VERSION = 1;
/** The maximum size of a file in bytes. A match of 100,000 events takes about 50 MiB. */
const MAX_BYTES = 128 * 1024 * 1024;
/** Matches a valid title. The length is counted in code points, as in the JSON Schema. */
const TITLE = /^.{1,60}$/su;
const MATCH = /^([a-z0-9-]{1,40})\/[0-9]{1,15}$/;

/**
 * @typedef {{format: string, version: number, match: string, game: {slug: string, title: string, layout: string},
 *   chain: {chainId: number, genesis: string}, deployment: Json, start: Json, events: Patched[], board: Json, boardHash: string}} Replay
 */

/** Thrown if the page can't show a replay file. The error's text explains the reason. */
export class UnreadableReplay extends TextError {}

/** @param {Blob} file @returns {Promise<{replay: Replay, history: FileHistory}>} Throws UnreadableReplay. */
export async function readReplay(file) {
  if (file.size > MAX_BYTES)
    throw new UnreadableReplay("replay.too-large", { size: mebibytes(file.size), most: mebibytes(MAX_BYTES) });
  return checkReplay(parseJson(await file.text()));
}

/** @param {number} bytes */
const mebibytes = (bytes) => Math.ceil(bytes / 1024 / 1024);

/** @param {string} text @returns {any} */
export function parseJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    throw new UnreadableReplay(text.trimStart().startsWith("{") ? "replay.cut-short" : "replay.not-json");
  }
}

/** Check that all parts of a file are valid, and that the events lead to the final board. @param {any} file @returns {{replay: Replay, history: FileHistory}} Throws UnreadableReplay. */
export function checkReplay(file) {
  if (file?.format !== FORMAT) throw new UnreadableReplay("replay.other-format");
  if (file.version !== VERSION)
    throw new UnreadableReplay("replay.other-version", { version: excerpt(file.version), known: VERSION });
  const lack = WANTED.find(([, fits]) => !fits(file));
  if (lack) throw new UnreadableReplay("replay.broken", { part: lack[0] });
  const [beyond] =
    Object.entries(file).find(([part, value]) => part !== "events" && !(isBounded(part) && isBounded(value))) ?? []; // `isEvent` checks the events below
  if (beyond !== undefined || !hasSides(file.start))
    throw new UnreadableReplay("replay.broken", { part: (beyond ?? "start").slice(0, 20) });
  const odd = file.events.findIndex((/** @type {any} */ event, /** @type {number} */ i) => !isEvent(event, i + 1));
  if (odd >= 0) throw new UnreadableReplay("replay.broken-event", { seq: odd + 1 });
  return { replay: file, history: folded(file) };
}

/** @param {Replay} replay @returns {FileHistory} */
function folded(replay) {
  try {
    const history = new FileHistory(replay.start, replay.events);
    const hash = boardHash(history.end);
    if (hash !== boardHash(replay.board) || hash !== replay.boardHash) throw new UnreadableReplay("replay.altered");
    return history;
  } catch (error) {
    if (error instanceof RangeError) throw new UnreadableReplay("replay.broken", { part: "events" }); // FileHistory throws RangeError if the patches would copy too many members
    throw error;
  }
}

/** @param {any} value */
const isText = (value) => typeof value === "string";
/** @param {any} value */
const isCount = (value) => Number.isSafeInteger(value) && value >= 0;

/** @type {[string, (value: any) => boolean][]} */
const WANTED = [
  ["match", ({ match }) => isText(match) && MATCH.test(match)],
  [
    "game",
    ({ game, match }) =>
      isObject(game) &&
      isText(game.title) &&
      TITLE.test(game.title) &&
      isText(game.layout) &&
      game.slug === match.split("/")[0],
  ],
  ["chain", ({ chain }) => isObject(chain) && isCount(chain.chainId) && isText(chain.genesis)],
  ["deployment", ({ deployment }) => isObject(deployment) && isText(deployment.address)],
  ["start", ({ start }) => isObject(start)],
  ["events", ({ events }) => Array.isArray(events) && events.length > 0 && events.length <= MAX_EVENTS],
  ["board", ({ board }) => isObject(board)],
  ["boardHash", ({ boardHash: hash }) => isText(hash)],
];

/** @param {any} event @param {number} seq */
function isEvent(event, seq) {
  return (
    isObject(event) &&
    event.seq === seq &&
    isText(event.name) &&
    isObject(event.args) &&
    isObject(event.patch) &&
    isCount(event.block) &&
    isCount(event.time) &&
    isText(event.hash) &&
    isText(event.tx) &&
    isBounded(event) &&
    hasSides(event.patch)
  );
}

/** Return the beginning of an untrusted value as text, for an error message. @param {any} value */
const excerpt = (value) => String(JSON.stringify(value) ?? "none").slice(0, 20);
