/** The texts of Tic-tac-toe, one table per language. A key that equals a shared one, but for the slug, overrides it. */

/** @type {Record<string, string>} */
const en = {
  "tic-tac-toe.game.lead": "Three in a row on nine cells. Small enough to see a whole match on the chain.",
  "tic-tac-toe.game.open": "Waits for a second player",
  "tic-tac-toe.game.turn": "{mark} is to move · {name}",
  "tic-tac-toe.game.your-turn": "Your turn: set {mark}",
  "tic-tac-toe.game.over": "Over after {n} {n|move|moves}",

  "tic-tac-toe.mark.1": "X",
  "tic-tac-toe.mark.2": "O",

  "tic-tac-toe.action.create": "New match",
  "tic-tac-toe.action.accept": "Accept and play",
  "tic-tac-toe.action.move": "Move",
  "tic-tac-toe.action.rematch": "Offer a rematch",
  "tic-tac-toe.action.offerRestart": "Offer to begin anew",
  "tic-tac-toe.action.acceptRestart": "Begin anew",
  "tic-tac-toe.action.close": "Close the match",
  "tic-tac-toe.action.resign": "Resign",
  "tic-tac-toe.action.claimTimeout": "Claim the win on time",

  "tic-tac-toe.hint.accept": "Takes the other side; the clock starts.",
  "tic-tac-toe.hint.rematch": "The loser begins; after a draw who did not.",
  "tic-tac-toe.hint.offerRestart": "If the other agrees: an empty board.",
  "tic-tac-toe.hint.acceptRestart": "Ends this match without a winner; an empty board follows.",
  "tic-tac-toe.hint.close": "Nobody can accept it any more.",
  "tic-tac-toe.hint.resign": "The other wins.",

  "tic-tac-toe.input.challenger": "Opponent",
  "tic-tac-toe.input.clock": "Time for a move",

  "tic-tac-toe.match.board-label": "Board, {width} by {height}. Arrow keys move, Enter sets your mark.",
  "tic-tac-toe.match.nobody": "No mark is set yet.",

  "tic-tac-toe.offer.mine": "You offered to begin anew. The offer stands until the next move.",
  "tic-tac-toe.offer.other": "{name} offers to begin anew. The next move declines it.",

  "tic-tac-toe.cell.empty": "{cell}, empty",
  "tic-tac-toe.cell.mine": "{cell}, my {mark}",
  "tic-tac-toe.cell.other": "{cell}, {mark} of {owner}",
  "tic-tac-toe.cell.last": "{said}, the last move",
  "tic-tac-toe.cell.line": "{said}, in the line that won",

  "tic-tac-toe.feed.joined": "{player} plays {mark}",
  "tic-tac-toe.feed.MatchStarted": "The match begins: X moves first",
  "tic-tac-toe.feed.Moved": "{player} set {mark} at {cell}",
  "tic-tac-toe.feed.GameWon": "Three in a row: {cells}",
  "tic-tac-toe.feed.RestartOffered": "{player} offered to begin anew",
  "tic-tac-toe.feed.RematchOpened": "{player} offers a rematch: match {rematch}",
  "tic-tac-toe.feed.restarted": "Begun anew as match {rematch}",
  "tic-tac-toe.feed.agreed": "Ended by agreement, without a winner",
  "tic-tac-toe.feed.MatchEnded-draw": "A draw: every cell is taken",
  "tic-tac-toe.feed.MatchEnded-cancelled": "Closed before anybody accepted",

  "tic-tac-toe.error.GameExists": "The two of you have an unfinished match already: number {matchId}.",
  "tic-tac-toe.error.BadCell": "There is no cell in row {row}, column {column}.",
  "tic-tac-toe.error.CellTaken": "This cell holds a mark.",
  "tic-tac-toe.error.RematchExists": "The match has its rematch already: number {rematch}.",
  "tic-tac-toe.error.NoOffer": "The other does not offer to begin anew (any more).",
  "tic-tac-toe.error.AlreadyOffered": "An offer to begin anew stands already.",
};

export const texts = { en };
