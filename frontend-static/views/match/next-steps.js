/** What one can do when a match is over: once more, another one, look back, share it. */

import { isSuperseded, offeredRematch, rematch, whyNoRematch } from "../../app/lobby/rematch.js";
import { h } from "../../lib/dom.js";
import { copier, isOnlyHere } from "../parts/copy.js";
import { titleOf } from "../parts/labels.js";
import { again, openingNote } from "../parts/new-match-form.js";
import { actionButton } from "./action-buttons.js";
import { t, translate } from "../../i18n/translate.js";

/** @import { Playback } from "../../history/playback.js" */
/** @import { GameInfo, Json, Renderer } from "../../types.js" */
/** @typedef {import("../parts/new-match-form.js").Needs & {playback: Playback}} Needs What it uses of the page. */

const pictureFile = () => import("../../app/match/picture-file.js");

/** @param {Needs} app @param {GameInfo} game @param {string} match @param {Renderer} renderer */
export function nextSteps(app, game, match, renderer) {
  const board = app.server.board(match) ?? {};
  const lookBack = h(
    "button",
    { id: "look-back", key: "look-back", type: "button", onclick: () => app.playback.slide(1) },
    t("end.look-back"),
  );
  return [
    rematchButton(app, game, match, renderer, board),
    again(app, game.slug),
    lookBack,
    ...shareButtons(app, match),
  ];
}

/** To the one that is there, by the contract's own way, or by an invitation. @param {Needs} app @param {GameInfo} game @param {string} match @param {Renderer} renderer @param {Json} board */
function rematchButton(app, game, match, renderer, board) {
  const there = board.rematch ?? offeredRematch(app, game.slug, board)?.id;
  if (there !== undefined)
    return h(
      "a",
      { id: "to-rematch", key: "to-rematch", href: `#/match/${game.slug}/${there}`, class: "button loud" },
      t("match.to-rematch"),
    );
  if (board.status !== "finished" || !board.players?.[app.accounts.me]) return null;
  const own = renderer.rematchAction && app.actions.of(match, renderer.rematchAction);
  if (own && !isSuperseded(game, match)) return actionButton(app, game, match, own, renderer.rematchAction ?? "", true);
  const why = whyNoRematch(app, game, board);
  const button = h(
    "button",
    {
      id: "rematch",
      type: "button",
      class: "loud",
      disabled: Boolean(why) || app.ui.openingTx !== null,
      title: why && translate(why),
      onclick: () => rematch(app, game, match, board),
    },
    t("end.rematch"),
  );
  return h("div", { class: "action", key: "rematch" }, button, openingNote(app, game.slug, why));
}

/** By the browser, where it can; else the link is copied. And the picture as a file. @param {Needs} app @param {string} match */
function shareButtons(app, match) {
  const title = titleOf(app, match);
  const url = new URL(app.live.link(match, 0), location.href).href;
  const shared =
    "share" in navigator
      ? h(
          "button",
          {
            id: "share-end",
            key: "share",
            type: "button",
            onclick: async () => (await pictureFile()).share(app, match, { title, text: title, url }),
          },
          t("match.share"),
        )
      : copier(
          app,
          url,
          "share-end",
          t("end.share-link"),
          t("match.share"),
          t("match.copied"),
          isOnlyHere(url, app.server.health?.development) ? t("copy.only-here") : undefined,
        );
  const picture = h(
    "button",
    {
      id: "save-picture",
      key: "picture",
      type: "button",
      onclick: async () => (await pictureFile()).savePicture(app, match),
    },
    t("end.picture"),
  );
  return [shared, picture];
}
