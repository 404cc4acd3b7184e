/** Where the site is: a proxy may put it below a path, such as `https://example.org/games/`. */

const script = /** @type {HTMLScriptElement|null|undefined} */ (
  globalThis.document?.querySelector?.('script[type="module"][src]')
);

/** The URL of what is at this path of the site: its files and `api` are beside the entry's script. A replay file has neither. @param {string} path without a slash at its start */
export const siteUrl = (path) => (script ? new URL(path, script.src).href : path);
