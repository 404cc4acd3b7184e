/**
 * The state of the user interface: what is open, selected, typed, or waiting for a second press.
 */

import { loadFilters } from "./lobby/filters.js";

/** @import { FileChecker } from "../chain/verify/file-checker.js" */
/** @import { FileMatch } from "../history/file-match.js" */
/** @import { I18nText, Json, Tx } from "../types.js" */

/** @typedef {{game: string, cursors: string[]}} CareerPart The matches of a game, or of all games if `game` is "". `cursors`: the start of each page of results. */

/** @typedef {FileMatch & {checker: FileChecker}} OpenedFile */

/**
 * Return the initial state of a player's page: the current part, the part that is shown until the
 * current part is loaded (`before`), and the selected match on each game's curve.
 */
export const newCareer = () => ({
  part: /** @type {CareerPart} */ ({ game: "", cursors: [] }),
  before: /** @type {CareerPart|null} */ (null),
  at: /** @type {Record<string, number>} */ ({}),
});

export class Ui {
  /** @param {() => void} redraw @param {string} loadedBy the account in use when the page was loaded */
  constructor(redraw, loadedBy) {
    this.redraw = redraw;
    this.drawer = this.help = false;
    this.selected = 0;
    this.pointed = -1;
    this.copied = this.armed = "";
    /** The account whose name was pressed in a list of players. */
    this.nameCard = "";
    /** @type {I18nText|null} why the last petname could not be stored */
    this.petnameTrouble = null;
    this.older = false;
    /** The match whose timeline was opened during play, and the match whose result was closed. */
    this.openTimeline = this.closedEnd = "";
    /** The lobby list that is shown in full. */
    this.all = "";
    this.filters = loadFilters();
    this.career = newCareer();
    /** True if leaderboards leave out computers. */
    this.peopleOnly = false;
    /** @type {Record<string, any>} */
    this.typed = {};
    /** @type {Map<string, Json>} the drafts of players, by match (or game) and account */
    this.drafts = new Map();
    /** @type {{match: string, seq: number, account: string, why: I18nText}|null} the reason shown at the board, until the board or the account changes */
    this.rejected = null;
    /** @type {Tx|null} the page goes to this transaction's match as soon as the match exists */
    this.openingTx = null;
    /** @type {OpenedFile|null} the open replay file */
    this.openedFile = null;
    /** @type {I18nText|null} why the last replay file could not be opened */
    this.openError = null;
    /**
     * The account in use when the page was loaded, and for each match, the account whose secrets
     * were shown last (match/privacy.js).
     */
    this.loadedBy = loadedBy;
    /** @type {Map<string, string>} */
    this.lastSeenBy = new Map();
    /** The chain, match, ply and mover at the last switch of accounts (match/hot-seat.js). */
    this.followedTurn = "";
  }

  /** @param {string} subject a match, or a game's slug @param {string} account */
  draftFor(subject, account) {
    const key = `${subject} ${account}`;
    const state = this.drafts.get(key) ?? {};
    this.drafts.set(key, state);
    return { state, change: this.redraw };
  }

  /** Forget the matches when the chain changes. */
  forgetMatches() {
    this.openingTx = this.rejected = null;
    this.lastSeenBy.clear();
    for (const key of this.drafts.keys()) if (key.includes("/")) this.drafts.delete(key); // the other drafts belong to games
  }
}
