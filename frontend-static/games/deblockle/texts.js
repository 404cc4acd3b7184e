/** The texts of Deblockle, one table per language. A key that equals a shared one, but for the slug, overrides it. */

import { errors } from "./error-texts.js";

/** @type {Record<string, string>} */
const en = {
  ...errors,
  "deblockle.game.lead":
    "Cubes that roll and hop. Bring each of yours to its star square, star up. With a stake, thinking long makes the prize smaller.",
  "deblockle.game.open": "Waits for a second player · {n} {n|cube|cubes} each, {rules}",
  "deblockle.game.begins": "The match begins",
  "deblockle.game.your-roll": "Your turn: roll a cube",
  "deblockle.game.your-roll-none": "Your turn: none of your cubes can be rolled",
  "deblockle.game.your-hop": "Your turn: hop with the cube on {cell} ({face})",
  "deblockle.game.other-roll": "{name} is to roll",
  "deblockle.game.other-roll-none": "{name} is to move, and can roll nothing",
  "deblockle.game.other-hop": "{name} is to hop with the cube on {cell} ({face})",
  "deblockle.game.turn-over": "The turn of {name} is over",
  "deblockle.game.over": "Over after {n} {n|move|moves}",

  "deblockle.rules.near": "NEAR rules",
  "deblockle.rules.board": "rules of the wooden board",

  "deblockle.face.1": "Star",
  "deblockle.face.2": "X",
  "deblockle.face.3": "sLide",
  "deblockle.face.4": "Hoops",
  "deblockle.face.5": "T",
  "deblockle.face.6": "stoP",

  "deblockle.action.create": "New match",
  "deblockle.action.join": "Join and play",
  "deblockle.action.cancel": "Cancel the match",
  "deblockle.action.makeMove": "Move",
  "deblockle.action.passMove": "Pass",
  "deblockle.action.pass-roll": "Pass",
  "deblockle.action.pass-hop": "Skip the hop",
  "deblockle.action.resign": "Resign",
  "deblockle.action.claimTimeout": "Claim the win on time",
  "deblockle.action.withdraw": "Withdraw",
  "deblockle.action.withdraw-amount": "Withdraw {amount}",

  "deblockle.hint.join": "Deposits the same stake, if there is one; the other moves first.",
  "deblockle.hint.cancel": "Nobody can join it any more; a stake can be withdrawn.",
  "deblockle.hint.pass": "The other rolls then. {all} passes in a row are a draw: this would be number {n}.",
  "deblockle.hint.pass-draw": "This would be pass number {n} in a row: the match ends as a draw.",
  "deblockle.hint.resign": "The other wins.",
  "deblockle.hint.claim-clock": "The time for the turn is over: who is to move loses.",
  "deblockle.hint.claim-dry": "The deposit of who waits has streamed back whole: who is to move loses.",
  "deblockle.hint.withdraw": "Pays to your account what has come to you so far.",

  "deblockle.why.no-stake": "Without a stake nothing streams back: the rate is 0.",
  "deblockle.why.clock": "With a stake choose a time for a turn, of a minute at least.",
  "deblockle.why.no-rate":
    "With a stake something streams back each second: at most {most}, so that it lasts for a minute.",
  "deblockle.why.rate": "The stake must last for a minute at least: at most {most} a second.",

  "deblockle.input.opponent": "Opponent",
  "deblockle.input.cubes": "Cubes of each",
  "deblockle.input.ruleset": "Rules",
  "deblockle.input.ruleset.0": "NEAR: free hops, passing allowed",
  "deblockle.input.ruleset.1": "Wooden board: paths count, moves are due",
  "deblockle.input.token": "Token of the stake",
  "deblockle.input.stake": "Stake of each",
  "deblockle.input.rate": "Streams back a second",
  "deblockle.input.clock": "Time for a turn",

  "deblockle.match.board-label":
    "Board, {width} by {height}. Arrow keys move, Enter chooses a cube, then the square to roll or hop to.",
  "deblockle.match.nobody": "No cube stands here yet.",

  "deblockle.seat.cubes": "{n} of {all} {all|cube|cubes} left",
  "deblockle.seat.nobody": "player {n}",

  "deblockle.purse.open": "Deposit {cap}",
  "deblockle.purse.flows": "{amount} of {cap} back",
  "deblockle.purse.waits": "{amount} of {cap} back",
  "deblockle.purse.due": "{amount} to withdraw",
  "deblockle.purse.nothing": "nothing has come back",
  "deblockle.purse.taken": "{amount} withdrawn",

  "deblockle.notice.flows-clock":
    "While {name} thinks, {rate} a second of your deposit streams back to you. When the clock runs out, {name} loses.",
  "deblockle.notice.flows-dry":
    "While {name} thinks, {rate} a second of your deposit streams back to you. At {time} it is all back, and {name} loses.",
  "deblockle.notice.costs-clock":
    "While you think, {rate} a second of the deposit of {name} streams back. When your clock runs out, you lose.",
  "deblockle.notice.costs-dry":
    "While you think, {rate} a second of the deposit of {name} streams back. At {time} it is all back, and you lose.",
  "deblockle.notice.clock-mine": "When your clock runs out, you lose.",
  "deblockle.notice.clock-other": "When the clock of {name} runs out, {name} loses.",
  "deblockle.notice.passes": "{n} passes in a row: with {all} the match is a draw.",
  "deblockle.notice.quiet": "{n} more {n|move|moves} without a cube removed, and the match is a draw.",

  "deblockle.cell.empty": "empty",
  "deblockle.cell.star": "star square of {owner}",
  "deblockle.cell.star-mine": "my star square",
  "deblockle.cell.cube": "cube of {owner}: up {up}, front {front}, right {right}",
  "deblockle.cell.cube-mine": "my cube: up {up}, front {front}, right {right}",
  "deblockle.cell.hopper": "to hop now",
  "deblockle.cell.chosen": "chosen",
  "deblockle.cell.stuck": "can't be rolled now",
  "deblockle.cell.roll": "can be rolled here, then {up} is up",
  "deblockle.cell.hop": "can hop here",
  "deblockle.cell.last": "the last move",

  "deblockle.feed.GameCreated": "{n} {n|cube|cubes} each, {rules}",
  "deblockle.feed.staked": "Played for {stake} each, of which {rate} a second stream back",
  "deblockle.feed.MatchStarted": "The match begins",
  "deblockle.feed.Rolled": "{player} rolled {from} to {to}: {up} is up",
  "deblockle.feed.Hopped": "{player} hopped from {from} to {to}",
  "deblockle.feed.Removed": "{player} brought a cube home: {n} left",
  "deblockle.feed.Passed-roll": "{player} passed",
  "deblockle.feed.Passed-hop": "{player} skipped the hop",
  "deblockle.feed.TurnChanged-none": "{player} can roll nothing",
  "deblockle.feed.Streamed": "{amount} have streamed back to {player} so far",
  "deblockle.feed.Withdrawn": "{player} withdrew {amount}",
  "deblockle.feed.MatchEnded-won": "{player} won: all cubes are home",
  "deblockle.feed.MatchEnded-draw": "A draw: too many passes in a row, or moves without a cube removed",
  "deblockle.feed.MatchEnded-cancelled": "Cancelled before anybody joined",
};

export const texts = { en };
