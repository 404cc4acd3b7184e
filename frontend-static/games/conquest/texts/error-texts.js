/** What the errors of contracts/src/games/conquest/IConquest.sol mean. */

/** @type {Record<string, string>} */
export const errors = {
  "conquest.error.BadPlayers":
    "Two to six can play, and no more can be invited than there are seats: {minimum} to {maximum}, not {given}.",
  "conquest.error.BadMap": "That is no map to play on: land by land it does not fit together.",
  "conquest.error.BadGrain": "A land has {minimum} to {maximum} cells in the mean, not {given}.",
  "conquest.error.OtherPosition":
    "The chain was rewritten a little, and luck fell another way. Look at the map again before you go on.",
  "conquest.error.TooSoon": "The luck is still being drawn: it comes with the next block.",
  "conquest.error.WrongPhase": "That belongs to another phase of a turn.",
  "conquest.error.NoSuchLand": "There is no such land on this map: it has {lands}.",
  "conquest.error.NotYourLand": "That land is not yours.",
  "conquest.error.NotNeutral": "That land belongs to somebody: attack it instead.",
  "conquest.error.NotEnemy": "Only lands of other players are attacked.",
  "conquest.error.NotConnected":
    "There is no way between these lands: they don't touch, and no port with a common sea links them.",
  "conquest.error.NotStronger":
    "An attack must have more soldiers than the defence, all attacks of a launch sharing them; as many are not enough.",
  "conquest.error.NoWater": "A port needs water, and that land touches none.",
  "conquest.error.PortThere": "That land has a port already.",
  "conquest.error.OncePerTurn": "You have done that in this turn already.",
  "conquest.error.BadCount": "One to sixteen attacks can be launched at once.",
  "conquest.error.BadRatio": "A quarter, half, three quarters or all soldiers can move.",
  "conquest.error.NoHero": "Your hero does not stand there.",
  "conquest.error.NothingToMove": "So small a share of the soldiers there is nobody.",
  "conquest.error.NoItem": "You keep no item that could be used.",
  "conquest.error.NothingToSettle": "No luck is being drawn just now.",
};
