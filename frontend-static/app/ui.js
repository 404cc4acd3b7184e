/**
 * The state of the user interface: everything that the player has opened, selected or typed, and
 * the button that waits for a second click.
 */

import { loadFilters } from "./lobby/filters.js";

/** @import { FileChecker } from "../chain/verify/file-checker.js" */
/** @import { FileMatch } from "../history/file-match.js" */
/** @import { I18nText, Json, Tx } from "../types.js" */

/** @typedef {{game: string, cursors: string[]}} CareerPart The part of a player's page that is shown: the matches of a game, or of all games if `game` is "". `cursors`: the starting point of each page of results up to the current one. */

/** @typedef {FileMatch & {checker: FileChecker}} OpenedFile */

/**
 * Return the initial state of a player's page. `part`: the part to show. `before`: the part that
 * stays on display until `part` is loaded. `at`: for each game, the selected match in the rating
 * curve.
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
    /** The account whose name card is open, or "" if no card is open. */
    this.nameCard = "";
    /** @type {I18nText|null} the reason why the last petname could not be stored */
    this.petnameTrouble = null;
    this.older = false;
    /**
     * The match whose timeline the player has opened during play, and the match whose result the
     * player has closed.
     */
    this.openTimeline = this.closedEnd = "";
    /** The name of the lobby's list that the player has expanded, or "" if none is expanded. */
    this.all = "";
    this.filters = loadFilters();
    this.career = newCareer();
    /** True if the leaderboards show only people and leave out computer players. */
    this.peopleOnly = false;
    /** @type {Record<string, any>} */
    this.typed = {};
    /** @type {Map<string, Json>} the players' plans for their next move or match; the key contains the match (or game) and the account */
    this.drafts = new Map();
    /** @type {{match: string, seq: number, account: string, why: I18nText}|null} the reason why a click was rejected; the page shows it until the board or the account changes */
    this.rejected = null;
    /** @type {Tx|null} the transaction that opens a match; the page goes to the match as soon as it exists */
    this.openingTx = null;
    /** @type {OpenedFile|null} the open replay file */
    this.openedFile = null;
    /** @type {I18nText|null} the reason why the last replay file could not be opened */
    this.openError = null;
    /**
     * The account in use when the page was loaded. Together with `lastSeenBy`, it decides whose
     * secrets the page can show (match/privacy.js).
     */
    this.loadedBy = loadedBy;
    /** @type {Map<string, string>} */
    this.lastSeenBy = new Map();
    /** The chain, match, ply and mover when the page last switched accounts (match/hot-seat.js). */
    this.followedTurn = "";
  }

  /** @param {string} subject a match, or a game's slug @param {string} account */
  draftFor(subject, account) {
    const key = `${subject} ${account}`;
    const state = this.drafts.get(key) ?? {};
    this.drafts.set(key, state);
    return { state, change: this.redraw };
  }

  /** Forget the matches of the previous chain. Called when the chain changes. */
  forgetMatches() {
    this.openingTx = this.rejected = null;
    this.lastSeenBy.clear();
    for (const key of this.drafts.keys()) if (key.includes("/")) this.drafts.delete(key); // a key without a slash belongs to a game, whose draft is still useful
  }
}
