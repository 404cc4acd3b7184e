/**
 * Notifies players who are looking elsewhere that it is their turn. The window's title and icon
 * change, the page plays a sound, and the browser shows a notification.
 */

import { t } from "../../i18n/translate.js";
import { readText, writeText } from "../../lib/storage.js";
import { isSoundOn, listenForPress, play, switchSound } from "./sound.js";
import { Turns } from "./turns.js";

/** @import { I18nText } from "../../types.js" */
/** @import { TurnState } from "./turns.js" */

const STORED = "chainboard.notices";
const [ICON, TURN_ICON] = ["icon.svg", "icon-turn.svg"];
/** The pause between the sounds of the opponent's move and of the player's turn, in seconds. */
const AFTER_MOVE = 0.45;

export class Notices {
  /** @param {() => void} redraw */
  constructor(redraw) {
    this.redraw = redraw;
    this.turns = new Turns();
    /** The reason why the browser shows no notifications although the player has turned them on. @type {I18nText|null} */
    this.rejection = null;
    /** @type {TurnState|undefined} */
    this.current = undefined;
    this.isIconMarked = false;
  }

  start() {
    listenForPress(window);
    document.addEventListener("visibilitychange", this.redraw);
  }

  get sound() {
    return isSoundOn();
  }

  /** True if the browser notifies the player while the page is hidden. */
  get enabled() {
    return readText(STORED) === "on" && typeof Notification !== "undefined" && Notification.permission === "granted";
  }

  switchSound() {
    switchSound();
    void play("knock");
    this.redraw();
  }

  /** Turn notifications on or off. To turn them on, the browser asks the player for permission. */
  async switchNotices() {
    const wanted = !this.enabled;
    this.rejection = null;
    writeText(STORED, wanted ? "on" : "off");
    if (wanted) this.rejection = await whyDenied();
    this.redraw();
  }

  /** Update the title and the icon, and notify the player of new turns. Called before each drawing. @param {TurnState[]} states the states of the player's matches and challenges @param {string|undefined} open the match that the address names @param {(match: string) => string} titleOf */
  update(states, open, titleOf) {
    const seen = document.hidden ? undefined : open;
    const came = this.turns.update(states, seen);
    this.current = this.turns.titled(states, open);
    if (came.length) void play("turn", AFTER_MOVE);
    for (const state of came) if (document.hidden && this.enabled) this.notify(state, titleOf(state.game));
    this.markIcon(Boolean(this.current));
  }

  /** Return a title that says that it is the player's turn, or undefined if it isn't. @param {(match: string) => string} titleOf */
  title(titleOf) {
    if (!this.current) return undefined;
    const { challenges, game } = this.current;
    return t(challenges ? "notices.challenge-title" : "notices.title", { game: titleOf(game) });
  }

  /** @param {TurnState} state @param {string} game */
  notify({ match, challenges }, game) {
    try {
      const notice = new Notification(t(challenges ? "notices.challenge" : "notices.your-turn"), {
        body: game,
        tag: match,
        icon: ICON,
      });
      notice.onclick = () => {
        window.focus();
        location.hash = `#/match/${match}`;
        notice.close();
      };
    } catch {
      this.rejection = { key: "notices.unsupported" }; // on some phones, only a service worker can show notifications
    }
  }

  /** @param {boolean} marked */
  markIcon(marked) {
    if (marked === this.isIconMarked) return;
    this.isIconMarked = marked;
    document.querySelector('link[rel="icon"]')?.setAttribute("href", marked ? TURN_ICON : ICON);
  }
}

/** @returns {Promise<I18nText|null>} */
async function whyDenied() {
  if (typeof Notification === "undefined") return { key: "notices.unsupported" };
  const leave =
    Notification.permission === "default" ? await Notification.requestPermission() : Notification.permission;
  if (leave === "granted") return null;
  return { key: leave === "denied" ? "notices.denied" : "notices.not-answered" };
}
