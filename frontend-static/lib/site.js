/** The site's URLs. A proxy may put the site below a path, such as `https://example.org/games/`. */

const script = /** @type {HTMLScriptElement|null|undefined} */ (
  globalThis.document?.querySelector?.('script[type="module"][src]')
);

/**
 * Return the URL of a path of the site, which is relative to the entry script. A replay file has no
 * site and gets the path itself. @param {string} path without a slash at its start
 */
export const siteUrl = (path) => (script ? new URL(path, script.src).href : path);
