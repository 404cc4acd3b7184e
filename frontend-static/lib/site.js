/** URL of the site, which a proxy may put below a path, such as `https://example.org/games/`. */

const script = /** @type {HTMLScriptElement|null|undefined} */ (
  globalThis.document?.querySelector?.('script[type="module"][src]')
);

/** Return the URL of a path of the site, next to the entry script. A replay file has no site. @param {string} path without a slash at its start */
export const siteUrl = (path) => (script ? new URL(path, script.src).href : path);
