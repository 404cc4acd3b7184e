/**
 * The state of the user interface: what is open, selected or typed, and which button waits for a
 * second click.
 */

import { loadFilters } from "./lobby/filters.js";

/** @import { FileChecker } from "../chain/verify/file-checker.js" */
/** @import { FileMatch } from "../history/file-match.js" */
/** @import { I18nText, Json, Tx } from "../types.js" */

/** @typedef {{game: string, cursors: string[]}} CareerPart The part of a player's page to show: the matches of one game, or of all games if `game` is "". `cursors`: where each page of results starts. */

/** @typedef {FileMatch & {checker: FileChecker}} OpenedFile */

/**
 * Return the initial state of a player's page. `part`: the part to show. `before`: the part that is
 * shown until `part` is loaded. `at`: the selected match on each game's rating curve.
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
    /** The account whose name card is open. */
    this.nameCard = "";
    /** @type {I18nText|null} why the last petname could not be stored */
    this.petnameTrouble = null;
    this.older = false;
    /**
     * The match whose timeline the player opened during play, and the match whose result the player
     * closed.
     */
    this.openTimeline = this.closedEnd = "";
    /** The lobby's list that the player has expanded. */
    this.all = "";
    this.filters = loadFilters();
    this.career = newCareer();
    /** True if leaderboards leave out computers. */
    this.peopleOnly = false;
    /** @type {Record<string, any>} */
    this.typed = {};
    /** @type {Map<string, Json>} each player's plans for the next move or match, by match (or game) and account */
    this.drafts = new Map();
    /** @type {{match: string, seq: number, account: string, why: I18nText}|null} the reason for a rejected click, shown until the board or the account changes */
    this.rejected = null;
    /** @type {Tx|null} the transaction that opens a match; the page goes there as soon as the match exists */
    this.openingTx = null;
    /** @type {OpenedFile|null} the open replay file */
    this.openedFile = null;
    /** @type {I18nText|null} why the last replay file could not be opened */
    this.openError = null;
    /**
     * The account in use when the page was loaded. Like `lastSeenBy`, it decides whose secrets may
     * be shown (match/privacy.js).
     */
    this.loadedBy = loadedBy;
    /** @type {Map<string, string>} */
    this.lastSeenBy = new Map();
    /**
     * The chain, match, ply and mover at the last automatic switch of accounts (match/hot-seat.js).
     */
    this.followedTurn = "";
  }

  /** @param {string} subject a match, or a game's slug @param {string} account */
  draftFor(subject, account) {
    const key = `${subject} ${account}`;
    const state = this.drafts.get(key) ?? {};
    this.drafts.set(key, state);
    return { state, change: this.redraw };
  }

  /** Forget the matches. Called when the chain changes. */
  forgetMatches() {
    this.openingTx = this.rejected = null;
    this.lastSeenBy.clear();
    for (const key of this.drafts.keys()) if (key.includes("/")) this.drafts.delete(key); // drafts without a slash belong to games
  }
}
