/** Tracks the turns of this page's accounts that have begun since the page was loaded. */

/**
 * The state of a match for this page's accounts. `mine`: one of these accounts must move or is
 * invited. `challenges`: one of these accounts is invited.
 * @typedef {{match: string, game: string, mine: boolean, challenges?: boolean}} TurnState
 */

export class Turns {
  constructor() {
    /** @type {Map<string, boolean>} */
    this.known = new Map();
    /**
     * The matches that the player hasn't looked at since the player's turn began. The latest comes
     * last. @type {Map<string, TurnState>}
     */
    this.unseen = new Map();
    /** True after the first update. From then on, the player is notified of each new challenge. */
    this.isStarted = false;
  }

  /**
   * Store the new states. Return the matches in which the player's turn has just begun. Leave out a
   * match whose state wasn't known before, unless it is a new challenge.
   * @param {TurnState[]} states @param {string|undefined} seen the match that the player is looking at @returns {TurnState[]}
   */
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

  /**
   * Return the turn to show in the window's title. Prefer a turn in the open match to the latest
   * turn elsewhere. @param {TurnState[]} states @param {string|undefined} open @returns {TurnState|undefined}
   */
  titled(states, open) {
    return states.find(({ match, mine }) => mine && match === open) ?? [...this.unseen.values()].at(-1);
  }

  /** Forget everything. Called when the chain changes. */
  forget() {
    this.known.clear();
    this.isStarted = false;
    this.unseen.clear();
  }
}
