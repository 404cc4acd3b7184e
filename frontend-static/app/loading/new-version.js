/**
 * A part of the page that can't be loaded: the connection was lost, or the server has a newer page and lacks the files of this one. Either way
 * the page is loaded anew, once by itself and then at a press. What is typed is kept.
 */

import { attempt } from "../../lib/storage.js";

/** @import { App } from "../app.js" */
/** @typedef {Pick<App, "redraw"|"ui">} Needs What it uses of the page. */

/** What is typed, for the next load; in this tab alone. */
const TYPED = "chainboard.typed";
/** The script of the page that was loaded anew by itself. */
const RELOADED = "chainboard.reloaded";

export class NewVersion {
  /** @param {Needs} app */
  constructor(app) {
    this.app = app;
    /** @type {"unknown"|"looking"|"none"|"here"} whether the server has one */
    this.state = "unknown";
  }

  /** Loads the page anew where that may bring what is missing: when the server answers, and only once. */
  async look() {
    if (this.state !== "unknown") return;
    this.state = "looking";
    const html = await fetch(location.pathname, { cache: "no-cache" }).then(
      (answer) => (answer.ok ? answer.text() : null),
      () => null,
    );
    const own = ownScript();
    if (html !== null && isFirst(own)) return this.load();
    this.state = html === null || html.includes(`"${own}"`) ? "none" : "here";
    return this.app.redraw();
  }

  /** Loads the page anew, with what is typed. */
  load() {
    const { typed, drafts, selected } = this.app.ui;
    attempt(() => sessionStorage.setItem(TYPED, JSON.stringify({ typed, drafts: [...drafts], selected })));
    location.reload();
  }
}

/** Takes over what was typed before the page was loaded anew. @param {App["ui"]} ui */
export function recallTyped(ui) {
  const text = attempt(() => sessionStorage.getItem(TYPED));
  attempt(() => sessionStorage.removeItem(TYPED));
  const found = attempt(() => JSON.parse(text ?? "null"));
  if (!found) return;
  Object.assign(ui.typed, found.typed);
  for (const [key, draft] of found.drafts) ui.drafts.set(key, draft);
  ui.selected = found.selected;
}

/** Whether a page may load itself anew: once, and never where that can't be remembered. @param {string} script */
const isFirst = (script) =>
  attempt(() => {
    const before = sessionStorage.getItem(RELOADED);
    sessionStorage.setItem(RELOADED, script);
    return before !== script;
  }) ?? false;

const ownScript = () => document.querySelector('script[type="module"]')?.getAttribute("src") ?? "";
