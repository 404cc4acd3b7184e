/**
 * The sentences for Deblockle's own events. games/shared/event-texts.js has the sentences for the
 * events that all games share. This module has no side effects.
 */

import { matchSentences } from "../shared/event-texts.js";
import { t } from "../../i18n/translate.js";
import { nameOf } from "../../names/names.js";
import { amountOf } from "../shared/amounts.js";
import { sentenceMaker } from "../shared/feed.js";
import { RULESETS } from "./contract-view.js";
import { cellOf, square } from "./cubes.js";

/** @import { ChainEvent, Json, Sentence } from "../../types.js" */

const PHASES = ["roll", "hop"];

const sentence = sentenceMaker("deblockle");

/** @param {Json} args the arguments of a move */
const way = ({ player, fromX, fromY, toX, toY }) => ({
  player: nameOf(player),
  from: square(cellOf(fromX, fromY)),
  to: square(cellOf(toX, toY)),
});

/** @type {Record<string, (args: Json, board: Json) => Sentence[]>} */
const TEXTS = {
  GameCreated: ({ cubes, ruleset, token, stake, rate }) => [
    sentence("GameCreated", { n: cubes, rules: t(`deblockle.rules.${RULESETS[ruleset]}`) }, "quiet"),
    ...(BigInt(stake) > 0n
      ? [sentence("staked", { stake: amountOf(token, BigInt(stake)), rate: amountOf(token, BigInt(rate)) }, "quiet")]
      : []),
  ],
  Rolled: (args) => [sentence("Rolled", { ...way(args), up: t(`deblockle.face.${args.up}`) }, "plain")],
  Hopped: (args) => [sentence("Hopped", way(args), "plain")],
  Removed: ({ player, left }) => [sentence("Removed", { player: nameOf(player), n: left }, "loud")],
  Passed: ({ player, phase }) => [sentence(`Passed-${PHASES[phase]}`, { player: nameOf(player) }, "plain")],
  TurnChanged: ({ player, rolls }) =>
    rolls ? [] : [sentence("TurnChanged-none", { player: nameOf(player) }, "quiet")],
  Streamed: ({ player, total }, { rate = "0", stake = "0", token }) => {
    const back = BigInt(rate) * BigInt(total);
    const amount = amountOf(token, back < BigInt(stake) ? back : BigInt(stake));
    return back === 0n ? [] : [{ ...sentence("Streamed", { player: nameOf(player), amount }, "quiet"), minor: true }];
  },
  Withdrawn: ({ account, token, amount }) => [
    sentence("Withdrawn", { player: nameOf(account), amount: amountOf(token, BigInt(amount)) }, "quiet"),
  ],
};

/** @param {ChainEvent} event @param {Json} board @returns {Sentence[]} */
export const sentences = (event, board) => TEXTS[event.name]?.(event.args, board) ?? matchSentences("deblockle", event);
