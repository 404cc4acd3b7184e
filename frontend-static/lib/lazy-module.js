/** A module that is loaded when it is first needed, or earlier if the page is idle. */

/** @template T */
export class LazyModule {
  /** @param {() => Promise<T>} importModule @param {() => void} [onSettled] called when loading has succeeded or failed */
  constructor(importModule, onSettled = () => undefined) {
    this.importModule = importModule;
    this.onSettled = onSettled;
    /** @type {T|null} */
    this.loaded = null;
    /**
     * True if loading has failed. Only a page reload helps, because browsers can remember a failed
     * import.
     */
    this.failed = false;
    /** @type {Promise<T|null>|null} */
    this.loading = null;
  }

  /** Return the module. If it isn't loaded, begin to load it and return null. */
  get() {
    if (!this.loaded) void this.load();
    return this.loaded;
  }

  /** Load the module. If that fails, the promise resolves to null instead of rejecting. */
  load() {
    this.loading ??= this.tryToLoad();
    return this.loading;
  }

  /** Load the module before it is needed. If that fails, a later call can try again. */
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
