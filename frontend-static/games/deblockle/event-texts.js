/** Each event as sentences; those of every match are the page's (i18n/event-texts.js). Pure. */

import { matchSentences } from "../../i18n/event-texts.js";
import { shortHex, t } from "../../i18n/translate.js";
import { amountOf } from "../shared/amounts.js";
import { RULESETS } from "./contract-view.js";
import { cellOf, square } from "./cubes.js";

/** @import { ChainEvent, Json, Sentence } from "../../types.js" */

const PHASES = ["roll", "hop"];

/** @param {string} key @param {Json} args @param {string} tone @returns {Sentence} */
const say = (key, args, tone) => ({ text: t(`deblockle.feed.${key}`, args), tone });

/** @param {Json} args of a move */
const way = ({ player, fromX, fromY, toX, toY }) => ({
  player: shortHex(player),
  from: square(cellOf(fromX, fromY)),
  to: square(cellOf(toX, toY)),
});

/** @type {Record<string, (args: Json, board: Json) => Sentence[]>} */
const TEXTS = {
  GameCreated: ({ cubes, ruleset, token, stake, rate }) => [
    say("GameCreated", { n: cubes, rules: t(`deblockle.rules.${RULESETS[ruleset]}`) }, "quiet"),
    ...(BigInt(stake) > 0n
      ? [say("staked", { stake: amountOf(token, BigInt(stake)), rate: amountOf(token, BigInt(rate)) }, "quiet")]
      : []),
  ],
  Rolled: (args) => [say("Rolled", { ...way(args), up: t(`deblockle.face.${args.up}`) }, "plain")],
  Hopped: (args) => [say("Hopped", way(args), "plain")],
  Removed: ({ player, left }) => [say("Removed", { player: shortHex(player), n: left }, "loud")],
  Passed: ({ player, phase }) => [say(`Passed-${PHASES[phase]}`, { player: shortHex(player) }, "plain")],
  TurnChanged: ({ player, rolls }) => (rolls ? [] : [say("TurnChanged-none", { player: shortHex(player) }, "quiet")]),
  Streamed: ({ player, total }, { rate = "0", stake = "0", token }) => {
    const back = BigInt(rate) * BigInt(total);
    const amount = amountOf(token, back < BigInt(stake) ? back : BigInt(stake));
    return back === 0n ? [] : [{ ...say("Streamed", { player: shortHex(player), amount }, "quiet"), minor: true }];
  },
  Withdrawn: ({ account, token, amount }) => [
    say("Withdrawn", { player: shortHex(account), amount: amountOf(token, BigInt(amount)) }, "quiet"),
  ],
};

/** @param {ChainEvent} event @param {Json} board @returns {Sentence[]} */
export const sentences = (event, board) => TEXTS[event.name]?.(event.args, board) ?? matchSentences("deblockle", event);
