/** A match in a frame on another site's page: a headline, the board and the timeline. */

import { FramedMatch, linkTo } from "../app/match/framed.js";
import { draw, h } from "../lib/dom.js";
import { batched } from "../lib/retry.js";
import { restoreTheme } from "../lib/theme.js";
import { t, translate } from "../i18n/translate.js";
import { drawUntilStable } from "../names/names.js";
import { onTimelineKey } from "./match/timeline/keys.js";
import { timeline } from "./match/timeline/timeline.js";
import { boardHost, pictureOf } from "./parts/board-host.js";
import { missingPart } from "./parts/missing-part.js";

/** @import { Tree } from "../lib/dom.js" */

const ADDRESS = /\/embed\/([a-z0-9-]{1,40}\/[0-9]{1,15})(?:@([0-9]{1,10}))?$/;

/** Start the page. Load the texts in the page's language before you call this. */
export function start() {
  const [, match = "", digits = "0"] = ADDRESS.exec(location.pathname) ?? [];
  const root = /** @type {HTMLElement} */ (document.getElementById("page"));
  const redraw = batched(() => {
    if (framed.module?.failed) void framed.newVersion.check();
    drawUntilStable(() => draw(root, [embedPage(framed)]));
    document.title = `${match} · ${t("page.title")}`;
    framed.nicknames.refresh();
  });
  restoreTheme();
  const framed = new FramedMatch(match, redraw);
  window.addEventListener("keydown", (event) => {
    if (onTimelineKey(event, framed.playback)) redraw();
  });
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
  redraw();
  void framed.start(Number(digits));
}

/** @param {Pick<FramedMatch, "match"|"module"|"newVersion"|"server"|"playback"|"context">} framed @returns {Tree} */
export function embedPage(framed) {
  const { match, module, server, playback } = framed;
  const [slug, id] = match.split("/");
  const [game, renderer, board] = [server.games.get(slug), server.renderers.get(slug), server.board(match)];
  if (server.missing.has(match) && !board)
    return messagePage(h("p", { role: "alert" }, t("page.no-such-match", { match })));
  if (module?.failed) return missingPart(framed, module);
  if (game && module?.loaded && !renderer)
    return messagePage(h("p", { role: "alert" }, t("page.no-renderer", { game: game.title })));
  if (!game || !renderer || !board) return messagePage(h("p", { class: "hint", role: "status" }, t("page.loading")));
  const context = framed.context();
  const picture = pictureOf(context, match, renderer);
  const layout = context.layouts.get(game.layout);
  const ratio = picture ? (layout?.ratio?.(picture) ?? picture.width / picture.height) : 1;
  const drawn = context.board(match) ?? board;
  const turn = translate(renderer.turnText(drawn, "", context.renderContext(match)));
  const seq = playback.playhead?.seq ?? 0;
  const link = h(
    "a",
    { id: "to-match", class: "button small quiet", href: linkTo(match, seq), target: "_blank", rel: "noopener" },
    t("share.to-match"),
  );
  return h(
    "main",
    {
      id: "main",
      key: "embed",
      class: "embed",
      "data-match": match,
      "data-game": slug,
      "data-status": drawn.status,
      "data-past": playback.playhead?.seq,
    },
    h(
      "header",
      { class: "head" },
      h("h1", null, t("match.title", { game: game.title, id })),
      h("p", { id: "whose", class: "whose", role: "status" }, server.connection === "lost" ? t("line.lost") : turn),
    ),
    h(
      "div",
      { class: "stage", "data-layout": game.layout, vars: { "--ratio": ratio } },
      boardHost(context, match, false),
      timeline(context, match, renderer, null, [link]),
    ),
  );
}

/** @param {Tree} content */
const messagePage = (content) => h("main", { id: "main", key: "alone", class: "alone" }, content);
