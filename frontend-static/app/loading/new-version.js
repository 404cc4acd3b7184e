/**
 * When a part of the page can't be loaded, the connection was lost, or the server has a newer page and no longer has the files of this one. The page
 * reloads once by itself. After that, the player reloads it with a button. What the player typed is kept.
 */

import { attempt } from "../../lib/storage.js";
import { mayReload, newestPage, ownScript } from "./first-parts.js";

/** @import { Ui } from "../ui.js" */
/** @typedef {{redraw: () => void, accounts?: {keys: {isPersistent: boolean}}, ui: Pick<Ui, "typed"|"drafts"|"selected">}} Needs What it uses of the page. */

/** What the player typed, kept over a reload in this tab. */
const TYPED = "chainboard.typed";

export class NewVersion {
  /** @param {Needs} app */
  constructor(app) {
    this.app = app;
    /** @type {"unknown"|"looking"|"none"|"here"} whether the server has one */
    this.state = "unknown";
  }

  /** Reloads the page if the server answers, and if it has not done so before. */
  async look() {
    if (this.state !== "unknown") return;
    this.state = "looking";
    const html = await newestPage();
    const isKept = this.app.accounts?.keys.isPersistent ?? true; // or the account would be lost, with its seats
    if (html !== null && isKept && mayReload()) return this.reload();
    this.state = html === null || html.includes(`"${ownScript()}"`) ? "none" : "here";
    return this.app.redraw();
  }

  /** Reloads the page as the player wishes, if the server answers: a browser would leave it for a page of its own. */
  async tryAgain() {
    this.state = "looking";
    this.app.redraw();
    if ((await newestPage()) !== null) return this.reload();
    this.state = "none";
    return this.app.redraw();
  }

  /** Reloads the page, and keeps what the player typed. */
  reload() {
    const { typed, drafts, selected } = this.app.ui;
    attempt(() => sessionStorage.setItem(TYPED, JSON.stringify({ typed, drafts: [...drafts], selected })));
    location.reload();
  }
}

/** Restores what the player typed before a reload. @param {Ui} ui */
export function recallTyped(ui) {
  const text = attempt(() => sessionStorage.getItem(TYPED));
  attempt(() => sessionStorage.removeItem(TYPED));
  const found = attempt(() => JSON.parse(text ?? "null"));
  if (!found) return;
  Object.assign(ui.typed, found.typed);
  for (const [key, draft] of found.drafts) ui.drafts.set(key, draft);
  ui.selected = found.selected;
}
