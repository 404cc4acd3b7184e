/**
 * Makes the site's URLs. A proxy can serve the site below a path, such as
 * `https://example.org/games/`.
 */

const script = /** @type {HTMLScriptElement|null|undefined} */ (
  globalThis.document?.querySelector?.('script[type="module"][src]')
);

/**
 * Return the URL of a path on the site, relative to the entry script. Without an entry script,
 * return the path itself. @param {string} path without a slash at its start
 */
export const siteUrl = (path) => (script ? new URL(path, script.src).href : path);
