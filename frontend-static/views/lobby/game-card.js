/** A game's card: a board on which something happens, one fact, and what one can do. */

import { awaiting, joinable, lobbyEntry, ownRunning } from "../../app/lobby/rows.js";
import { closeness } from "../../app/lobby/my-matches.js";
import { gameKey, t } from "../../i18n/translate.js";
import { h } from "../../lib/dom.js";
import { cost, termsLine } from "../parts/agreement.js";
import { boardHost } from "../parts/board-host.js";
import { titleOf } from "../parts/labels.js";
import { openingAction } from "../parts/new-match-form.js";
import { playComputer } from "../parts/opponents.js";

/** @import { App } from "../../app/app.js" */
/** @import { GameInfo, Json, Summary } from "../../types.js" */
/** @typedef {Pick<App, "accounts"|"goTo"|"live"|"myMatches"|"opponents"|"previews"|"redraw"|"server"|"submitAction"|"tokens"|"ui"|"why"|"whyCantSend">} Needs What it uses of the page. */

/** @param {Needs} app @param {GameInfo} game */
export function gameCard(app, game) {
  const { slug } = game;
  const renderer = app.server.renderers.get(slug);
  const create = openingAction(game);
  const best = awaiting(app, slug);
  const stopped = !best && !renderer?.hasNewMatchPage && Boolean(app.whyCantSend());
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
          disabled: stopped,
          "aria-labelledby": `play-${slug} title-${slug}`,
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
    (create && playComputer(app, game, create)) || h("div", { class: "computers" }),
    h(
      "p",
      { class: "new-link" },
      create &&
        h(
          "a",
          { id: `new-${slug}`, href: `#/new/${slug}`, "aria-labelledby": `new-${slug} title-${slug}` },
          t("lobby.own"),
        ),
      create && !app.server.health?.development && cost(app, create),
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

/** To the match that awaits one; else a new one is opened, and shown when it is there. @param {Needs} app @param {GameInfo} game */
function play(app, game) {
  const best = awaiting(app, game.slug);
  const create = openingAction(game);
  if (best) location.hash = `#/match/${best.match}`;
  else if (app.server.renderers.get(game.slug)?.hasNewMatchPage) location.hash = `#/new/${game.slug}`;
  else if (create && !app.why("", create, {}, app.accounts.me, game.slug))
    app.goTo(app.submitAction(game.slug, create, ""));
}
