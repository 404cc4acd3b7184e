/**
 * The buttons after the end of a match, which open a rematch or a new match, replay the match, or
 * share it.
 */

import { accept, isSameAgain, isSuperseded, nextMatch, rematch, whyNoRematch } from "../../app/lobby/rematch.js";
import { h } from "../../lib/dom.js";
import { copyButton, isLocalAddress } from "../parts/copy.js";
import { titleOf } from "../parts/labels.js";
import { cost } from "../parts/terms-and-costs.js";
import { openingNote, playAgain } from "../parts/new-match-form.js";
import { actionButton } from "./action-buttons.js";
import { t, translate } from "../../i18n/translate.js";
import { nameOf } from "../../names/names.js";

/** @import { Playback } from "../../history/playback.js" */
/** @import { NextMatch } from "../../app/lobby/rematch.js" */
/** @import { QuickPlay } from "../../app/lobby/quick-play.js" */
/** @import { Tree } from "../../lib/dom.js" */
/** @import { GameInfo, Json, Renderer } from "../../types.js" */
/** @typedef {import("../parts/new-match-form.js").Uses & {playback: Playback, quickPlay: QuickPlay}} Uses */

const pictureFile = () => import("../../app/match/picture-file.js");

/** @param {Uses} app @param {GameInfo} game @param {string} match @param {Renderer} renderer */
export function nextSteps(app, game, match, renderer) {
  const board = app.server.board(match) ?? {};
  const lookBack = h(
    "button",
    { id: "look-back", key: "look-back", type: "button", onclick: () => app.playback.slide(1) },
    t("end.look-back"),
  );
  return [
    rematchButton(app, game, match, renderer, board),
    playAgain(app, game.slug),
    lookBack,
    ...shareButtons(app, match),
  ];
}

/**
 * Return the button for a rematch. If there is already a rematch, the button leads to it.
 * Otherwise, the button opens one, through the game's contract or with an invitation.
 * @param {Uses} app @param {GameInfo} game @param {string} match @param {Renderer} renderer @param {Json} board
 */
function rematchButton(app, game, match, renderer, board) {
  const own = renderer.rematchAction && app.actions.of(match, renderer.rematchAction);
  const byContract = () =>
    own && !isSuperseded(game, match) && actionButton(app, game, match, own, renderer.rematchAction ?? "", true);
  const isOpening = app.ui.openingTx !== null && app.ui.openingTx.match === match; // the page goes to this rematch by itself
  const next = isOpening ? null : nextMatch(app, match, board);
  if (next) return next.by ? offer(app, game, match, board, next) : rematchLink(next.match);
  if (board.status !== "finished" || !board.players?.[app.accounts.me]) return null;
  return withFocusOnBoard(
    ((board.rematch === undefined || isOpening) && byContract()) || invitationButton(app, game, match, board),
  );
}

/** Return the button that opens a match with the same settings and invites the opponent. @param {Uses} app @param {GameInfo} game @param {string} match @param {Json} board */
function invitationButton(app, game, match, board) {
  const why = whyNoRematch(app, game, board);
  const isOpening = app.ui.openingTx !== null;
  const button = h(
    "button",
    {
      id: "rematch",
      type: "button",
      class: "loud",
      disabled: Boolean(why) || isOpening,
      title: why && translate(why),
      onclick: () => rematch(app, game, match, board),
    },
    t(isOpening ? "end.opening" : "end.rematch"),
  );
  return h("div", { class: "action", key: "rematch" }, button, openingNote(app, game.slug, why));
}

/** Return the rematch offer, which is shown while the opponent is waiting in the rematch. @param {Uses} app @param {GameInfo} game @param {string} match @param {Json} board @param {NextMatch} next */
function offer(app, game, match, board, next) {
  const join = app.actions.of(match, app.server.renderers.get(game.slug)?.joinAction ?? "");
  const isOnePress = isSameAgain(app, game, board, next);
  const button = h(
    "button",
    {
      id: "to-rematch",
      type: "button",
      class: "loud offered",
      onclick: () => accept(app, game, board, next),
    },
    t(isOnePress ? "end.play-again" : "match.to-rematch"),
  );
  return [
    h(
      "p",
      { id: "offer-rematch", key: "offer-rematch", class: "offer", role: "status" },
      t("end.offered", { name: nameOf(next.by) }),
    ),
    withFocusOnBoard(h("div", { class: "action", key: "to-rematch" }, button, isOnePress && join && cost(app, join))),
  ];
}

/** @param {string} next the rematch's name */
const rematchLink = (next) =>
  withFocusOnBoard(
    h(
      "a",
      { id: "to-rematch", key: "to-rematch", href: `#/match/${next}`, class: "button loud" },
      t("match.to-rematch"),
    ),
  );

/** Move the focus to the board when this button is removed. @param {Tree} tree @returns {Tree} */
const withFocusOnBoard = (tree) => ({ ...tree, props: { ...tree.props, "data-then": "board" } });

/** Return the button that shares the match or copies its link, and the button that saves a picture. @param {Uses} app @param {string} match */
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
      : copyButton(
          app,
          url,
          "share-end",
          t("match.copy-link"),
          t("match.copy-link"),
          t("match.copied"),
          isLocalAddress(url, app.server.health?.development) ? t("copy.only-here") : undefined,
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
