/** In which matches the turn has come to an account of this page since it was loaded. */

/** Where a match stands for the accounts of this page. `mine`: one of them is to move. `challenges`: one of them is invited, which comes as it is first seen. @typedef {{match: string, game: string, mine: boolean, challenges?: boolean}} TurnState */

export class Turns {
  constructor() {
    /** @type {Map<string, boolean>} */
    this.known = new Map();
    /** Those that came and were not looked at since, the latest last. @type {Map<string, TurnState>} */
    this.unseen = new Map();
    /** Whether what was there before the page is known. */
    this.isStarted = false;
  }

  /** What came with these states. Where it is one's turn as a match is first seen, it did not come. @param {TurnState[]} states @param {string|undefined} seen the match that is looked at @returns {TurnState[]} */
  update(states, seen) {
    const came = states.filter(({ match, mine, challenges }) => {
      const before = this.known.get(match);
      return mine && (before === false || (challenges && before === undefined && this.isStarted));
    });
    this.isStarted = true;
    const mine = new Set(states.filter((state) => state.mine).map(({ match }) => match));
    this.known = new Map(states.map((state) => [state.match, state.mine]));
    for (const state of came) {
      this.unseen.delete(state.match);
      this.unseen.set(state.match, state);
    }
    for (const match of this.unseen.keys()) if (!mine.has(match) || match === seen) this.unseen.delete(match);
    return came;
  }

  /** Whose turn the window's title says: of the match that is open, else the one that came last. @param {TurnState[]} states @param {string|undefined} open @returns {TurnState|undefined} */
  titled(states, open) {
    return states.find(({ match, mine }) => mine && match === open) ?? [...this.unseen.values()].at(-1);
  }

  /** Another chain has other matches. */
  forget() {
    this.known.clear();
    this.isStarted = false;
    this.unseen.clear();
  }
}
