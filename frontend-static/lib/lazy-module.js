/** A module that is loaded when the page first needs it, or earlier when the page is idle. */

/** @template T */
export class LazyModule {
  /** @param {() => Promise<T>} importModule @param {() => void} [onSettled] called when the module is loaded or can't be loaded */
  constructor(importModule, onSettled = () => undefined) {
    this.importModule = importModule;
    this.onSettled = onSettled;
    /** @type {T|null} */
    this.loaded = null;
    /**
     * True if the module could not be loaded. Only a reload of the page helps, because browsers can
     * remember that an import has failed.
     */
    this.failed = false;
    /** @type {Promise<T|null>|null} */
    this.loading = null;
  }

  /** Return the module if it is loaded. Otherwise, begin to load it and return null. */
  get() {
    if (!this.loaded) void this.load();
    return this.loaded;
  }

  /** Load the module. If that fails, the promise doesn't reject but resolves to null. */
  load() {
    this.loading ??= this.tryToLoad();
    return this.loading;
  }

  /** Load the module before the page needs it. If that fails, `load` can try again later. */
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
