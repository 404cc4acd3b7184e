/**
 * Builds URLs on this site. A proxy can serve the site below a path, such as
 * `https://example.org/games/`.
 */

const script = /** @type {HTMLScriptElement|null|undefined} */ (
  globalThis.document?.querySelector?.('script[type="module"][src]')
);

/**
 * Return the URL of a path on the site, which is relative to the page's entry script. If the page
 * has no such script, return the path itself. @param {string} path a path that doesn't start with a slash
 */
export const siteUrl = (path) => (script ? new URL(path, script.src).href : path);
