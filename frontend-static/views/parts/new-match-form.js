/** The form that opens a match: the game's own form, the inputs and the button. */

import { valuesOf, withVisibleDeposit } from "../../app/inputs.js";
import { openingAction } from "../../app/lobby/opponents.js";
import { isTemporary, seatOf, whyOpening } from "../../app/submit.js";
import { h } from "../../lib/dom.js";
import { cost, termsLine } from "./terms-and-costs.js";
import { fields } from "./input-fields.js";
import { chooseOpponent } from "./opponents.js";
import { txActions, txError, txStatus } from "./tx-status.js";
import { fixButton } from "./fixes.js";
import { t, translate } from "../../i18n/translate.js";

/** @import { Actions } from "../../app/actions.js" */
/** @import { Opponents } from "../../app/lobby/opponents.js" */
/** @import { LiveMatches } from "../../app/match/live.js" */
/** @import { ServerState } from "../../app/server-state.js" */
/** @import { Ui } from "../../app/ui.js" */
/** @import { TransactionManager } from "../../chain/tx/manager.js" */
/** @import { Accounts } from "../../chain/wallet/accounts.js" */
/** @import { Tokens } from "../../chain/wallet/tokens.js" */
/** @import { Action, GameInfo, I18nText, Tx } from "../../types.js" */
/** @typedef {{accounts: Accounts, actions: Actions, live: LiveMatches, opponents: Opponents, redraw: () => void, server: ServerState, tokens: Tokens, transactions: TransactionManager, ui: Ui}} Uses */

const MAX_SHOWN = 5;

/** @param {Uses} app @param {GameInfo} game @param {Action} create @param {boolean} goesToMatch true to go to the match as soon as it exists */
export function newMatchForm(app, game, create, goesToMatch) {
  const { slug } = game;
  const why = app.actions.why("", create, {}, app.accounts.me, slug);
  const under = whyOpening(app, slug, app.accounts.me);
  const own = app.transactions.list.filter(
    (tx) => tx.game === slug && tx.match === "" && seatOf(tx) === app.accounts.me && app.transactions.isCurrent(tx),
  );
  const id = `new-match-${slug}`;
  const renderer = app.server.renderers.get(slug);
  const context = app.live.renderContext("", app.accounts.me, slug);
  const inputs = create.inputs.filter(({ name }) => renderer?.hasInput?.(context, create.name, name) ?? true);
  const go = (/** @type {Event} */ event) => {
    event.preventDefault();
    if (app.actions.why("", create, {}, app.accounts.me, slug)) return;
    const paying = withVisibleDeposit(create, inputs);
    if (goesToMatch) app.opponents.open(game, paying);
    else app.actions.submitWithDeposit(slug, paying, "");
  };
  return h(
    "form",
    { class: "opener", "aria-label": t("lobby.new-of", { game: game.title }), onsubmit: go },
    goesToMatch && renderer?.form?.(context, create, `new-${slug}`),
    goesToMatch && chooseOpponent(app, game, create),
    fields(app, slug, { ...create, inputs }, `new-${slug}`),
    (!why || under) && stakedTerms(app, game, create),
    h(
      "button",
      {
        id,
        type: "submit",
        class: goesToMatch ? "loud" : "",
        disabled: Boolean(why),
        "data-pending": under !== null,
        "aria-describedby": `why-${id}`,
      },
      t("lobby.new"),
    ),
    !why && cost(app, create),
    h("p", { class: "why", id: `why-${id}`, "data-why": why?.key ?? "" }, why ? translate(why) : ""),
    fixButton(app, why ?? own.at(-1)?.reason?.sentence, id),
    h(
      "ul",
      { class: "lives", id: `lives-${slug}` },
      own.slice(-MAX_SHOWN).map((tx) => txRow(app, tx)),
    ),
  );
}

/** Return the terms of a match that has a stake. @param {Uses} app @param {GameInfo} game @param {Action} create */
function stakedTerms(app, game, create) {
  const { clock = 0, stake = 0n, rate = 0n, token } = create.pays ? valuesOf(app, game, create) : {};
  if (stake === 0n) return null;
  const terms = { clock: Number(clock), stake: String(stake), rate: String(rate), token, status: "open" };
  return termsLine(app, terms, `terms-new-${game.slug}`);
}

/**
 * Return a button that opens another match of the same game with the default settings. If the game
 * has its own page for new matches, return a link to that page instead.
 * @param {Uses} app @param {string} slug
 */
export function playAgain(app, slug) {
  const game = app.server.games.get(slug);
  const create = game && openingAction(game);
  if (!create) return null;
  if (app.server.renderers.get(slug)?.hasNewMatchPage)
    return h("a", { id: "again", key: "again", class: "button", href: `#/new/${slug}` }, t("match.again"));
  const why = app.actions.why("", create, {}, app.accounts.me, slug);
  const go = () => {
    if (!app.actions.why("", create, {}, app.accounts.me, slug))
      app.ui.openingTx = app.actions.submit(slug, create, "");
  };
  return h(
    "div",
    { class: "action", key: "again" },
    playAgainButton(app, t("match.again"), why, go),
    openingNote(app, slug, why),
  );
}

/**
 * Return the note below a button that opens a match. It says why the button is disabled, or what a
 * click costs. If the game has its own page for new matches, the note has no cost, because that
 * page shows it.
 * @param {Uses} app @param {string} slug @param {I18nText|null|undefined} why
 */
export function openingNote(app, slug, why) {
  const isHidden = isTemporary(app, why);
  if (why && !isHidden) return h("small", { class: "why", key: "cost", role: "status" }, translate(why));
  const game = app.server.games.get(slug);
  const create = game && openingAction(game);
  return [
    isHidden && why && h("small", { class: "unseen", key: "ear" }, translate(why)),
    create && !app.server.renderers.get(slug)?.hasNewMatchPage && cost(app, create),
  ];
}

/** @param {Uses} app @param {string} label @param {I18nText|null|undefined} why why the button is disabled @param {() => void} go */
function playAgainButton(app, label, why, go) {
  return h(
    "button",
    {
      id: "again",
      type: "button",
      disabled: Boolean(why) || app.ui.openingTx !== null,
      title: why && translate(why),
      onclick: go,
    },
    label,
  );
}

/** @param {Uses} app @param {Tx} tx */
function txRow(app, tx) {
  const link =
    tx.opened &&
    h("a", { href: `#/match/${tx.opened}`, "data-opened": tx.opened }, t("tx.opened", { match: tx.opened }));
  return h("li", { key: `story-${tx.id}` }, txStatus(tx), link, txError(tx), txActions(app, tx));
}
