/**
 * The sentences for the events that all games share. A game can replace these sentences with its
 * own. This module has no side effects.
 */

import { gameKey, t } from "../../i18n/translate.js";
import { nameOf } from "../../names/names.js";

/** @import { ChainEvent, Json, Sentence } from "../../types.js" */

const WON = 1;
const DRAW = 2;
const RESIGNED = 3;
const TIMEOUT = 4;
const CHEATING = 5;
const CANCELLED = 6;
const NOBODY = /^0x0*$/;

/** @type {Record<string, (args: Json) => {key: string, tone: string, player?: string, opponent?: string}>} */
const TEXTS = {
  MatchCreated: ({ creator, opponent }) => ({
    key: NOBODY.test(opponent) ? "feed.MatchCreated" : "feed.MatchCreated-for",
    tone: "quiet",
    player: creator,
    opponent,
  }),
  PlayerJoined: ({ player }) => ({ key: "feed.PlayerJoined", tone: "quiet", player }),
  MatchStarted: () => ({ key: "feed.MatchStarted", tone: "loud" }),
  MatchEnded: ({ winner, reason }) => ({ key: endKey(reason, NOBODY.test(winner)), tone: "loud", player: winner }),
};

/** @param {string} slug the game's slug @param {ChainEvent} event @returns {Sentence[]} for an unknown event, a sentence with the event's name */
export function matchSentences(slug, { name, args }) {
  const found = TEXTS[name]?.(args);
  if (!found) return [{ text: t(gameKey(slug, "feed.other"), { name }), tone: "quiet" }];
  return [
    {
      text: t(gameKey(slug, found.key), {
        player: nameOf(found.player ?? ""),
        opponent: nameOf(found.opponent ?? ""),
      }),
      tone: found.tone,
    },
  ];
}

/** @param {number} reason @param {boolean} nobody true if nobody won */
function endKey(reason, nobody) {
  /** @type {Record<number, string>} */
  const keys = {
    [WON]: "feed.MatchEnded-won",
    [DRAW]: "feed.MatchEnded-draw",
    [RESIGNED]: "feed.MatchEnded-resigned",
    [CANCELLED]: "feed.MatchEnded-cancelled",
    [TIMEOUT]: nobody ? "feed.MatchEnded-timeout-none" : "feed.MatchEnded-timeout",
    [CHEATING]: nobody ? "feed.MatchEnded-cheating-none" : "feed.MatchEnded-cheating",
  };
  return keys[reason] ?? "feed.MatchEnded";
}
