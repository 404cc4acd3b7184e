/** State of the user interface: what is open, selected and typed, and which button awaits its second press. */

import { recallFilters } from "./lobby/filters.js";

/** @import { FileChecker } from "../chain/verify/file-checker.js" */
/** @import { FileMatch } from "../history/file-match.js" */
/** @import { I18nText, Json, Tx } from "../types.js" */

/** @typedef {{game: string, cursors: string[]}} CareerPart A game's matches or ("") all; results after these cursors, one a page. */

/** @typedef {FileMatch & {checker: FileChecker}} OpenedFile */

/** What a player's page shows: which part, the one `before` until that is there, and by game which match of its curve. */
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
    /** @type {I18nText|null} why the last petname is not kept */
    this.petnameTrouble = null;
    this.older = false;
    /** The match whose time line is opened while it is played, and the one whose end was closed. */
    this.openTimeline = this.closedEnd = "";
    /** Which of the lobby's lists is shown whole. */
    this.all = "";
    this.filters = recallFilters();
    this.career = newCareer();
    /** Whether leaderboards leave out computers. */
    this.peopleOnly = false;
    /** @type {Record<string, any>} */
    this.typed = {};
    /** @type {Map<string, Json>} drafts of players, by match (or game) and account */
    this.drafts = new Map();
    /** @type {{match: string, seq: number, account: string, why: I18nText}|null} what was refused at the board, until that or the account changes */
    this.refused = null;
    /** @type {Tx|null} whose match is gone to when it is there */
    this.openingTx = null;
    /** @type {OpenedFile|null} the replay file that is open */
    this.openedFile = null;
    /** @type {I18nText|null} why the last replay file could not be opened */
    this.openError = null;
    /** And by match the account that its secrets were shown to last (match/privacy.js). */
    this.loadedBy = loadedBy;
    /** @type {Map<string, string>} */
    this.lastSeenBy = new Map();
    /** Chain, match, ply and mover for which the page changed its account last (match/hot-seat.js). */
    this.followedTurn = "";
  }

  /** @param {string} subject a match, or a game's slug @param {string} account */
  draftFor(subject, account) {
    const key = `${subject} ${account}`;
    const state = this.drafts.get(key) ?? {};
    this.drafts.set(key, state);
    return { state, change: this.redraw };
  }

  /** Another chain has other matches. */
  forgetMatches() {
    this.openingTx = this.refused = null;
    this.lastSeenBy.clear();
    for (const key of this.drafts.keys()) if (key.includes("/")) this.drafts.delete(key); // the others are of games
  }
}
