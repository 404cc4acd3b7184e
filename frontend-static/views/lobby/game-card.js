/** A game's card: a board on which something happens, one fact, and what one can do. */

import { awaiting, joinable, lobbyEntry, ownRunning } from "../../app/lobby/rows.js";
import { loadGame } from "../../app/loading/load-game.js";
import { closeness } from "../../app/lobby/my-matches.js";
import { lastOpening, whyOpening } from "../../app/submit.js";
import { isUnsuccessful } from "../../chain/tx/states.js";
import { gameKey, t, translate } from "../../i18n/translate.js";
import { h } from "../../lib/dom.js";
import { cost, termsLine } from "../parts/agreement.js";
import { boardHost } from "../parts/board-host.js";
import { titleOf } from "../parts/labels.js";
import { openingAction } from "../parts/new-match-form.js";
import { playComputer } from "../parts/opponents.js";
import { txStatus } from "../parts/tx-status.js";

/** @import { MyMatches } from "../../app/lobby/my-matches.js" */
/** @import { LobbyPreviews } from "../../app/lobby/previews.js" */
/** @import { Action, GameInfo, I18nText, Json, Summary } from "../../types.js" */
/** @typedef {import("../parts/new-match-form.js").Needs & {myMatches: MyMatches, previews: LobbyPreviews}} Needs What it uses of the page. */

/** @param {Needs} app @param {GameInfo} game */
export function gameCard(app, game) {
  const { slug } = game;
  const renderer = app.server.renderers.get(slug);
  const create = openingAction(game);
  const best = awaiting(app, slug);
  const why = whyNotPlay(app, game, best);
  return h(
    "article",
    { class: "card game", id: `game-${slug}`, key: slug, "data-game": slug, "aria-labelledby": `title-${slug}` },
    preview(app, game, best),
    h("h2", { id: `title-${slug}` }, game.title),
    h(
      "div",
      { class: "about" },
      (best && joinable(app, best) && [away(app, best), agreed(app, best)]) || t(gameKey(slug, "game.lead")),
    ),
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
          onclick: () => play(app, game),
        },
        t("lobby.play"),
      ),
      renderer?.rules &&
        h(
          "a",
          {
            id: `rules-${slug}`,
            class: "button",
            href: `#/rules/${slug}`,
            "aria-labelledby": `rules-${slug} title-${slug}`,
          },
          t("lobby.rules"),
        ),
    ),
    h("div", { class: "press", id: `press-${slug}`, role: "status" }, pressNote(app, game, best, why)),
    (create && playComputer(app, game, create, why)) || h("div", { class: "computers" }),
    h(
      "p",
      { class: "new-link" },
      create &&
        h(
          "a",
          { id: `new-${slug}`, href: `#/new/${slug}`, "aria-labelledby": `new-${slug} title-${slug}` },
          t("lobby.own"),
        ),
    ),
  );
}

/** The game's featured match; without one the board that a match begins with. @param {Needs} app @param {GameInfo} game @param {Summary|undefined} best */
function preview(app, { slug, title, start }, best) {
  const { featured: match, board } = lobbyEntry(app, slug);
  const { key, args, turn } = fact(app, slug, best);
  const pill = h("span", { class: turn ? "pill turn" : "pill", "data-fact": key }, t(key, args));
  const waits = app.server.renderers.get(slug)?.isSlow && app.previews.state !== "idle";
  const small = (/** @type {Json|null} */ shown, /** @type {string} */ of) =>
    waits ? null : boardHost(app.live.withBoard(shown), of, true);
  if (!match) return h("div", { class: "peek" }, small(start ?? null, `${slug}/0`), pill);
  const label = t("lobby.look", { match: titleOf(app, match), game: title });
  return h(
    "a",
    { class: "peek", href: `#/match/${match}`, "data-featured": match, "aria-label": label },
    small(board ?? app.server.board(match), match),
    pill,
  );
}

/** The one thing worth telling of a game now. @param {Needs} app @param {string} slug @param {Summary|undefined} best */
function fact(app, slug, best) {
  const own = ownRunning(app).filter(({ game }) => game === slug);
  const playing = Number(lobbyEntry(app, slug).counts?.playing ?? 0);
  if (own.some((match) => match.status === "playing" && closeness(app, match) === 0))
    return { key: "lobby.fact.turn", turn: true };
  if (best && joinable(app, best)) return { key: best.attended === false ? "lobby.fact.away" : "lobby.fact.rival" };
  if (own.some(({ status }) => status === "open")) return { key: "lobby.fact.waits" };
  if (playing > 0) return { key: gameKey(slug, "lobby.fact.playing"), args: { n: playing } };
  return { key: app.opponents.of(slug).length ? "lobby.fact.computer" : "lobby.fact.quiet" };
}

/** What one agrees to in the match that Play leads to. @param {Needs} app @param {Summary} summary */
function agreed(app, summary) {
  return termsLine(app, summary, `terms-${summary.game}`, (terms) =>
    t("lobby.awaits", { match: titleOf(app, summary.match), terms }),
  );
}

/** Who opened it has left: the computer is there. @param {Needs} app @param {Summary} summary */
const away = (app, { game, attended }) =>
  attended === false &&
  h(
    "p",
    { class: "hint away", id: `away-${game}` },
    t(app.opponents.of(game).length ? "lobby.opener-away" : "lobby.opener-away-alone"),
  );

/** Why Play can't be pressed: it opens a match at once, where none awaits one and there is nothing to prepare. @param {Needs} app @param {GameInfo} game @param {Summary|undefined} best @returns {I18nText|null} */
function whyNotPlay(app, game, best) {
  const create = openingAction(game);
  if (best || !create || app.server.renderers.get(game.slug)?.hasNewMatchPage) return null;
  return app.actions.whyCantSend() ?? app.actions.why("", create, {}, app.accounts.me, game.slug);
}

/** Below Play: why it can't be pressed, what became of the press before, or what it costs where ether is worth something. @param {Needs} app @param {GameInfo} game @param {Summary|undefined} best @param {I18nText|null} why */
function pressNote(app, game, best, why) {
  const last = lastOpening(app, game.slug, app.accounts.me);
  const isToldBelow = Boolean(app.opponents.refusal(game.slug));
  const failed = last && isUnsuccessful(last) && !isToldBelow ? last.reason?.sentence : undefined;
  if (why) {
    const isUnder = last && whyOpening(app, game.slug, app.accounts.me);
    return [h("p", { class: "why", "data-why": why.key }, translate(why)), isUnder && txStatus(last)];
  }
  const action = best ? joining(app, game, best) : openingAction(game);
  return [
    failed && h("p", { class: "trouble" }, translate(failed)),
    action && !app.server.health?.development && cost(app, action),
  ];
}

/** How one takes part in the match that Play leads to; undefined: one does already. @param {Needs} app @param {GameInfo} game @param {Summary} best @returns {Action|undefined} */
function joining(app, game, best) {
  const kind = app.server.renderers.get(game.slug)?.joinAction;
  return kind && !best.players.includes(app.accounts.me) ? app.actions.of(best.match, kind) : undefined;
}

/** To the match that awaits one; else a new one is opened, and shown when it is there. @param {Needs} app @param {GameInfo} game */
async function play(app, game) {
  await loadGame(app, game.slug); // which says what a new match asks for
  const best = awaiting(app, game.slug);
  const create = openingAction(game);
  if (whyNotPlay(app, game, best)) return;
  if (best) location.hash = `#/match/${best.match}`;
  else if (app.server.renderers.get(game.slug)?.hasNewMatchPage) location.hash = `#/new/${game.slug}`;
  else if (create) app.ui.openingTx = app.actions.submit(game.slug, create, "");
}
