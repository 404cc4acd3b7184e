/**
 * The page of a match on the chain. It shows the latest board with the possible moves. If the
 * player has gone back in the timeline, it shows an earlier board.
 */

import { actionId, seatOf } from "../../app/submit.js";
import { actionList, isOffered, latestOfAction } from "./action-buttons.js";
import { chainFacts } from "./facts/chain-facts.js";
import { nextSteps } from "./next-steps.js";
import { hasEnded } from "../../lib/board.js";
import { verificationMark } from "./facts/verification.js";
import { asCovered, isCovered } from "../../app/match/privacy.js";
import { claimOf, contextAt } from "../../history/match-context.js";
import { h } from "../../lib/dom.js";
import { costText, moveCost } from "../parts/terms-and-costs.js";
import { hint } from "./hints.js";
import { lastPress } from "./facts/last-press.js";
import { invitation } from "./invitation.js";
import { privacyScreen } from "./privacy-screen.js";
import { actionName, txError } from "../parts/tx-status.js";
import { boardHost } from "../parts/board-host.js";
import { askComputer } from "../parts/opponents.js";
import { missingPart } from "../parts/missing-part.js";
import { matchBody } from "./body.js";
import { emotesOf } from "./players/emotes.js";
import { isUnsuccessful } from "../../chain/tx/states.js";
import { seriesButton } from "./series.js";
import { backToPresent, copyLink, saveReplay } from "./timeline/timeline.js";
import { t, translate } from "../../i18n/translate.js";

/** @import { NewVersion } from "../../app/loading/new-version.js" */
/** @import { Pairing } from "../../app/lobby/pairing.js" */
/** @import { MoveSeries } from "../../app/match/series.js" */
/** @import { GameInfo, Renderer } from "../../types.js" */
/** @typedef {import("./next-steps.js").Uses & import("./facts/verification.js").Uses & import("./hints.js").Uses & import("./invitation.js").Uses & import("./players/emotes.js").Uses & {newVersion: NewVersion, pairing: Pairing, series: MoveSeries}} Uses */

/** @param {Uses} app @param {string} match */
export function matchPage(app, match) {
  const [slug] = match.split("/");
  const game = app.server.games.get(slug);
  const renderer = app.server.renderers.get(slug);
  const board = app.server.board(match);
  const missing = app.server.missing.get(match) ?? (app.server.health && !game ? slug : undefined);
  if (missing !== undefined && !board) return [h("main", { id: "main", class: "alone" }, notFound(match))];
  const module = app.server.modules.get(slug);
  if (module?.failed) return [missingPart(app, module)];
  if (module?.loaded && game && !renderer)
    return [
      h("main", { id: "main", class: "alone" }, h("p", { role: "alert" }, t("page.no-renderer", { game: game.title }))),
    ];
  if (!game || !renderer || !board)
    return [
      h(
        "main",
        { id: "main", class: "match-page" },
        h("h1", { class: "unseen" }, match),
        h("div", { class: "turn-line" }),
        h(
          "div",
          { class: "stage" },
          h("ul", { class: "players top" }),
          boardHost(app.live, match, false),
          h("ul", { class: "players bottom" }),
          h("p", { class: "hint", role: "status" }, t("page.loading")),
        ),
      ),
    ];
  const { playhead } = app.playback;
  const covered = isCovered(app, match);
  const matchContext = playhead ? contextAt(app.live, match, playhead) : app.live;
  const fees = playhead ? "" : feesText(app, game, match, renderer);
  const inside = [
    chainFacts(matchContext, match, app.transactions.list, app.server.finalHeight, fees),
    saveReplay(match),
  ];
  const facts = verificationMark(app, match, inside, playhead ? claimOf(app.playback) : undefined);
  const isSharedAtEnd = hasEnded(board) && !playhead && app.ui.closedEnd !== match; // the result's banner has the same button
  const links = [!isSharedAtEnd && copyLink(app.live, match, app.server.health?.development), rulesLink(app, match)];
  if (covered)
    return [
      matchBody(asCovered(matchContext), match, {
        above: privacyScreen(app, match),
        facts,
        links,
        actions: playhead && backToPresent(app.live),
      }),
    ];
  if (playhead) return [matchBody(matchContext, match, { facts, links, actions: backToPresent(app.live) })];
  return [
    matchBody(app.live, match, {
      beside: (/** @type {string} */ address) => emotesOf(app, match, address),
      rejection: rejection(app, match) ?? [lastPress(app, match), pressCost(app, game, match, renderer)],
      next: hasEnded(board) && nextSteps(app, game, match, renderer),
      facts,
      links,
      begin:
        app.pairing.search?.match === match
          ? []
          : [invitation(app, match, board, renderer), askComputer(app, match, board)],
      actions: [
        renderer.notices?.(app.live.renderContext(match)),
        actionList(app, game, match, renderer),
        seriesButton(app, match),
        hint(app, match),
      ],
    }),
  ];
}

/** @param {string} match */
function notFound(match) {
  return h(
    "div",
    { class: "card nothing", role: "alert" },
    h("h1", null, t("page.nothing-there")),
    h("p", { class: "whole" }, t("page.no-such-match", { match })),
    h("a", { href: "#/", class: "button" }, t("page.to-lobby")),
  );
}

/**
 * Return the cost of a click on the board, if it is the player's turn. Buttons show their own
 * costs. @param {Uses} app @param {GameInfo} game @param {string} match @param {Renderer} renderer
 */
function pressCost(app, game, match, renderer) {
  const context = app.live.renderContext(match);
  const { board, me, pending } = context;
  if (board.status !== "playing" || board.mover !== me || pending.length) return null;
  const action = game.actions.find(({ name }) => name === renderer.pressAction);
  return action && !isOffered(context, renderer, action) && moveCost(app, action);
}

/** Return a text that lists the cost of each possible move. @param {Uses} app @param {GameInfo} game @param {string} match @param {Renderer} renderer */
function feesText(app, game, match, renderer) {
  const context = app.live.renderContext(match);
  const isRunning = !hasEnded(context.board);
  return game.actions
    .filter(
      (action) =>
        !action.opens && ((isRunning && action.name === renderer.pressAction) || isOffered(context, renderer, action)),
    )
    .map((action) => [actionName({ game: game.slug, action: actionId(renderer, action) }), costText(app, action)])
    .flatMap(([action, state]) => (state ? t("tx.life", { action, state }) : []))
    .join(" · ");
}

/**
 * Return why the last click on the board made no move. The page's own checks or the contract
 * provide the reason.
 * @param {Uses} app @param {string} match
 */
function rejection(app, match) {
  const { rejected } = app.ui;
  if (
    rejected?.match === match &&
    rejected.account === app.accounts.me &&
    rejected.seq === app.server.socket.entries.get(match)?.seq
  ) {
    const isBack = rejected.why.key === "why.no-server" && app.server.connection === "live";
    const why = isBack ? { key: "why.not-sent" } : rejected.why;
    return h(
      "span",
      { class: "refused", id: "board-why", key: "board-why", role: "alert", "data-why": why.key },
      translate(why),
    );
  }
  const last = app.transactions.list.findLast(
    (tx) => tx.match === match && tx.cell !== undefined && seatOf(tx) === app.accounts.me,
  );
  const ended = last && last === latestOfAction(app, match, last.action) && isUnsuccessful(last);
  return ended ? txError(last) : null;
}

/** Return the link to the game's rules. The rules page will have a link back to the match. @param {Uses} app @param {string} match */
function rulesLink({ playback, server }, match) {
  if (!server.renderer(match)?.rules) return null;
  const seq = playback.playhead?.seq;
  return h("a", { id: "to-rules", class: "small", href: `#/rules/${match}${seq ? `@${seq}` : ""}` }, t("rules.open"));
}
