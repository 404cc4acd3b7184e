/** The forms with which players rename, save and import the keys in this browser. */

import { download } from "../../lib/download.js";
import { BadKey, MIN_PASSWORD, checkKeystore, keyOf } from "./keystore.js";

/** @import { Accounts } from "./accounts.js" */
/** @import { Account, I18nText } from "../../types.js" */

const MAX_NAME = 40;

export class KeyForms {
  /** @param {Accounts} app */
  constructor(app) {
    this.app = app;
    /** @type {"showing"|"saving"|"bringing"|""} the form that is open, or "" if none is open */
    this.open = "";
    /**
     * The account for which the player opened the form. If another account is selected, the form
     * isn't shown, so that it never shows that account's secret.
     */
    this.owner = "";
    this.password = "";
    /**
     * True if the page shows the password as readable text, so that the player can check it. With a
     * typing mistake in the password, nobody could ever decrypt the file.
     */
    this.passwordShown = false;
    this.text = "";
    /** @type {{address: string, name: string}|null} the account that the player is renaming, and the name typed so far */
    this.naming = null;
    /** @type {{name: string, text: string}|null} the keystore file that the player has chosen */
    this.file = null;
    /** @type {number|null} the progress of the running task, from 0 to 1, or null if no task is running */
    this.progress = null;
    /** @type {I18nText|null} the reason why the last task failed, or null */
    this.error = null;
    /** @type {I18nText|null} */
    this.done = null;
  }

  /** Reset the forms, so that they contain no secrets any more. */
  reset() {
    Object.assign(this, new KeyForms(this.app));
  }

  /** @param {"showing"|"saving"|"bringing"} form */
  toggle(form) {
    const next = this.open === form ? "" : form;
    this.reset();
    Object.assign(this, { open: next, owner: this.app.me });
    this.app.redraw();
  }

  /** @param {"showing"|"saving"|"bringing"} form */
  isOpen(form) {
    return this.open === form && this.owner === this.app.me;
  }

  /** Reset the forms when the player closes the drawer, unless a task is running. */
  onDrawerClosed() {
    if (this.progress === null) this.reset();
  }

  showPassword() {
    this.passwordShown = !this.passwordShown;
    this.app.redraw();
  }

  /** @param {"password"|"text"} name @param {string} value */
  setField(name, value) {
    this[name] = value;
    this.error = null;
    this.app.redraw();
  }

  /** @param {Account} account */
  nameOf({ address, givenName = "" }) {
    return this.naming?.address === address ? this.naming.name : givenName;
  }

  /** @param {Account} account */
  async rename(account) {
    const name = this.nameOf(account).trim().slice(0, MAX_NAME);
    await this.app.keys.change(account.address, { name });
    this.naming = null;
    this.app.reloadKeys();
  }

  /** Record that the player has saved a copy of the key. @param {Account} account */
  async confirm({ address }) {
    await this.app.keys.change(address, { backedUp: true });
    this.reset();
    this.app.reloadKeys();
  }

  /** Download the account's key as a file that is encrypted with the typed password. @param {Account} account */
  save(account) {
    return this.exclusively(async () => {
      if (this.password.length < MIN_PASSWORD) throw new BadKey("account.password-short", { n: MIN_PASSWORD });
      const text = await this.inWorker("lock", { address: account.address, key: String(account.key) });
      download(`chainboard-${account.address}.json`, text);
      await this.confirm(account);
      this.done = { key: "account.saved" };
    });
  }

  /** @param {File|undefined|null} file */
  chooseFile(file) {
    return this.exclusively(async () => {
      if (!file) return;
      const text = await file.text();
      this.file = null;
      checkKeystore(text);
      this.file = { name: file.name, text };
    });
  }

  /**
   * Import the key that the player has typed, or the key in the chosen file. Store the key and
   * select its account.
   */
  importKey() {
    return this.exclusively(async () => {
      const { app, file } = this;
      const key = file ? await this.inWorker("unlock", file.text) : keyOf(this.text);
      const known = app.keys.list.find((one) => one.key === key);
      if (known) throw new BadKey("account.key-here", { address: known.address });
      await app.makeAccount(key, { backedUp: true }); // an imported key counts as backed up, because the player still has the original
      this.reset();
      this.done = { key: "account.brought" };
    });
  }

  /** @param {"lock"|"unlock"} work @param {any} content */
  async inWorker(work, content) {
    const { runInWorker } = await import("./keystore-worker.js");
    return runInWorker({ work, content, password: this.password }, (part) => this.onProgress(part));
  }

  /** @param {number} part */
  onProgress(part) {
    const rounded = Math.floor(part * 100) / 100;
    if (rounded === this.progress) return;
    this.progress = rounded;
    this.app.redraw();
  }

  /** Run a task, unless another task is running. If the task fails, show the error. @param {() => Promise<void>} work */
  async exclusively(work) {
    if (this.progress !== null) return;
    this.progress = 0;
    this.error = this.done = null;
    this.app.redraw();
    try {
      await work();
    } catch (error) {
      if (!(error instanceof BadKey)) throw error;
      this.error = error.text;
    } finally {
      this.progress = null;
      this.app.redraw();
    }
  }
}
