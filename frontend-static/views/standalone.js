/**
 * The page inside a replay that was exported as HTML. api/static/build.mjs bundles this module and
 * one game into a script. replay/export/html.py puts this script and the replay into the file.
 */

import { addressBar } from "../history/address-bar.js";
import { draw, h } from "../lib/dom.js";
import { batched } from "../lib/retry.js";
import { download } from "../lib/download.js";
import { provenance } from "./provenance.js";
import { UnreadableReplay, checkReplay, parseJson } from "../history/replay-parser.js";
import { LAYOUTS } from "../layouts/layouts.js";
import { matchBody } from "./match/body.js";
import { fileMatch } from "../history/file-match.js";
import { isDark, restoreTheme, switchTheme } from "../lib/theme.js";
import { onTimelineKey } from "./match/timeline/keys.js";
import { locale, useLanguage } from "../i18n/language.js";
import { loadGameTexts, loadLanguage } from "../i18n/tables.js";
import { t, translate } from "../i18n/translate.js";
import { drawUntilStable } from "../names/names.js";

/** @import { FileMatch } from "../history/file-match.js" */
/** @import { LoadMessages } from "../i18n/tables.js" */
/** @import { Renderer } from "../types.js" */

const PRESENT = "#/";
const SEQ_IN_HASH = /^#\/@([0-9]{1,15})$/;

/** @param {Renderer} renderer @param {LoadMessages} loadMessages loads the game's messages */
export async function start(renderer, loadMessages) {
  const text = document.getElementById("replay")?.textContent ?? "";
  const root = /** @type {HTMLElement} */ (document.getElementById("page"));
  restoreTheme();
  useLanguage(document.documentElement.lang);
  await loadLanguage(locale());
  try {
    await play(root, text, renderer, loadMessages);
  } catch (error) {
    if (!(error instanceof UnreadableReplay)) throw error;
    draw(root, [h("main", { class: "alone" }, h("p", { class: "trouble", role: "alert" }, translate(error.text)))]);
  }
}

/** @param {HTMLElement} root @param {string} text @param {Renderer} renderer @param {LoadMessages} loadMessages */
async function play(root, text, renderer, loadMessages) {
  const file = checkReplay(parseJson(text));
  const { layout: name } = file.replay.game;
  if (!Object.hasOwn(LAYOUTS, name)) throw new UnreadableReplay("replay.not-drawn");
  const { default: layout } = await LAYOUTS[name]();
  await loadGameTexts(file.replay.game.slug, loadMessages);
  const ui = { selected: 0, pointed: -1, copied: "", older: false, nameCard: "", petnameTrouble: null, typed: {} };
  /** @type {() => void} */
  const redraw = batched(() => drawOrShowError(root, () => page(opened, text, redraw)));
  const address = (/** @type {number} */ seq) => (seq ? `${PRESENT}@${seq}` : PRESENT);
  const opened = fileMatch(file, { renderer, layout }, ui, redraw, address, addressBar());
  if (!opened.isDrawable()) throw new UnreadableReplay("replay.not-drawn");
  const seekToHash = () => {
    const seq = SEQ_IN_HASH.exec(location.hash)?.[1];
    if (seq !== undefined) opened.playback.visit(Number(seq));
    else opened.playback.present();
  };
  if (!location.hash) history.replaceState(null, "", PRESENT);
  seekToHash();
  window.addEventListener("hashchange", seekToHash);
  window.addEventListener("keydown", (event) => {
    if (onTimelineKey(event, opened.playback)) redraw();
  });
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
  redraw();
}

/**
 * Draw the page. If that fails, show an error instead, because a file can contain a board that the
 * renderer can't draw.
 * @param {HTMLElement} root @param {() => any[]} page
 */
function drawOrShowError(root, page) {
  try {
    drawUntilStable(() => draw(root, page()));
  } catch {
    draw(root, [
      h("main", { key: "broken", class: "alone" }, h("p", { class: "trouble", role: "alert" }, t("replay.not-drawn"))),
    ]);
  }
}

/** @param {FileMatch} opened @param {string} text @param {() => void} redraw */
function page(opened, text, redraw) {
  const dark = isDark();
  const label = t(dark ? "theme.to-light" : "theme.to-dark");
  const header = h(
    "header",
    { class: "frame", key: "frame" },
    h("span", { class: "name" }, t("page.title")),
    h(
      "button",
      {
        id: "theme-button",
        type: "button",
        class: "quiet",
        onclick: () => {
          switchTheme();
          redraw();
        },
      },
      label,
    ),
  );
  if (!opened.isDrawable())
    return [
      header,
      h("main", { key: "main", class: "alone" }, h("p", { class: "trouble", role: "alert" }, t("replay.not-drawn"))),
    ];
  const name = `${opened.match.replace("/", "-")}.json`;
  const save = h(
    "button",
    { id: "save-replay", type: "button", class: "small", onclick: () => download(name, text) },
    t("replay.save"),
  );
  return [header, matchBody(opened.current(), opened.match, { actions: provenance(opened.replay, null, save) })];
}
