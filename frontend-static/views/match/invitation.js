/**
 * The card in a match that is waiting for more players. It shows who can join, the link to the
 * match, and the button for playing both sides.
 */

import { cost, termsList } from "../parts/terms-and-costs.js";
import { TERMS, withVisibleDeposit } from "../../app/inputs.js";
import { copyButton, isLocalAddress } from "../parts/copy.js";
import { h } from "../../lib/dom.js";
import { nameWithHex, titleOf } from "../parts/labels.js";
import { openerPresence } from "./players/presence.js";
import { termsText } from "../../games/shared/terms.js";
import { gameKey, t } from "../../i18n/translate.js";
import { computers } from "../../names/computers.js";
import { nameOf } from "../../names/names.js";

/** @import { AbandonedMatches } from "../../app/lobby/abandoned.js" */
/** @import { Actions } from "../../app/actions.js" */
/** @import { LiveMatches } from "../../app/match/live.js" */
/** @import { Ui } from "../../app/ui.js" */
/** @import { Tokens } from "../../chain/wallet/tokens.js" */
/** @import { Json, Renderer } from "../../types.js" */
/** @typedef {import("./players/presence.js").Uses & {abandoned: AbandonedMatches, actions: Actions, live: LiveMatches, redraw: () => void, tokens: Tokens, ui: Ui}} Uses */

/**
 * Return who can join a match: `anyone`, `me`, `mine` (another account in this browser) or `other`. @param {Uses} app @param {Json} board
 */
export function invitee(app, { opponent }) {
  if (!opponent) return "anyone";
  if (opponent === app.accounts.me) return "me";
  return app.accounts.find(opponent) ? "mine" : "other";
}

/** @param {Uses} app @param {string} match @param {Json} board @param {Renderer} renderer */
export function invitation(app, match, board, renderer) {
  const [seated, seatCount] = [renderer.seats(board).length, board.seatCount ?? 2];
  if (board.status !== "open" || seated === 0 || seated >= seatCount) return null;
  const whom = invitee(app, board);
  const inside = Boolean(board.players[app.accounts.me]);
  const computer = computers.has(board.opponent);
  const [only] = Object.keys(board.players);
  const waits = computers.has(only); // a computer player has the only occupied seat
  const many = seatCount - seated > 1 || seated > 1;
  const [title, lead] =
    waits && !many ? ["opponents.waits", "opponents.join"] : headingAndText(whom, inside, isRated(board), many);
  const other = whom === "me" || waits ? only : (board.opponent ?? "");
  return h(
    "section",
    { class: "card lonely", id: "lonely", key: "lonely", "data-for": whom, "data-then": "board" },
    h("h2", null, t(title, { name: nameOf(other), n: seatCount - seated })),
    inside && computer
      ? h("p", { class: "hint" }, t("opponents.comes"))
      : h(
          "p",
          { class: "hint" },
          t(gameKey(match.split("/")[0], lead)),
          ["mine", "other"].includes(whom) && [" ", nameWithHex(other)],
        ),
    !inside && !waits && openerPresence(app, match, board),
    termsList(app, board),
    !computer && !waits && (inside || ["anyone", "mine"].includes(whom)) && link(app, match, board),
    joinButton(app, match, board, renderer, whom, inside),
  );
}

/**
 * Return the button for playing both sides. If another account in this browser is invited, the
 * button switches to that account.
 * @param {Uses} app @param {string} match @param {Json} board @param {Renderer} renderer @param {string} whom @param {boolean} inside
 */
function joinButton(app, match, board, renderer, whom, inside) {
  const invited = app.accounts.find(board.opponent);
  const own = Object.keys(board.players).some((address) => app.accounts.find(address));
  if (invited && whom === "mine" && !own)
    return h(
      "button",
      { id: "hand-over", type: "button", onclick: () => app.accounts.use(invited) },
      t("match.hand-over-to", { name: nameOf(invited.address) }),
    );
  if (isRated(board) || (whom !== "mine" && !(whom === "anyone" && inside))) return null;
  const join = app.actions.of(match, renderer.joinAction);
  return [
    h(
      "button",
      { id: "both-sides", type: "button", onclick: () => void joinBothSides(app, match, renderer) },
      t("match.both-sides"),
    ),
    join && !hasForm(app, match, renderer) && cost(app, join),
  ];
}

/**
 * Return true if a match is rated, which depends on whether it has a clock
 * (indexer/store/results.py). A player must not play both sides of a rated match.
 * @param {Json} board
 */
const isRated = ({ clock }) => clock > 0;

/** Return the keys of the texts for the card's heading and body. @param {string} whom @param {boolean} inside true if the player is in the match @param {boolean} rated @param {boolean} many true if more than two players can take part */
function headingAndText(whom, inside, rated, many) {
  if (whom === "me") return ["match.invited", "match.invited-lead"];
  if (whom === "anyone" && many)
    return ["match.waiting-many", inside ? "match.waiting-many-lead" : "match.waiting-any"];
  if (whom === "anyone")
    return ["match.waiting", inside ? (rated ? "match.waiting-rated" : "match.waiting-lead") : "match.waiting-anyone"];
  return inside || whom === "mine"
    ? ["match.waiting-for", "match.waiting-for-lead"]
    : ["match.for-other", "match.for-other-lead"];
}

/** @param {Uses} app @param {string} match @param {Json} board */
function link(app, match, board) {
  const name = titleOf(app, match);
  const terms = termsText(board, app.tokens.formatAmount);
  const text = terms ? t("match.share-text", { match: name, terms }) : name;
  const address = `${location.origin}${location.pathname}#/match/${match}`;
  const isHere = isLocalAddress(address, app.server.health?.development);
  return [
    h(
      "div",
      { class: "row", onclick: () => app.abandoned.keepOpen(match), oncopy: () => app.abandoned.keepOpen(match) },
      h("input", {
        class: "link",
        id: "link",
        readonly: true,
        value: address,
        title: text,
        "aria-label": t("match.copy-link"),
        "aria-describedby": isHere && "link-here",
        onfocus: (/** @type {Event} */ e) => /** @type {HTMLInputElement} */ (e.target).select(),
      }),
      copyButton(app, address, "send-link", t("match.copy-link"), t("match.copy-link")),
      "share" in navigator &&
        h(
          "button",
          {
            id: "share-link",
            type: "button",
            class: "small quiet",
            onclick: () => void navigator.share({ title: name, text, url: address }).catch(() => undefined),
          },
          t("match.share"),
        ),
    ),
    isHere && h("p", { class: "hint", id: "link-here" }, t("copy.only-here")),
  ];
}

/** Return true if the action that joins the match has its own form. @param {Uses} app @param {string} match @param {Renderer} renderer */
function hasForm(app, match, renderer) {
  const join = app.actions.of(match, renderer.joinAction);
  return Boolean(join && renderer.form?.(app.live.renderContext(match), join, renderer.joinAction));
}

/**
 * Let a second account in this browser join the match: the invited account, an account that isn't
 * in the match yet, or a new account. If joining needs a form, only switch to the second account,
 * so that the player can fill in the form.
 * @param {Uses} app @param {string} match @param {Renderer} renderer
 */
async function joinBothSides(app, match, renderer) {
  const board = app.server.board(match) ?? {};
  const other = board.opponent
    ? app.accounts.find(board.opponent)
    : app.accounts.list.find(({ address, kind }) => kind === "browser" && !board.players?.[address]);
  if (other) app.accounts.use(other);
  else await app.accounts.makeAccount();
  await app.accounts.fund(app.accounts.me);
  const join = app.actions.of(match, renderer.joinAction);
  if (!join || hasForm(app, match, renderer)) return;
  if (!app.actions.why(match, join))
    app.actions.submitWithDeposit(match.split("/")[0], withVisibleDeposit(join, TERMS), match);
}
