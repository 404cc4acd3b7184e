/**
 * A game's tutorial of three moves. It shows a board, a sentence, and where to click. The tutorial
 * sends nothing to the chain.
 */

import { boardHost, describe, pictureOf } from "../parts/board-host.js";
import { missingPart } from "../parts/missing-part.js";
import { onlookerContext } from "../../history/match-context.js";
import { gameKey, t, translate } from "../../i18n/translate.js";
import { h } from "../../lib/dom.js";

/** @import { Lesson, Lessons } from "../../app/match/lesson.js" */
/** @import { LiveMatches } from "../../app/match/live.js" */
/** @import { QuickPlay } from "../../app/lobby/quick-play.js" */
/** @import { ServerState } from "../../app/server-state.js" */
/** @import { Ui } from "../../app/ui.js" */
/** @import { MatchContext } from "../../history/match-context.js" */
/** @import { ChainEvent, GameInfo, RenderContext, Renderer } from "../../types.js" */
/** @typedef {import("../parts/missing-part.js").Uses & {live: LiveMatches, quickPlay: QuickPlay, server: ServerState, ui: Ui}} Uses */

/** @param {Uses} app @param {Lessons} lessons @param {string} slug @param {string} [origin] the match from which the player opened the tutorial */
export function learnPage(app, lessons, slug, origin) {
  const game = app.server.games.get(slug);
  const own = app.server.renderers.get(slug);
  const part = lessons.of(slug);
  const lesson = game && own?.hasTutorial && part.get();
  if (!lesson) return [missingPart(app, part)];
  const match = `${slug}/learn`;
  const context = contextOf(app, lesson, match, own);
  const renderer = /** @type {Renderer} */ (context.renderers.get(slug));
  const picture = pictureOf(context, match, renderer);
  const layout = app.server.layouts.get(game.layout);
  const ratio = picture ? (layout?.ratio?.(picture) ?? picture.width / picture.height) : 1;
  return [
    h(
      "main",
      {
        id: "main",
        class: "match-page learn-page",
        "data-learn": slug,
        "data-game": slug,
        "data-step": lesson.isOver ? "end" : lesson.step ? lesson.done + 1 : "",
        vars: { "--ratio": ratio },
      },
      h(
        "div",
        { class: "turn-line", "data-tone": lesson.step ? "act" : "" },
        sentence(context, lesson, match, renderer),
      ),
      h(
        "div",
        { class: "stage", "data-layout": game.layout },
        h("div", { class: "table", key: "table" }, boardHost(context, match, false)),
        h(
          "p",
          { class: "caption", role: "alert", id: "learn-wrong" },
          lesson.isWrong && t(lesson.action ? "learn.wrong-button" : "learn.wrong"),
        ),
      ),
      h(
        "div",
        { class: "side" },
        h(
          "header",
          { class: "head" },
          h("h1", null, t("learn.heading", { game: game.title })),
          h(
            "p",
            { class: "hint" },
            t("learn.step", {
              n: lesson.done + (lesson.step ? 1 : 0),
              all: lesson.script.steps.length,
            }),
          ),
        ),
        h(
          "div",
          { class: "actions" },
          !lesson.isOver && button(context, lesson, match, renderer),
          nextLinks(app, game, lesson.isOver, origin),
        ),
      ),
    ),
  ];
}

/**
 * Return the instruction for the current step. For screen readers, it also names the cell to click. @param {MatchContext} context @param {Lesson} lesson @param {string} match @param {Renderer} renderer
 */
function sentence(context, lesson, match, renderer) {
  const [slug] = match.split("/");
  const { done, isOver, step, target } = lesson;
  const text = isOver ? "end" : String(step ? done + 1 : done);
  return h(
    "p",
    { id: "whose", role: "status", class: step || isOver ? "" : "quiet" },
    t(gameKey(slug, `learn.${text}`)),
    isOver && ` ${t("learn.end")}`,
    target >= 0 && h("span", { class: "unseen" }, ` ${describe(context, match, renderer, target)}`),
  );
}

/** Return the button of the current step, which is visible from the beginning of the step. @param {MatchContext} context @param {Lesson} lesson @param {string} match @param {Renderer} renderer */
function button(context, lesson, match, renderer) {
  const kind = lesson.step?.action;
  if (!kind) return null;
  const { label } = renderer.buttonText?.(context.renderContext(match), kind) ?? {};
  const text = label ? translate(label) : t(gameKey(match.split("/")[0], `action.${kind}`));
  const isNext = lesson.action === kind;
  return h(
    "div",
    { class: "action", key: kind },
    h(
      "button",
      {
        id: `action-${kind}`,
        type: "button",
        class: isNext ? "loud" : "",
        "data-action": kind,
        onclick: () => lesson.pressButton(),
      },
      text,
    ),
  );
}

/**
 * Return the links to the pages where the player can go next. The page shows them even before the
 * end of the tutorial. @param {Uses} app @param {GameInfo} game @param {boolean} isOver @param {string} [origin]
 */
function nextLinks({ quickPlay }, game, isOver, origin) {
  const { slug } = game;
  const rules = h("a", { id: "learn-rules", class: "button", href: `#/rules/${origin || slug}` }, t("rules.open"));
  const next = origin
    ? h("a", { id: "learn-back", class: isOver ? "button loud" : "button", href: `#/match/${origin}` }, t("rules.back"))
    : h(
        "button",
        {
          id: `play-${slug}`,
          type: "button",
          class: isOver ? "loud" : "",
          disabled: Boolean(quickPlay.whyNot(game)),
          onclick: () => void quickPlay.press(game),
        },
        t("lobby.play"),
      );
  return [h("div", { class: "action", key: "next" }, next), h("div", { class: "action", key: "rules" }, rules)];
}

/** @param {Uses} app @param {Lesson} lesson @param {string} match @param {Renderer} renderer @returns {MatchContext} */
function contextOf({ live, ui }, lesson, match, renderer) {
  const { board, target, script, done, pressed } = lesson;
  const [slug] = match.split("/");
  const event = /** @type {ChainEvent} */ ({ block: 0, hash: "", time: 0 });
  const renderContext = () => ({
    ...onlookerContext(match, board, event),
    me: script.me,
    ownAccounts: new Set([script.me]),
    selected: ui.selected,
    draft: lesson.draft,
    latestBoard: script.latest,
    seq: 10 * done + pressed, // whenever this number changes, the page draws the picture again and marks the next cell
  });
  /** Return true if the player should click this cell. On a map, the whole land counts. @param {RenderContext} context @param {number} cell */
  const isTarget = (context, cell) =>
    target >= 0 && renderer.describe(context, cell) === renderer.describe(context, target);
  /** @type {Renderer} */
  const guided = {
    ...renderer,
    picture: (context) => ({ ...renderer.picture(context), waiting: target < 0 ? [] : [target] }),
    press: (context, cell) => (isTarget(context, cell) ? (renderer.press?.(context, cell) ?? null) : null),
  };
  return {
    ...live.withBoard(board),
    me: script.me,
    renderers: new Map([[slug, guided]]),
    renderContext,
    waitingText: "learn.cell",
    covers: undefined,
    submitPress: (/** @type {string} */ _match, /** @type {unknown} */ _move, /** @type {number} */ cell) => {
      const isChoice = lesson.press(isTarget(renderContext(), cell));
      if (!isChoice && !lesson.isWrong) ui.selected = 0;
      return !isChoice;
    },
  };
}
