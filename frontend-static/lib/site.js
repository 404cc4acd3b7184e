/**
 * Builds the URLs of this site. A proxy can serve the site under a path, such as
 * `https://example.org/games/`.
 */

const script = /** @type {HTMLScriptElement|null|undefined} */ (
  globalThis.document?.querySelector?.('script[type="module"][src]')
);

/**
 * Return the URL of a path on this site, resolved against the URL of the page's entry script. If
 * the page has no entry script, as in tests, return the path itself. @param {string} path a path without a slash at its start
 */
export const siteUrl = (path) => (script ? new URL(path, script.src).href : path);
