/**
 * The account drawer's section for session keys: a form that creates a key, and a list of the
 * existing keys.
 */

import { formatEther, parseEther } from "../../lib/ethereum/ether.js";
import { h } from "../../lib/dom.js";
import { AMOUNT } from "../../lib/patterns.js";
import { inEther } from "../../lib/ethereum/ether.js";
import { nameWithHex } from "../parts/labels.js";
import { reasonBox } from "../parts/tx-status.js";
import { dateTime, decimal } from "../../i18n/quantities.js";
import { coinSymbol, span, t, translate } from "../../i18n/translate.js";

/** @import { ServerState } from "../../app/server-state.js" */
/** @import { Sessions } from "../../chain/sessions/sessions.js" */
/** @import { Accounts } from "../../chain/wallet/accounts.js" */
/** @import { Grant } from "../../chain/sessions/grants.js" */
/** @import { I18nText } from "../../types.js" */
/** @typedef {{accounts: Accounts, redraw: () => void, server: ServerState, sessions: Sessions}} Uses */

const DURATIONS = [3600, 86_400, 604_800];
const DECIMALS = 18;
/** The maximum number of ended sessions in the list. Older ended sessions are folded. */
const MAX_ENDED = 3;

/** @param {Uses} app */
export function sessionSection(app) {
  const { sessions } = app;
  return h(
    "section",
    { class: "sessions", "aria-labelledby": "sessions-title" },
    h("h3", { id: "sessions-title" }, t("account.session")),
    h("p", { class: "hint" }, t("account.session-lead")),
    isFormOpen(app)
      ? form(app)
      : h(
          "div",
          { class: "stack" },
          h(
            "button",
            { id: "session-open", type: "button", onclick: () => toggle(app, true) },
            t("account.session-open"),
          ),
        ),
    sessions.doing && h("p", { class: "hint", role: "status", id: "session-doing" }, t(sessions.doing)),
    reasonBox(sessions.trouble, { id: "session-trouble" }),
    grantList(app),
  );
}

/** @param {Uses} app */
const isFormOpen = ({ sessions, accounts }) => sessions.draft.open === accounts.me;

/** @param {Uses} app @param {boolean} open */
function toggle(app, open) {
  app.sessions.draft.open = open ? app.accounts.me : "";
  app.redraw();
}

/** @param {Uses} app */
function form(app) {
  const { draft, doing } = app.sessions;
  const why = whyDisabled(app);
  const send = async (/** @type {Event} */ event) => {
    event.preventDefault();
    if (whyDisabled(app) || doing) return;
    await app.sessions.create(chosenGames(app), draft.seconds, gasBudget(app));
    if (!app.sessions.trouble) toggle(app, false);
  };
  return h(
    "form",
    { class: "form", id: "session-form", key: "session-form", onsubmit: send },
    h(
      "fieldset",
      null,
      h("legend", { class: "hint" }, t("account.session-games")),
      [...app.server.games.values()].map(({ slug, title }) => gameCheckbox(app, slug, title)),
    ),
    h(
      "label",
      { class: "field", for: "session-for" },
      h("span", null, t("account.session-for")),
      h(
        "select",
        {
          id: "session-for",
          onchange: (/** @type {Event} */ e) => {
            draft.seconds = Number(/** @type {HTMLSelectElement} */ (e.target).value);
            app.redraw();
          },
        },
        DURATIONS.map((seconds) =>
          h("option", { key: seconds, value: String(seconds), selected: seconds === draft.seconds }, span(seconds)),
        ),
      ),
    ),
    gasPart(app),
    h("p", { class: "hint", id: "session-limits" }, t("account.session-limits")),
    h("p", { class: "hint", id: "session-questions" }, t(signatureCountKey(app))),
    h(
      "div",
      { class: "pair-of" },
      h(
        "button",
        {
          id: "session-begin",
          type: "submit",
          class: "loud",
          disabled: Boolean(why || doing),
          "aria-describedby": "why-session",
        },
        t("account.session-begin"),
      ),
      h(
        "button",
        {
          id: "session-cancel",
          type: "button",
          class: "quiet",
          disabled: Boolean(doing),
          onclick: () => toggle(app, false),
        },
        t("account.session-cancel"),
      ),
    ),
    h("p", { class: "why", id: "why-session", "data-why": why?.key ?? "" }, why ? translate(why) : ""),
  );
}

/** @param {Uses} app @param {string} slug @param {string} title */
function gameCheckbox(app, slug, title) {
  const { without } = app.sessions.draft;
  const change = (/** @type {Event} */ event) => {
    if (/** @type {HTMLInputElement} */ (event.target).checked) without.delete(slug);
    else without.add(slug);
    app.redraw();
  };
  return h(
    "label",
    { class: "field bool", key: slug },
    h("span", null, title),
    h("input", { type: "checkbox", "data-session-game": slug, checked: !without.has(slug), onchange: change }),
  );
}

/**
 * Return a field for the amount of ether that the account sends to the key for gas. On a
 * development chain, return a note that the faucet pays for gas. @param {Uses} app
 */
function gasPart(app) {
  const { draft } = app.sessions;
  if (app.server.health?.development) return h("p", { class: "hint", id: "session-gas" }, t("account.session-faucet"));
  return h(
    "label",
    { class: "field amount", for: "session-gas" },
    h("span", null, t("account.session-gas")),
    h("input", {
      id: "session-gas",
      type: "text",
      inputmode: "decimal",
      value: typedGas(app),
      oninput: (/** @type {Event} */ e) => {
        draft.gas = /** @type {HTMLInputElement} */ (e.target).value.trim();
        app.redraw();
      },
    }),
    h("span", null, t("account.session-gas-lead")),
  );
}

/** @param {Uses} app */
const typedGas = ({ sessions }) => sessions.draft.gas ?? inEther(sessions.gasBudget(), true);

/** Return the amount of ether that the account sends to the key for gas, in wei. @param {Uses} app */
const gasBudget = (app) => (app.server.health?.development ? 0n : parseEther(typedGas(app)));

/** @param {Uses} app */
const chosenGames = (app) => [...app.server.games.keys()].filter((slug) => !app.sessions.draft.without.has(slug));

/** Return the key of the text that says how often the wallet will ask for confirmation. @param {Uses} app */
function signatureCountKey(app) {
  if (!app.accounts.find(app.accounts.me)?.provider) return "account.session-no-question";
  return app.server.health?.development ? "account.session-one-question" : "account.session-two-questions";
}

/** @param {Uses} app @returns {I18nText|null} */
function whyDisabled(app) {
  const slugs = chosenGames(app);
  const contracts = slugs.flatMap((slug) => app.server.games.get(slug)?.deployments ?? []).length;
  if (app.server.connection !== "live") return { key: "why.no-server" };
  if (slugs.length === 0) return { key: "why.session-no-game" };
  const { maxGames: most } = app.sessions;
  if (contracts > most) return { key: "why.session-games", args: { most, n: contracts } };
  if (app.server.health?.development) return null;
  return whyGasInvalid(app, typedGas(app));
}

/** @param {Uses} app @param {string} text @returns {I18nText|null} */
function whyGasInvalid(app, text) {
  if (!AMOUNT.test(text) || (text.split(".")[1]?.length ?? 0) > DECIMALS)
    return { key: "why.amount", args: { label: t("account.session-gas") } };
  const have = app.accounts.balances.get(app.accounts.me) ?? 0n;
  return parseEther(text) < have
    ? null
    : { key: "why.poor", args: { need: decimal(text), have: decimal(formatEther(have)), unit: coinSymbol() } };
}

/** @param {Uses} app */
function grantList(app) {
  const found = app.sessions.grants.list;
  if (!found) return h("p", { class: "hint" }, t("page.loading"));
  if (found.length === 0) return h("p", { class: "hint", id: "no-allowances" }, t("account.session-none"));
  const ended = found.filter(({ state }) => state === "expired" || state === "revoked");
  const [first, earlier] = [found.filter((one) => ended.indexOf(one) < MAX_ENDED), ended.slice(MAX_ENDED)];
  return [
    h(
      "ul",
      { class: "allowances", id: "allowances", "aria-label": t("account.session-list") },
      first.map((one) => grantItem(app, one)),
    ),
    earlier.length > 0 &&
      h(
        "details",
        { key: "ended" },
        h("summary", { class: "hint" }, t("account.earlier", { n: earlier.length })),
        h(
          "ul",
          { class: "allowances" },
          earlier.map((one) => grantItem(app, one)),
        ),
      ),
  ];
}

/** @param {Uses} app @param {Grant} one */
function grantItem(app, { key, games, until, state, session }) {
  const { sessions } = app;
  const busy = Boolean(sessions.doing);
  const press = (/** @type {string} */ what, /** @type {string} */ label, /** @type {() => void} */ onclick) =>
    h(
      "button",
      { key: what, type: "button", class: "small", [`data-${what}`]: key, disabled: busy, onclick },
      t(label),
    );
  const titles = [...app.server.games.values()]
    .filter(({ deployments }) => deployments.some(({ address }) => games.includes(address)))
    .map(({ title }) => title);
  const remaining = app.accounts.balances.get(key);
  return h(
    "li",
    { key, "data-session": key, "data-state": state },
    h(
      "div",
      { class: "row" },
      h("span", null, nameWithHex(key), " ", h("span", { class: `tag ${state}` }, t(`account.session-${state}`))),
      state === "live" && press("revoke", "account.session-revoke", () => void sessions.revoke(key)),
      state === "pending" &&
        session &&
        h(
          "span",
          { class: "row" },
          press("give-up", "account.session-give-up", () => void sessions.discard(session)),
          press("carry-on", "account.session-carry-on", () => void sessions.resume(session, sessions.gasBudget())),
        ),
    ),
    h("p", { class: "hint" }, titles.join(", ")),
    h(
      "p",
      { class: "hint" },
      t(state === "live" || state === "pending" ? "account.session-until" : "account.session-was-until", {
        time: dateTime(until),
      }),
    ),
    state === "live" &&
      session &&
      sessions.isPoor(session) &&
      remaining !== undefined &&
      h("p", { class: "warning" }, t("account.session-poor")),
    session
      ? remaining !== undefined &&
          h(
            "div",
            { class: "row hint" },
            t("account.session-left", { amount: decimal(inEther(remaining)) }),
            state === "live"
              ? sessions.isPoor(session) &&
                  press("top-up", "account.session-top-up", () => void sessions.topUp(session, sessions.gasBudget()))
              : remaining > 0n &&
                  press("take-back", "account.session-take-back", () => void sessions.withdraw(session)),
          )
      : h("p", { class: "hint" }, t("account.session-elsewhere")),
  );
}
