/** Parses the page's addresses. This module has no side effects. */

import { ADDRESS } from "../lib/patterns.js";

/** @typedef {object} Route @property {"lobby"|"new"|"rules"|"learn"|"replay"|"player"|"players"|"match"} view @property {string} key a text that changes when the address leads to a different page @property {string} [match] the match, set only if its name in the address is valid @property {string} [game] its slug @property {string} [player] @property {string} [origin] the match and event from which the rules or the tutorial were opened @property {number} [seq] the number of an event of the match or of the replay file @property {string} [name] the name of the match in the address, even if no match can have this name */

const MATCH = /^#\/match\/([a-z0-9-]{1,40}\/[0-9]{1,15})(?:@([0-9]{1,15}))?$/;
const REPLAY = /^#\/replay(?:@([0-9]{1,15}))?$/;
const NEW = /^#\/new\/([a-z0-9-]{1,40})$/;
const RULES = /^#\/(rules|learn)\/([a-z0-9-]{1,40})(?:\/([0-9]{1,15})(?:@([0-9]{1,15}))?)?$/;
const PLAYER = "#/player/";

/** @param {string|undefined} digits */
const seqOf = (digits) => (digits === undefined ? undefined : Number(digits));

/** @param {string} hash the part of the address after # @returns {Route} */
export function routeOf(hash) {
  if (["", "#", "#/"].includes(hash)) return { view: "lobby", key: "lobby" };
  if (hash === "#/players") return { view: "players", key: "players" };
  const game = NEW.exec(hash)?.[1];
  if (game) return { view: "new", key: `new-${game}`, game };
  const [, about, ruled, from, at] = RULES.exec(hash) ?? [];
  if (ruled)
    return {
      view: /** @type {"rules"|"learn"} */ (about),
      key: `${about}-${ruled}`,
      game: ruled,
      origin: from && `${ruled}/${from}${at ? `@${at}` : ""}`,
    };
  const replay = REPLAY.exec(hash);
  if (replay) return { view: "replay", key: "replay", seq: seqOf(replay[1]) };
  const player = hash.startsWith(PLAYER) ? hash.slice(PLAYER.length) : "";
  if (ADDRESS.test(player)) return { view: "player", key: `player-${player}`, player };
  const [, match, digits] = MATCH.exec(hash) ?? [];
  const name = match ?? hash.slice(0, 60); // the name includes the #, so that no match can have it
  return { view: "match", key: `match-${name}`, name, match, game: match?.split("/")[0], seq: seqOf(digits) };
}
