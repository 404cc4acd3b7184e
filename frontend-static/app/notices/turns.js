/** Finds out when a turn of this page's accounts begins, so that the page can notify the player. */

/**
 * A match's state for this page's accounts. `mine`: true if one of these accounts must move or is
 * invited. `challenges`: true if one of these accounts is invited.
 * @typedef {{match: string, game: string, mine: boolean, challenges?: boolean}} TurnState
 */

export class Turns {
  constructor() {
    /** @type {Map<string, boolean>} */
    this.known = new Map();
    /**
     * The matches where a turn of the player has begun and the player hasn't looked since. The
     * match with the latest turn comes last. @type {Map<string, TurnState>}
     */
    this.unseen = new Map();
    /** True after the first update. Only challenges that come later are new to the player. */
    this.isStarted = false;
  }

  /**
   * Store the new states. Return the matches in which a turn of the player has begun since the last
   * update. Leave out matches whose state wasn't known before, unless they are new challenges. @param {TurnState[]} states @param {string|undefined} seen the match that the player is looking at @returns {TurnState[]}
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
   * Return the turn that the window's title shows. A turn in the open match comes first, then the
   * latest turn in another match. @param {TurnState[]} states @param {string|undefined} open @returns {TurnState|undefined}
   */
  titled(states, open) {
    return states.find(({ match, mine }) => mine && match === open) ?? [...this.unseen.values()].at(-1);
  }

  /** Forget the states of all matches. Called when the chain changes. */
  forget() {
    this.known.clear();
    this.isStarted = false;
    this.unseen.clear();
  }
}
