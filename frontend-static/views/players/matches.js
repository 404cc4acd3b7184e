/** A player's running matches, and the results of the player's finished matches, page by page. */

import { showPart } from "../../app/lobby/career.js";
import { t, translate } from "../../i18n/translate.js";
import { h } from "../../lib/dom.js";
import { matchRow } from "../lobby/lists.js";

/** @import { CachedAnswer } from "../../app/lobby/leaderboards.js" */
/** @import { CareerPart } from "../../app/ui.js" */
/** @import { Summary } from "../../types.js" */
/** @typedef {import("../lobby/lists.js").Uses} Uses */

/** @param {Uses} app @param {"running"|"finished"} which @param {CachedAnswer[]} answers @param {CareerPart} part the game and the page of results on display */
export function matchList(app, which, answers, part) {
  const rows = /** @type {Summary[]} */ (answers.flatMap(({ answer }) => answer?.matches ?? []));
  const why = answers.find((one) => one.why)?.why;
  return h(
    "section",
    { key: which, class: "list", "aria-labelledby": `player-${which}-title` },
    h("h2", { id: `player-${which}-title` }, t(`lobby.${which}`)),
    why && h("p", { class: "hint", role: "alert" }, translate(why)),
    rows.length > 0
      ? h(
          "ul",
          { id: `player-${which}`, class: "rows" },
          rows.map((match) => matchRow(app, match)),
        )
      : !why && h("p", { class: "hint" }, t(`players.none-${which}`)),
    which === "finished" && pager(app, part, answers[0]?.answer?.next),
  );
}

/** @param {Uses} app @param {CareerPart} part @param {string|undefined} next the cursor of the next page */
function pager(app, { game, cursors }, next) {
  const button = (/** @type {string} */ id, /** @type {string} */ text, /** @type {string[]|null} */ to) =>
    h(
      "button",
      {
        id,
        type: "button",
        class: "small",
        disabled: !to,
        onclick: to && (() => showPart(app, { game, cursors: to })),
      },
      text,
    );
  if (!next && !cursors.length) return null;
  return h(
    "div",
    { class: "row pager", role: "group", "aria-label": t("players.pages") },
    button("results-newer", t("players.newer"), cursors.length ? cursors.slice(0, -1) : null),
    h(
      "span",
      { class: "hint number", id: "results-page", role: "status" },
      t("players.page", { n: cursors.length + 1 }),
    ),
    button("results-older", t("players.older"), next ? [...cursors, next] : null),
  );
}
