/** A game's card in the lobby. It shows a board, one fact about the game, and the ways to play. */

import { openingAction } from "../../app/lobby/opponents.js";
import { lobbyEntry, ownRunning, waitingHost } from "../../app/lobby/rows.js";
import { longestClock } from "../../app/lobby/seek.js";
import { involvement } from "../../app/lobby/my-matches.js";
import { isTemporary, lastOpening, whyOpening } from "../../app/submit.js";
import { isUnsuccessful } from "../../chain/tx/states.js";
import { duration, gameKey, t, translate } from "../../i18n/translate.js";
import { h } from "../../lib/dom.js";
import { cost, termsLine } from "../parts/terms-and-costs.js";
import { boardHost } from "../parts/board-host.js";
import { titleOf } from "../parts/labels.js";
import { txStatus } from "../parts/tx-status.js";

/** @import { MyMatches } from "../../app/lobby/my-matches.js" */
/** @import { Pairing } from "../../app/lobby/pairing.js" */
/** @import { LobbyPreviews } from "../../app/lobby/previews.js" */
/** @import { QuickPlay } from "../../app/lobby/quick-play.js" */
/** @import { Action, GameInfo, I18nText, Json, Summary } from "../../types.js" */
/** @typedef {import("../parts/new-match-form.js").Uses & {myMatches: MyMatches, pairing: Pairing, previews: LobbyPreviews, quickPlay: QuickPlay}} Uses */

/** A game's rules page has several example boards. The card shows the board with this index. */
const EXAMPLE_BOARD = 1;

/** @param {Uses} app @param {GameInfo} game */
export function gameCard(app, game) {
  const { slug } = game;
  const renderer = app.server.renderers.get(slug);
  const create = openingAction(game);
  const host = waitingHost(app, slug);
  const why = app.quickPlay.whyNot(game);
  return h(
    "article",
    { class: "card game", id: `game-${slug}`, key: slug, "data-game": slug, "aria-labelledby": `title-${slug}` },
    preview(app, game, host),
    h("h2", { id: `title-${slug}` }, game.title),
    h("div", { class: "about" }, (host && playTerms(app, host)) || t(gameKey(slug, "game.lead"))),
    h(
      "div",
      { class: "go" },
      h(
        "button",
        {
          id: `play-${slug}`,
          type: "button",
          class: "loud",
          disabled: Boolean(why),
          "data-pending": Boolean(why) && whyOpening(app, slug, app.accounts.me) !== null,
          "aria-labelledby": `play-${slug} title-${slug}`,
          "aria-describedby": `press-${slug}`,
          onclick: () => void app.quickPlay.press(game),
        },
        t("lobby.play"),
      ),
      // Until the game's module is loaded, reserve space for the link, so that *Play* doesn't move.
      (renderer?.hasTutorial ?? !renderer) &&
        pageLink("learn", slug, t("learn.open"), renderer ? "button" : "button coming"),
      renderer?.rules && !renderer.hasTutorial && pageLink("rules", slug, t("lobby.rules"), "button"),
    ),
    h(
      "div",
      { class: app.server.health?.development ? "card-foot" : "card-foot paid" },
      personButton(app, game),
      app.pairing.openCard === slug && presetButtons(app, game),
      (!renderer || (renderer.rules && renderer.hasTutorial)) &&
        pageLink("rules", slug, t("lobby.rules"), renderer ? undefined : "coming"),
      create && pageLink("new", slug, t("lobby.own")),
      h("div", { class: "press", id: `press-${slug}`, role: "status" }, playNote(app, game, host, why)),
    ),
  );
}

/** @param {string} page @param {string} slug @param {string} text @param {string} [look] */
const pageLink = (page, slug, text, look) =>
  h(
    "a",
    {
      id: `${page}-${slug}`,
      class: look,
      href: `#/${page}/${slug}`,
      "aria-labelledby": `${page}-${slug} title-${slug}`,
    },
    text,
  );

/**
 * Return the button for a match against a person. If the game has several clocks, a click shows
 * the clocks, so that the player can choose one. If there is only one clock, a click starts the
 * search for an opponent.
 * @param {Uses} app @param {GameInfo} game
 */
function personButton(app, game) {
  const { slug, presets = [] } = game;
  const { pairing } = app;
  if (!presets.length) return null;
  const isOpen = pairing.openCard === slug;
  const press = () => {
    if (presets.length === 1) return void pairing.start(game, presets[0]);
    pairing.openCard = isOpen ? "" : slug;
    app.redraw();
  };
  return h(
    "button",
    {
      id: `person-${slug}`,
      type: "button",
      class: "person",
      disabled: presets.length === 1 && Boolean(app.actions.whyCantSend()),
      "aria-expanded": presets.length > 1 ? String(isOpen) : undefined,
      "aria-labelledby": `person-${slug} title-${slug}`,
      onclick: press,
    },
    t("pairing.person"),
  );
}

/** @param {Uses} app @param {GameInfo} game */
function presetButtons(app, game) {
  const { slug, presets = [] } = game;
  const why = app.actions.whyCantSend();
  const preset = (/** @type {number} */ clock) => {
    const n = app.pairing.otherSeekers(slug, clock);
    const isCasual = clock === longestClock(game);
    const time = duration(clock);
    return h(
      "button",
      {
        id: `seek-${slug}-${clock}`,
        type: "button",
        class: "small",
        disabled: Boolean(why),
        onclick: () => void app.pairing.start(game, clock),
      },
      h("b", null, isCasual ? t("pairing.casual") : time),
      h("small", null, n ? t("pairing.others", { n }) : t(isCasual ? "clock.each" : "pairing.each", { time })),
    );
  };
  return h(
    "div",
    { class: "presets", role: "group", "aria-label": t("pairing.presets") },
    [...presets].reverse().map(preset),
    why && h("p", { class: "why", "data-why": why.key }, translate(why)),
  );
}

/**
 * Return the board of a live match. If there is none, return an example board from the game's rules
 * page. @param {Uses} app @param {GameInfo} game @param {Summary|undefined} host
 */
function preview(app, game, host) {
  const { slug, title } = game;
  const { featured: match, board } = lobbyEntry(app, slug);
  const { key, args, turn } = currentFact(app, game, host);
  const pill = h("span", { class: turn ? "pill turn" : "pill", "data-fact": key }, t(key, args));
  const renderer = app.server.renderers.get(slug);
  const waits = renderer?.isSlow && app.previews.state !== "idle";
  const small = (/** @type {Json|null} */ shown, /** @type {string} */ of) =>
    waits ? null : boardHost(app.live.withBoard(shown), of, true);
  if (!match)
    return h("div", { class: "peek" }, small(renderer?.rules?.[EXAMPLE_BOARD].board ?? null, `${slug}/rules`), pill);
  const label = t("lobby.look", { match: titleOf(app, match), game: title });
  return h(
    "a",
    { class: "peek", href: `#/match/${match}`, "data-featured": match, "aria-label": label },
    small(board ?? app.server.board(match), match),
    pill,
  );
}

/** Return the most interesting fact about a game now, such as a waiting opponent. @param {Uses} app @param {GameInfo} game @param {Summary|undefined} host */
function currentFact(app, game, host) {
  const { slug } = game;
  const own = ownRunning(app).filter((match) => match.game === slug);
  const live = Number(lobbyEntry(app, slug).counts?.live ?? 0);
  if (host || app.quickPlay.hasSeeker(game)) return { key: "lobby.fact.rival" };
  const other = (game.presets ?? []).find((clock) => app.pairing.otherSeekers(slug, clock));
  if (other) return { key: "lobby.fact.rival-at", args: { time: duration(other) } };
  if (own.some((match) => match.status === "playing" && involvement(app, match) === 0))
    return { key: "lobby.fact.turn", turn: true };
  if (own.some(({ status }) => status === "open")) return { key: "lobby.fact.waits" };
  if (live > 0) return { key: gameKey(slug, "lobby.fact.playing"), args: { n: live } };
  return { key: app.opponents.of(slug).length ? "lobby.fact.computer" : "lobby.fact.quiet" };
}

/** Return the terms of the match that a click on *Play* would join. @param {Uses} app @param {Summary} summary */
function playTerms(app, summary) {
  return termsLine(app, summary, `terms-${summary.game}`, (terms) =>
    t("lobby.awaits", { match: titleOf(app, summary.match), terms }),
  );
}

/**
 * Return the note below *Play*. It says why the button is disabled, why the last click failed, or
 * what a click costs. Temporary reasons are invisible, because showing them would move the cards
 * below. Only screen readers read these reasons.
 * @param {Uses} app @param {GameInfo} game @param {Summary|undefined} host @param {I18nText|null} why
 */
function playNote(app, game, host, why) {
  const last = lastOpening(app, game.slug, app.accounts.me);
  const failed = last && isUnsuccessful(last) ? last.reason?.sentence : undefined;
  if (why) {
    const isUnder = last && whyOpening(app, game.slug, app.accounts.me);
    return [
      h("p", { class: isTemporary(app, why) ? "why unseen" : "why", "data-why": why.key }, translate(why)),
      isUnder && txStatus(last),
    ];
  }
  const { why: isBusy } = app.opponents; // if all computer players are busy, *Play* opens a match that waits for an opponent
  const paid = playAction(app, game, host);
  return [
    failed && h("p", { class: "trouble" }, translate(failed)),
    isBusy && !host && app.opponents.of(game.slug).length > 0 && h("p", { class: "hint" }, translate(isBusy)),
    paid && cost(app, paid),
  ];
}

/** Return the action that a click on *Play* sends, or undefined if it sends none. @param {Uses} app @param {GameInfo} game @param {Summary|undefined} host @returns {Action|undefined} */
function playAction(app, game, host) {
  if (!host) return app.quickPlay.unfinished(game) ? undefined : openingAction(game);
  const kind = app.server.renderers.get(game.slug)?.joinAction;
  return kind ? app.actions.of(host.match, kind) : undefined;
}
