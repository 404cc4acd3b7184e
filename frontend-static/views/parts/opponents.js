/** Computer players to choose: on a game's card, for a new match, and in a match that waits. */

import { inputsOf } from "../../app/inputs.js";
import { h } from "../../lib/dom.js";
import { strengthName, t, translate } from "../../i18n/translate.js";
import { ratingText } from "./labels.js";

/** @import { Opponents } from "../../app/lobby/opponents.js" */
/** @import { Ui } from "../../app/ui.js" */
/** @import { Accounts } from "../../chain/wallet/accounts.js" */
/** @import { Child } from "../../lib/dom.js" */
/** @import { Action, GameInfo, I18nText, Json, Opponent } from "../../types.js" */
/** @typedef {{accounts: Accounts, opponents: Opponents, redraw: () => void, ui: Ui}} Needs What it uses of the page. */

/** A match against one of them, at a press; or back to the one that is not over. @param {Needs} app @param {GameInfo} game @param {Action} create @param {I18nText|null} [told] above already: why nothing can be opened */
export function playComputer(app, game, create, told) {
  const { opponents } = app;
  const rows = opponents.of(game.slug).map((one) => {
    const live = opponents.unfinished(create, one);
    return { one, live, why: live ? null : opponents.whyNot(game, create, one) };
  });
  const why = rows.find((row) => row.why)?.why;
  const refusal = opponents.refusal(game.slug);
  const lives = rows.filter(({ live }) => live).map(({ one }) => strengthName(one.name));
  const buttons = rows.map(({ one, live, why }) =>
    button(one, {
      disabled: Boolean(why) || app.ui.openingTx !== null,
      "data-live": live?.match,
      onclick: () => {
        if (live) location.hash = `#/match/${live.match}`;
        else opponents.play(game, create, one);
      },
    }),
  );
  const hint = lives.length ? t("opponents.unfinished", { name: lives.join(", ") }) : "";
  return group(
    `computers-${game.slug}`,
    t("opponents.play"),
    buttons,
    why && !told ? translate(why) : hint || (refusal && !told ? translate(refusal) : ""),
  );
}

/** For whom a new match is: anyone, or one of them. @param {Needs} app @param {GameInfo} game @param {Action} create */
export function chooseOpponent(app, game, create) {
  const { opponents } = app;
  const input = create.inputs.find(({ kind }) => kind === "opponent");
  if (!input) return null;
  const typed = inputsOf(app, game.slug, create)[input.name];
  const buttons = opponents.of(game.slug).map((one) =>
    button(one, {
      "aria-pressed": String(one.accounts.some(({ address }) => address === typed)),
      onclick: () => opponents.choose(create, one),
    }),
  );
  return group(`choose-${game.slug}`, t("opponents.play"), buttons, opponents.why ? translate(opponents.why) : "");
}

/** In a match that waits for anyone: one of them takes a seat, if its players want that, or where it is nobody's own. @param {Needs} app @param {string} match @param {Json} board */
export function askComputer(app, match, board) {
  const { opponents } = app;
  const { me } = app.accounts;
  const mayAsk = !board.creator || [board.creator, ...Object.keys(board.players ?? {})].includes(me);
  if (board.status !== "open" || board.opponent || !mayAsk) return null;
  const coming = opponents.coming(match, board);
  const refused = opponents.requests.get(match)?.why;
  const why = refused ?? opponents.why;
  const isFree = (/** @type {Opponent} */ { accounts }) => accounts.some(({ address }) => !board.players?.[address]);
  const free = opponents.of(match.split("/")[0]).filter(isFree);
  const buttons = free.map((one) =>
    button(one, {
      disabled: Boolean(coming || opponents.why),
      "data-pending": coming === one.name,
      onclick: () => void opponents.ask(match, one.name),
    }),
  );
  const message = coming ? t("opponents.coming", { name: strengthName(coming) }) : why ? translate(why) : "";
  return group("ask-computer", t("opponents.ask"), buttons, message, refused ? "alert" : "status");
}

/** @param {Opponent} one @param {Record<string, any>} props */
function button({ name, accounts: [{ rating, rivals }] }, props) {
  const title = rating === null ? t("opponents.unrated") : t("opponents.rated", { rating: ratingText(rating, rivals) });
  return h("button", { key: name, type: "button", title, "data-opponent": name, ...props }, strengthName(name));
}

/** @param {string} id @param {string} title @param {Child[]} buttons @param {string} message @param {string} [role] */
function group(id, title, buttons, message, role) {
  if (!buttons.length) return null;
  return h(
    "div",
    {
      class: "computers",
      id,
      key: id,
      role: "group",
      "aria-labelledby": `${id}-title`,
      "aria-describedby": `${id}-why`,
    },
    h("p", { class: "hint", id: `${id}-title` }, title),
    h("div", { class: "strengths" }, buttons),
    h("p", { class: role === "alert" ? "trouble" : "why", id: `${id}-why`, role }, message),
  );
}
