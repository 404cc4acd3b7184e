/** A module that is loaded when it is first needed, or before that while the page is idle. */

/** @template T */
export class LazyModule {
  /** @param {() => Promise<T>} importModule @param {() => void} [onSettled] called when it is there, or can't be had */
  constructor(importModule, onSettled = () => undefined) {
    this.importModule = importModule;
    this.onSettled = onSettled;
    /** @type {T|null} */
    this.loaded = null;
    /** Whether it could not be loaded. Then only a new load of the page helps: a browser may remember a failed import. */
    this.failed = false;
    /** @type {Promise<T|null>|null} */
    this.loading = null;
  }

  /** The module, or null while it is not there; asks for it. */
  get() {
    if (!this.loaded) void this.load();
    return this.loaded;
  }

  /** Never rejects: null when it can't be loaded. */
  load() {
    this.loading ??= this.tryToLoad();
    return this.loading;
  }

  /** Before it is needed: a failure does not count. */
  async prefetch() {
    if (await this.load()) return;
    this.failed = false;
    this.loading = null;
  }

  async tryToLoad() {
    this.loaded = await this.importModule().catch(() => null);
    this.failed = !this.loaded;
    this.onSettled();
    return this.loaded;
  }
}
