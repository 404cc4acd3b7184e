/**
 * The buttons for computer players. They are in the form for a new match, and in matches that are
 * waiting for players.
 */

import { inputsOf } from "../../app/inputs.js";
import { h } from "../../lib/dom.js";
import { t, translate } from "../../i18n/translate.js";
import { levelKey } from "../../names/computers.js";
import { ratingText } from "./labels.js";

/** @import { Opponents } from "../../app/lobby/opponents.js" */
/** @import { Ui } from "../../app/ui.js" */
/** @import { Accounts } from "../../chain/wallet/accounts.js" */
/** @import { Child } from "../../lib/dom.js" */
/** @import { Action, GameInfo, Json, Opponent } from "../../types.js" */
/** @typedef {{accounts: Accounts, opponents: Opponents, redraw: () => void, ui: Ui}} Uses */

/** Return the buttons that choose a computer player as the opponent for a new match. @param {Uses} app @param {GameInfo} game @param {Action} create */
export function chooseOpponent(app, game, create) {
  const { opponents } = app;
  const { slug } = game;
  const input = create.inputs.find(({ kind }) => kind === "opponent");
  if (!input && opponents.needsPreparation(game)) return null; // in this game, the game's own form chooses the players
  const typed = input && inputsOf(app, slug, create)[input.name];
  const isChosen = (/** @type {Opponent} */ { name, accounts }) =>
    input ? accounts.some(({ address }) => address === typed) : opponents.chosenComputers.get(slug) === name;
  const list = opponents.of(slug);
  const buttons = list.map((one) =>
    button(list, one, {
      "aria-pressed": String(isChosen(one)),
      onclick: () => {
        if (input) opponents.fillForm(create, one);
        else opponents.chooseComputer(slug, isChosen(one) ? "" : one.name);
      },
    }),
  );
  return group(`choose-${slug}`, t("opponents.play"), buttons, opponents.why ? translate(opponents.why) : "");
}

/**
 * Return the buttons that ask a computer player to take a free seat, if anyone can join the match.
 * Only the match's creator and its players see these buttons. If the board doesn't name the
 * creator, everyone sees them.
 * @param {Uses} app @param {string} match @param {Json} board
 */
export function askComputer(app, match, board) {
  const { opponents } = app;
  const { me } = app.accounts;
  const mayAsk = !board.creator || [board.creator, ...Object.keys(board.players ?? {})].includes(me);
  if (board.status !== "open" || board.opponent || !mayAsk) return null;
  const joining = opponents.joiningComputer(match, board);
  const rejected = opponents.requests.get(match)?.why;
  const why = rejected ?? opponents.why;
  const isFree = (/** @type {Opponent} */ { accounts }) => accounts.some(({ address }) => !board.players?.[address]);
  const list = opponents.of(match.split("/")[0]);
  const buttons = list.filter(isFree).map((one) =>
    button(list, one, {
      disabled: Boolean(joining || opponents.why),
      "data-pending": joining === one.name,
      onclick: () => void opponents.requestComputer(match, one.name),
    }),
  );
  const message = joining ? t("opponents.coming") : why ? translate(why) : "";
  return group("ask-computer", t("opponents.ask"), buttons, message, rejected ? "alert" : "status");
}

/** Return the button for a computer player, with the player's level as its label. @param {Opponent[]} list the game's computer players @param {Opponent} one @param {Record<string, any>} props */
function button(list, { name, accounts: [{ rating, rivals }] }, props) {
  const title = rating === null ? t("opponents.unrated") : t("opponents.rated", { rating: ratingText(rating, rivals) });
  return h("button", { key: name, type: "button", title, "data-opponent": name, ...props }, t(levelKey(list, name)));
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
