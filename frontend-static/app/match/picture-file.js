/** Makes a PNG picture of a finished match, drawn as in exported replays, in the page's colours. */

import { drawing } from "../../history/snapshot-svg.js";
import { still } from "../../history/snapshot.js";
import { draw } from "../../lib/dom.js";
import { downloadBlob } from "../../lib/download.js";
import { siteUrl } from "../../lib/site.js";

/** @import { Tree } from "../../lib/dom.js" */
/** @import { ServerState } from "../server-state.js" */
/** @typedef {{server: ServerState}} Uses */

/** The number of pixels in the image for each CSS pixel. */
const SCALE = 2;
/**
 * The CSS properties whose computed values become attributes of each element in the picture.
 */
const STYLES =
  `display fill fill-opacity font-family font-size font-weight opacity stroke stroke-dasharray stroke-linecap
  stroke-linejoin stroke-opacity stroke-width text-anchor dominant-baseline paint-order`.split(/\s+/);

/** @param {Uses} app @param {string} match @returns {Tree} */
export function stillOf({ server }, match) {
  const [slug] = match.split("/");
  const game = /** @type {import("../../types.js").GameInfo} */ (server.games.get(slug));
  const all = server.events(match);
  const { tx, hash, seq } = all[all.length - 1];
  const events = all.filter((event) => event.tx === tx && event.hash === hash);
  const before = all.filter((event) => !events.includes(event));
  const input = {
    match,
    title: game.title,
    board: server.board(match) ?? {},
    events,
    before,
    last: seq,
    site: new URL(siteUrl("")).host,
  };
  return drawing(still(/** @type {any} */ (server.renderers.get(slug)), input), server.layouts.get(game.layout));
}

/**
 * Write each element's computed styles into attributes. An image can't use the page's style sheets. @param {Element} svg
 */
function inline(svg) {
  for (const animation of svg.getAnimations({ subtree: true })) animation.finish();
  const all = [svg, ...svg.querySelectorAll("*")];
  const looks = all.map((element) => {
    const style = getComputedStyle(element);
    return STYLES.map((name) => [name, style.getPropertyValue(name)]);
  });
  for (const [i, element] of all.entries()) {
    for (const [name, value] of looks[i]) if (value) element.setAttribute(name, value);
    element.removeAttribute("style");
  }
}

/** @param {Uses} app @param {string} match @returns {Promise<Blob>} */
export async function pictureOfEnd(app, match) {
  const host = document.createElement("div");
  host.className = "unseen";
  host.dataset.game = match.split("/")[0];
  draw(host, [stillOf(app, match)]);
  document.body.append(host);
  const svg = /** @type {SVGSVGElement} */ (host.firstElementChild);
  inline(svg);
  host.remove();
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(svg))}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width: SCALE * image.width, height: SCALE * image.height });
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) =>
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error("the browser can't make a PNG picture"))),
      "image/png",
    ),
  );
}

/** @param {string} match */
const fileName = (match) => `${match.replace("/", "-")}.png`;

/** @param {Uses} app @param {string} match */
export async function savePicture(app, match) {
  downloadBlob(fileName(match), await pictureOfEnd(app, match));
}

/** Open the browser's share dialog. Attach the picture if the browser can share files. @param {Uses} app @param {string} match @param {{title: string, text: string, url: string}} words */
export async function share(app, match, words) {
  const file = await pictureOfEnd(app, match).then(
    (blob) => new File([blob], fileName(match), { type: "image/png" }),
    () => null,
  );
  const withFile = { ...words, files: file ? [file] : [] };
  const data = file && navigator.canShare?.(withFile) ? withFile : words;
  await navigator.share(data).catch(() => undefined); // the promise rejects if the user cancels the dialog
}
