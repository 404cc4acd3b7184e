/**
 * The buttons of a match, the reasons why buttons are disabled, and the states of the transactions
 * that the buttons have sent.
 */

import { isSuperseded } from "../../app/lobby/rematch.js";
import { actionId, deposit, isTemporary, seatOf } from "../../app/submit.js";
import { TERMS, showsDeposit } from "../../app/inputs.js";
import { cost, termsAndWarning } from "../parts/terms-and-costs.js";
import { hasEnded } from "../../lib/board.js";
import { h } from "../../lib/dom.js";
import { isPastDeadline } from "../../games/shared/clock.js";
import { CLAIM } from "../../games/shared/duel.js";
import { fields } from "../parts/input-fields.js";
import { txActions, txError, txStatus } from "../parts/tx-status.js";
import { fixButton } from "../parts/fixes.js";
import { isDelayed, isDone, isUnsuccessful } from "../../chain/tx/states.js";
import { firstText, gameKey, t, translate } from "../../i18n/translate.js";

/** @import { Actions } from "../../app/actions.js" */
/** @import { LiveMatches } from "../../app/match/live.js" */
/** @import { MoveSeries } from "../../app/match/series.js" */
/** @import { ServerState } from "../../app/server-state.js" */
/** @import { Action, GameInfo, Input, Confirmation, RenderContext, Renderer, Tx } from "../../types.js" */
/** @typedef {import("../parts/input-fields.js").Uses & import("../parts/tx-status.js").Uses & {actions: Actions, live: LiveMatches, server: ServerState}} Uses */

const ARMED_MS = 5000;
/** The time, in milliseconds, for which a button with a brief status shows a failure. */
const BRIEF_STATUS_MS = 60_000;

/**
 * Return the forms and buttons of a match. A game's own forms come first, so that the buttons below
 * them stay within reach on a phone. While the page repeats a move by itself, no button is
 * highlighted.
 * @param {Uses & {series: MoveSeries}} app @param {GameInfo} game @param {string} match @param {Renderer} renderer
 */
export function actionList(app, game, match, renderer) {
  const context = app.live.renderContext(match);
  const hidden = [renderer.rematchAction, ...(isSuperseded(game, match) ? (renderer.opensAnother ?? []) : [])];
  const actions = game.actions.filter(
    (action) => !action.opens && !hidden.includes(actionId(renderer, action)) && isOffered(context, renderer, action),
  );
  const secondary = [...(renderer.secondary ?? []), ...(renderer.needsSecondPress ?? [])];
  const series = app.series.of(match);
  // Keep the button of a pending action highlighted. If another button were highlighted in its
  // place, players would press that button by mistake.
  const isNext = (/** @type {Action} */ action) =>
    !secondary.includes(actionId(renderer, action)) &&
    action.name !== CLAIM &&
    [undefined, "why.on-its-way"].includes(app.actions.why(match, action)?.key);
  const primary = series && !series.end ? undefined : (timeoutClaim(context, actions) ?? actions.find(isNext));
  if (primary?.name === CLAIM) actions.sort((a, b) => Number(b === primary) - Number(a === primary));
  const forms = actions.map((action) => renderer.form?.(context, action, actionId(renderer, action)));
  return [
    forms,
    h(
      "div",
      { class: "actions", role: "group", tabindex: -1, "aria-label": t("match.actions") },
      actions.map((action) => actionButton(app, game, match, action, actionId(renderer, action), action === primary)),
    ),
  ];
}

/**
 * Return true if an action has a button. An action that can't become possible has no button. An
 * example is an action for another player's seat.
 * @param {RenderContext} context @param {Renderer} renderer @param {Action} action
 */
export function isOffered(context, renderer, action) {
  const { board, me, now } = context;
  const id = actionId(renderer, action);
  const { afterEnd = [], anyTime = [], joinAction } = renderer;
  if (hasEnded(board) && ![...afterEnd, ...anyTime].includes(id)) return false;
  const isForOther = board.opponent && board.opponent !== me && !board.invited;
  if (isForOther && id === joinAction) return false;
  return action.name === CLAIM ? isPastDeadline(board, now) : renderer.isOffered(context, action);
}

/**
 * Return the action that claims a timeout, if the player can use it and is waiting for an
 * opponent's move.
 * @param {RenderContext} context @param {Action[]} actions
 */
function timeoutClaim({ board, me }, actions) {
  const waits = board.players?.[me] && board.mover !== me;
  return waits ? actions.find(({ name }) => name === CLAIM) : undefined;
}

/** @param {Uses} app @param {GameInfo} game @param {string} match @param {Action} action @param {string} id @param {boolean} primary */
export function actionButton(app, game, match, action, id, primary) {
  const renderer = app.server.renderers.get(game.slug);
  const context = app.live.renderContext(match);
  const { board } = context;
  const own = renderer?.buttonText?.(context, id) ?? {};
  const inputs = action.inputs.filter(({ name }) => renderer?.hasInput?.(context, id, name) ?? true);
  const optionText = (/** @type {string} */ name, /** @type {number} */ value, /** @type {string} */ words) =>
    renderer?.optionText?.(context, id, name, value, words) ?? words;
  const why = app.actions.why(match, action);
  const mine = latestOfAction(app, match, id);
  const under = mine && !isDone(mine.state);
  const isRematch = id === renderer?.rematchAction;
  const isOpening = isRematch && app.ui.openingTx !== null;
  const sum = hiddenDeposit(app, game, match, action, id, inputs);
  const armedName = `${match} ${id} ${sum}`;
  const armed = app.ui.armed === armedName;
  const confirmation = renderer?.confirmationBefore?.(context, id) ?? null;
  const isWide = inputs.length > 0 || confirmation !== null;
  const isAskedTwice = sum || (own.twice ?? renderer?.needsSecondPress?.includes(id));
  // Check again, because the player can click before the page has disabled the button.
  const send = (/** @type {MouseEvent} */ event) => {
    if (app.actions.why(match, action) || (isRematch && app.ui.openingTx)) return app.redraw();
    // A double click doesn't confirm anything, because it can happen by accident.
    if (isAskedTwice && (sum || !confirmation?.open) && (!armed || event.detail === 2))
      return arm(app, armedName, confirmation !== null);
    app.ui.armed = "";
    const tx = app.actions.submitWithDeposit(game.slug, action, match);
    if (isRematch) app.ui.openingTx = tx;
  };
  const isOld = mine && own.brief && (Date.now() - mine.at > BRIEF_STATUS_MS || mine !== latestOfMatch(app, match));
  const ended = mine && isUnsuccessful(mine) && !isOld;
  // Show the state inside the button, because a line below the button would move the page.
  const isShownInButton = isOpening && under && !isDelayed(mine);
  const showsStatus = mine && !isShownInButton && ((!why && !own.brief) || under || ended);
  const name = own.label ? translate(own.label) : firstText([gameKey(game.slug, `action.${id}`)], action.label);
  const button = h(
    "button",
    {
      key: "go",
      id: `action-${id}`,
      type: "button",
      class: armed ? "sure" : primary || confirmation?.open ? "loud" : "",
      "data-action": id,
      "data-armed": armed,
      disabled: Boolean(why) || isOpening,
      onclick: send,
      "data-pending": under,
      "aria-describedby": `why-${id}`,
    },
    isOpening ? t("end.opening") : armed ? t("match.sure", { action: sum ? `${name} · ${sum}` : name }) : name,
  );
  const hint = armed
    ? confirmation
      ? ""
      : t("match.sure-lead")
    : showsStatus
      ? ""
      : own.hint
        ? translate(own.hint)
        : firstText([gameKey(game.slug, `hint.${id}`)], "");
  const reason = isTemporary(app, why) ? null : why;
  return h(
    "div",
    { class: isWide ? "action wide" : "action", key: id },
    renderer?.joinAction === id && termsAndWarning(app, board),
    isWide
      ? h(
          "div",
          { class: confirmation ? "typed asking" : "typed", key: "typed" },
          confirmation
            ? confirmationPart(app, game, match, action, id, confirmation, armed)
            : fields(app, game.slug, { ...action, inputs }, id, match, optionText),
          button,
          confirmation && armed && declineButton(app, id, confirmation),
        )
      : button,
    h(
      "div",
      { class: "below" },
      h(
        "p",
        { class: "why", id: `why-${id}`, "data-why": reason?.key ?? "", role: armed && "status" },
        reason ? translate(reason) : hint,
        why && !reason && h("span", { class: "unseen" }, ` ${translate(why)}`),
      ),
      showsStatus && [txStatus(mine), " "],
      !why && !under && (armed || !isAskedTwice) && cost(app, action),
      fixButton(app, why ?? (ended ? mine.reason?.sentence : null), id),
    ),
    ended || under ? txError(mine) : null,
    mine && txActions(app, mine),
    action.pays ? approval(app, match) : null,
  );
}

/** Return the deposit of an action as text, or "" if the form or the terms already show it. @param {Uses} app @param {GameInfo} game @param {string} match @param {Action} action @param {string} id @param {Input[]} inputs the inputs in the form */
function hiddenDeposit(app, game, match, action, id, inputs) {
  const { amount, token } = deposit(app, game, action, match, app.accounts.me);
  const terms = id === app.server.renderers.get(game.slug)?.joinAction ? TERMS : [];
  return amount && action.pays && !showsDeposit(action.pays, [...terms, ...inputs])
    ? app.tokens.formatAmount(amount, token)
    : "";
}

/** Return the confirmation above a button, and the input fields of the action. @param {Uses} app @param {GameInfo} game @param {string} match @param {Action} action @param {string} id @param {Confirmation} confirmation @param {boolean} armed */
function confirmationPart(app, game, match, action, id, { tree, open, visible }, armed) {
  return [open || armed || visible ? tree : null, open || armed ? fields(app, game.slug, action, id, match) : null];
}

/** @param {Uses} app @param {string} id @param {Confirmation} confirmation */
function declineButton(app, id, { declineLabel }) {
  const close = () => {
    app.ui.armed = "";
    app.redraw();
    setTimeout(() => document.getElementById(`action-${id}`)?.focus(), 0);
  };
  return h("button", { key: "no", id: `not-${id}`, type: "button", onclick: close }, declineLabel);
}

/** @type {ReturnType<typeof setTimeout>|undefined} */
let disarmTimer;

/**
 * Prepare a button for its second click, which sends the action. After some time, the button needs
 * two clicks again, unless `isPersistent` is true.
 * @param {Uses} app @param {string} name @param {boolean} isPersistent
 */
function arm(app, name, isPersistent) {
  app.ui.armed = name;
  app.redraw();
  clearTimeout(disarmTimer); // the timer of an earlier click would disarm the button too early
  if (!isPersistent)
    disarmTimer = setTimeout(() => {
      if (app.ui.armed === name) {
        app.ui.armed = "";
        app.redraw();
      }
    }, ARMED_MS);
}

/** Return the player's latest transaction from this button, unless it ended in an earlier visit. @param {Uses} app @param {string} match @param {string} id @returns {Tx|undefined} */
export function latestOfAction(app, match, id) {
  return app.transactions.list.findLast(
    (tx) => tx.match === match && tx.action === id && seatOf(tx) === app.accounts.me && app.transactions.isCurrent(tx),
  );
}

/** Return the player's latest transaction in a match, whichever button sent it. @param {Uses} app @param {string} match @returns {Tx|undefined} */
const latestOfMatch = (app, match) =>
  app.transactions.list.findLast((tx) => tx.match === match && seatOf(tx) === app.accounts.me);

/** Return the state of the token approval: a separate transaction before the deposit. @param {Uses} app @param {string} match */
function approval(app, match) {
  const mine = latestOfAction(app, match, "approve");
  return (
    mine &&
    h(
      "div",
      { class: "below", key: "approve" },
      h("p", { class: "hint" }, t("action.approve")),
      txStatus(mine),
      txError(mine),
    )
  );
}
