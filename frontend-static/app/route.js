/** Parses the part of the page's address after `#`. This module has no side effects. */

import { ADDRESS } from "../lib/patterns.js";

/** @typedef {object} Route @property {"lobby"|"new"|"rules"|"learn"|"replay"|"player"|"players"|"match"} view @property {string} key a text that identifies the page; all addresses of the same page have the same text @property {string} [match] the match; absent if its name in the address is invalid @property {string} [game] the game's slug @property {string} [player] @property {string} [origin] the match, and perhaps the event, from which the player opened the rules or the tutorial @property {number} [seq] the number of the event to show in the match or the replay file @property {string} [name] the match's name as written in the address, even if it is invalid */

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
  const name = match ?? hash.slice(0, 60); // an unknown address keeps its leading #, so it can't be mistaken for the name of a match
  return { view: "match", key: `match-${name}`, name, match, game: match?.split("/")[0], seq: seqOf(digits) };
}
