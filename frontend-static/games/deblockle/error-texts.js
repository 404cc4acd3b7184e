/** What the errors of contracts/src/games/deblockle/IDeblockle.sol and of the escrow mean. */

/** @type {Record<string, string>} */
export const errors = {
  "deblockle.error.BadCubes": "Each player has 1 to 4 cubes, not {cubes}.",
  "deblockle.error.BadRuleset": "There are two rulesets: NEAR and the wooden board.",
  "deblockle.error.BadRate":
    "With a stake, something must stream back each second, and last for a minute at least: at most a sixtieth of the stake a second. Without a stake the rate is 0.",
  "deblockle.error.BadRematch": "A rematch is for the same two players, when their match is over.",
  "deblockle.error.WrongToken": "This match is played for another token.",
  "deblockle.error.WrongStake": "This match has another stake.",
  "deblockle.error.OtherTerms":
    "This match has other terms than this page has shown: look at them again before you join.",
  "deblockle.error.NotStarted": "The match begins when a second player joins.",
  "deblockle.error.OffBoard": "There is no such square: the board has seven columns and seven rows.",
  "deblockle.error.EmptySquare": "There is no cube on that square.",
  "deblockle.error.NotYourCube": "That cube is the other player's.",
  "deblockle.error.RivalsStar": "That is the other player's star square: no cube of yours enters it.",
  "deblockle.error.WrongPhase": "A cube was rolled: it hops now, and no other one moves.",
  "deblockle.error.SquareTaken": "A cube stands there.",
  "deblockle.error.NotBeside": "A cube rolls to one of the four squares beside it.",
  "deblockle.error.StarOffSquare":
    "{up|With its Star up a cube may roll onto your star square only.|Only with its Star up may a cube roll onto your star square.}",
  "deblockle.error.BadHop": "The face that is up does not hop there.",
  "deblockle.error.MoveRequired": "By these rules one passes only when nothing can be rolled.",
  "deblockle.error.KeyCantPay": "A stake must be paid by the account itself, not by its session key.",
  "deblockle.error.NotTheInviter": "Only {inviter}, who opened the match, can cancel it.",
  "deblockle.error.NothingDue": "Nothing has come to you that was not withdrawn yet.",
  "deblockle.error.BadDeposit": "The deposit did not arrive whole: {came} instead of {amount}.",
  "deblockle.error.BadPayment": "The token did not pay out whole.",
  "deblockle.error.TokenFailed": "The token {token} refused the transfer.",
  "deblockle.error.EtherRefused": "The account {to} does not take ether.",
};
