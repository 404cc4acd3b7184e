/** A module that is loaded when it is first needed, or earlier while the page is idle. */

/** @template T */
export class LazyModule {
  /** @param {() => Promise<T>} importModule @param {() => void} [onSettled] called when the module is loaded or can't be loaded */
  constructor(importModule, onSettled = () => undefined) {
    this.importModule = importModule;
    this.onSettled = onSettled;
    /** @type {T|null} */
    this.loaded = null;
    /**
     * True if loading failed. Only a page reload helps, because browsers can remember a failed
     * import.
     */
    this.failed = false;
    /** @type {Promise<T|null>|null} */
    this.loading = null;
  }

  /** Return the module, or null while it is loading. */
  get() {
    if (!this.loaded) void this.load();
    return this.loaded;
  }

  /** Load the module. The promise never rejects: it returns null if the module can't be loaded. */
  load() {
    this.loading ??= this.tryToLoad();
    return this.loading;
  }

  /** Load the module before it is needed. Ignore a failure. */
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
