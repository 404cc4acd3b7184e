/**
 * Reloads the page when one of its modules can't be loaded. Either the connection was lost, or the
 * server has a newer version and no longer has this version's files. The page reloads itself only
 * once. After that, the player can reload it with a button. Typed text survives the reload.
 */

import { attempt } from "../../lib/storage.js";
import { mayReload, newestPage, ownScript } from "./first-parts.js";

/** @import { Ui } from "../ui.js" */
/** @typedef {{keys: {isPersistent: boolean}}} KeyHolder */
/** @typedef {{redraw: () => void, accounts?: KeyHolder, ui: Pick<Ui, "typed"|"drafts"|"selected">}} Uses */

/** The sessionStorage key for the player's typed text, which survives a reload of the tab. */
const TYPED = "chainboard.typed";

export class NewVersion {
  /** @param {Uses} app */
  constructor(app) {
    this.app = app;
    /** @type {"unknown"|"checking"|"none"|"here"} `none`: the server has no newer version or doesn't answer. `here`: the server has a newer version. */
    this.state = "unknown";
  }

  /**
   * Find out whether the server has a newer version. Reload the page if the server answers and this
   * version hasn't reloaded the page before.
   */
  async check() {
    if (this.state !== "unknown") return;
    this.state = "checking";
    const html = await newestPage();
    const isKept = this.app.accounts?.keys.isPersistent ?? true; // if the browser can't store keys, a reload would lose the account and its seats
    if (html !== null && isKept && mayReload()) return this.reload();
    this.state = html === null || html.includes(`"${ownScript()}"`) ? "none" : "here";
    return this.app.redraw();
  }

  /**
   * Reload the page at the player's request, but only if the server answers. Otherwise, the player
   * would see the browser's error page.
   */
  async retry() {
    this.state = "checking";
    this.app.redraw();
    if ((await newestPage()) !== null) return this.reload();
    this.state = "none";
    return this.app.redraw();
  }

  /** Store the text that the player has typed, and reload the page. */
  reload() {
    const { typed, drafts, selected } = this.app.ui;
    attempt(() => sessionStorage.setItem(TYPED, JSON.stringify({ typed, drafts: [...drafts], selected })));
    location.reload();
  }
}

/** Restore the text that the player had typed before the page was reloaded. @param {Ui} ui */
export function restoreTyped(ui) {
  const text = attempt(() => sessionStorage.getItem(TYPED));
  attempt(() => sessionStorage.removeItem(TYPED));
  const found = attempt(() => JSON.parse(text ?? "null"));
  if (!found) return;
  Object.assign(ui.typed, found.typed);
  for (const [key, draft] of found.drafts) ui.drafts.set(key, draft);
  ui.selected = found.selected;
}
