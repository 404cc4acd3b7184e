/** The buttons of a match, why they are disabled, and the state of their last transactions. */

import { isSuperseded } from "../../app/lobby/rematch.js";
import { deposit, isPassing, kindOf, seatOf } from "../../app/submit.js";
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
/** @import { Action, GameInfo, Input, Question, RenderContext, Renderer, Tx } from "../../types.js" */
/** @typedef {import("../parts/input-fields.js").Needs & import("../parts/tx-status.js").Needs & {actions: Actions, live: LiveMatches, server: ServerState}} Needs The parts of the page used here. */

const ARMED_MS = 5000;
/** For buttons that have a brief status, the time for which they show a failure. */
const BRIEF_STATUS_MS = 60_000;

/**
 * The forms and buttons of a match. A game's own forms come first, so that on a phone the buttons
 * stay within reach. No button is highlighted while a series is running.
 * @param {Needs & {series: MoveSeries}} app @param {GameInfo} game @param {string} match @param {Renderer} renderer
 */
export function actionList(app, game, match, renderer) {
  const context = app.live.renderContext(match);
  const hidden = [renderer.rematchAction, ...(isSuperseded(game, match) ? (renderer.opensAnother ?? []) : [])];
  const actions = game.actions.filter(
    (action) => !action.opens && !hidden.includes(kindOf(renderer, action)) && isOffered(context, renderer, action),
  );
  const calm = [...(renderer.secondary ?? []), ...(renderer.needsSecondPress ?? [])];
  const series = app.series.of(match);
  // A pending action stays highlighted. If a different button took its place, players would press
  // that button by mistake.
  const isNext = (/** @type {Action} */ action) =>
    !calm.includes(kindOf(renderer, action)) &&
    action.name !== CLAIM &&
    [undefined, "why.on-its-way"].includes(app.actions.why(match, action)?.key);
  const loud = series && !series.end ? undefined : (timeoutClaim(context, actions) ?? actions.find(isNext));
  if (loud?.name === CLAIM) actions.sort((a, b) => Number(b === loud) - Number(a === loud));
  const forms = actions.map((action) => renderer.form?.(context, action, kindOf(renderer, action)));
  return [
    forms,
    h(
      "div",
      { class: "actions", role: "group", tabindex: -1, "aria-label": t("match.actions") },
      actions.map((action) => actionButton(app, game, match, action, kindOf(renderer, action), action === loud)),
    ),
  ];
}

/**
 * True if an action has a button. Actions that can never become possible have none, for example in
 * a finished match or for somebody else's seat.
 * @param {RenderContext} context @param {Renderer} renderer @param {Action} action
 */
export function isOffered(context, renderer, action) {
  const { board, me, now } = context;
  const kind = kindOf(renderer, action);
  const { afterEnd = [], anyTime = [], joinAction } = renderer;
  if (hasEnded(board) && ![...afterEnd, ...anyTime].includes(kind)) return false;
  const isForOther = board.opponent && board.opponent !== me && !board.invited;
  if (isForOther && kind === joinAction) return false;
  return action.name === CLAIM ? isPastDeadline(board, now) : renderer.isOffered(context, action);
}

/**
 * The action that claims a timeout, if the player is waiting for an opponent who has run out of
 * time. @param {RenderContext} context @param {Action[]} actions
 */
function timeoutClaim({ board, me }, actions) {
  const waits = board.players?.[me] && board.mover !== me;
  return waits ? actions.find(({ name }) => name === CLAIM) : undefined;
}

/** @param {Needs} app @param {GameInfo} game @param {string} match @param {Action} action @param {string} kind @param {boolean} loud */
export function actionButton(app, game, match, action, kind, loud) {
  const renderer = app.server.renderers.get(game.slug);
  const context = app.live.renderContext(match);
  const { board } = context;
  const own = renderer?.buttonText?.(context, kind) ?? {};
  const inputs = action.inputs.filter(({ name }) => renderer?.hasInput?.(context, kind, name) ?? true);
  const optionText = (/** @type {string} */ name, /** @type {number} */ value, /** @type {string} */ words) =>
    renderer?.optionText?.(context, kind, name, value, words) ?? words;
  const why = app.actions.why(match, action);
  const mine = latestOfAction(app, match, kind);
  const under = mine && !isDone(mine.state);
  const isRematch = kind === renderer?.rematchAction;
  const isOpening = isRematch && app.ui.openingTx !== null;
  const sum = hiddenDeposit(app, game, match, action, kind, inputs);
  const armedName = `${match} ${kind} ${sum}`;
  const armed = app.ui.armed === armedName;
  const question = renderer?.questionBefore?.(context, kind) ?? null;
  const isWide = inputs.length > 0 || question !== null;
  const isAskedTwice = sum || (own.twice ?? renderer?.needsSecondPress?.includes(kind));
  // Check again, because the click may come before the button is drawn as disabled.
  const send = (/** @type {MouseEvent} */ event) => {
    if (app.actions.why(match, action) || (isRematch && app.ui.openingTx)) return app.redraw();
    // A double click is not a confirmation.
    if (isAskedTwice && (sum || !question?.open) && (!armed || event.detail === 2))
      return arm(app, armedName, question !== null);
    app.ui.armed = "";
    const tx = app.actions.submitWithDeposit(game.slug, action, match);
    if (isRematch) app.ui.openingTx = tx;
  };
  const isOld = mine && own.brief && (Date.now() - mine.at > BRIEF_STATUS_MS || mine !== latestOfMatch(app, match));
  const ended = mine && isUnsuccessful(mine) && !isOld;
  // The button itself shows the state. A line below it would move the page.
  const isShownInButton = isOpening && under && !isDelayed(mine);
  const showsStatus = mine && !isShownInButton && ((!why && !own.brief) || under || ended);
  const name = own.label ? translate(own.label) : firstText([gameKey(game.slug, `action.${kind}`)], action.label);
  const button = h(
    "button",
    {
      key: "go",
      id: `action-${kind}`,
      type: "button",
      class: armed ? "sure" : loud || question?.open ? "loud" : "",
      "data-action": kind,
      "data-armed": armed,
      disabled: Boolean(why) || isOpening,
      onclick: send,
      "data-pending": under,
      "aria-describedby": `why-${kind}`,
    },
    isOpening ? t("end.opening") : armed ? t("match.sure", { action: sum ? `${name} · ${sum}` : name }) : name,
  );
  const hint = armed
    ? question
      ? ""
      : t("match.sure-lead")
    : showsStatus
      ? ""
      : own.hint
        ? translate(own.hint)
        : firstText([gameKey(game.slug, `hint.${kind}`)], "");
  const reason = isPassing(app, why) ? null : why;
  return h(
    "div",
    { class: isWide ? "action wide" : "action", key: kind },
    renderer?.joinAction === kind && termsAndWarning(app, board),
    isWide
      ? h(
          "div",
          { class: question ? "typed asking" : "typed", key: "typed" },
          question
            ? questionPart(app, game, match, action, kind, question, armed)
            : fields(app, game.slug, { ...action, inputs }, kind, match, optionText),
          button,
          question && armed && declineButton(app, kind, question),
        )
      : button,
    h(
      "div",
      { class: "below" },
      h(
        "p",
        { class: "why", id: `why-${kind}`, "data-why": reason?.key ?? "", role: armed && "status" },
        reason ? translate(reason) : hint,
        why && !reason && h("span", { class: "unseen" }, ` ${translate(why)}`),
      ),
      showsStatus && [txStatus(mine), " "],
      !why && !under && (armed || !isAskedTwice) && cost(app, action),
      fixButton(app, why ?? (ended ? mine.reason?.sentence : null), kind),
    ),
    ended || under ? txError(mine) : null,
    mine && txActions(app, mine),
    action.pays ? approval(app, match) : null,
  );
}

/** The deposit of a press if neither the form nor the terms show it; "" if there is none. @param {Needs} app @param {GameInfo} game @param {string} match @param {Action} action @param {string} kind @param {Input[]} inputs the inputs in the form */
function hiddenDeposit(app, game, match, action, kind, inputs) {
  const name = action.pays?.amount;
  const { amount, token } = deposit(app, game, action, match, app.accounts.me);
  const isAgreed = name === "stake" && kind === app.server.renderers.get(game.slug)?.joinAction;
  return amount && !isAgreed && !inputs.some((input) => input.name === name)
    ? app.tokens.formatAmount(amount, token)
    : "";
}

/** The question shown before a button, and the inputs that belong to the answer. @param {Needs} app @param {GameInfo} game @param {string} match @param {Action} action @param {string} kind @param {Question} question @param {boolean} armed */
function questionPart(app, game, match, action, kind, { tree, open, visible }, armed) {
  return [open || armed || visible ? tree : null, open || armed ? fields(app, game.slug, action, kind, match) : null];
}

/** @param {Needs} app @param {string} kind @param {Question} question */
function declineButton(app, kind, { declineLabel }) {
  const close = () => {
    app.ui.armed = "";
    app.redraw();
    setTimeout(() => document.getElementById(`action-${kind}`)?.focus(), 0);
  };
  return h("button", { key: "no", id: `not-${kind}`, type: "button", onclick: close }, declineLabel);
}

/** @type {ReturnType<typeof setTimeout>|undefined} */
let disarmTimer;

/** Arm a button that needs a second press. A question stays until it is answered. @param {Needs} app @param {string} name @param {boolean} isPersistent */
function arm(app, name, isPersistent) {
  app.ui.armed = name;
  app.redraw();
  clearTimeout(disarmTimer); // otherwise the timer of an earlier press would disarm the button too early
  if (!isPersistent)
    disarmTimer = setTimeout(() => {
      if (app.ui.armed === name) {
        app.ui.armed = "";
        app.redraw();
      }
    }, ARMED_MS);
}

/** This player's latest transaction for a button. Results from an earlier visit don't count. @param {Needs} app @param {string} match @param {string} kind @returns {Tx|undefined} */
export function latestOfAction(app, match, kind) {
  return app.transactions.list.findLast(
    (tx) => tx.match === match && tx.action === kind && seatOf(tx) === app.accounts.me && app.transactions.isNews(tx),
  );
}

/** This player's latest transaction in a match, from any button. @param {Needs} app @param {string} match @returns {Tx|undefined} */
const latestOfMatch = (app, match) =>
  app.transactions.list.findLast((tx) => tx.match === match && seatOf(tx) === app.accounts.me);

/** The state of the token approval, which is a separate transaction before the deposit. @param {Needs} app @param {string} match */
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
