/**
 * The section on a player's page with the buttons that challenge this player. On the viewer's own
 * page, it has a link instead, which the viewer can send to others.
 */

import { t, translate } from "../../i18n/translate.js";
import { h } from "../../lib/dom.js";
import { siteUrl } from "../../lib/site.js";
import { copyButton } from "../parts/copy.js";

/** @import { Challenges } from "../../app/lobby/challenges.js" */
/** @import { ServerState } from "../../app/server-state.js" */
/** @import { Ui } from "../../app/ui.js" */
/** @import { Actions } from "../../app/actions.js" */
/** @import { Accounts } from "../../chain/wallet/accounts.js" */
/** @import { GameInfo } from "../../types.js" */
/** @typedef {{accounts: Accounts, actions: Actions, challenges: Challenges, redraw: () => void, server: ServerState, ui: Ui}} Uses */

/** @param {Uses} app @param {string} address the address, including its checksum */
export function challengeSection(app, address) {
  if (app.accounts.find(address)) return ownLink(app, address);
  const games = [...app.server.games.values()].filter((game) => app.challenges.isPossible(game));
  const why = app.actions.whyCantSend();
  return h(
    "section",
    { class: "challenge", key: "challenge", "aria-labelledby": games.length ? "challenge-title" : undefined },
    games.length > 0 && h("h2", { id: "challenge-title" }, t("challenge.title")),
    h(
      "div",
      { class: "row" },
      games.map((game) => button(app, game, address)),
    ),
    games.length > 0 &&
      h("p", { class: "why", role: "status", "data-why": why?.key }, why ? translate(why) : t("challenge.terms")),
  );
}

/** @param {Uses} app @param {GameInfo} game @param {string} address */
function button(app, game, address) {
  const why = app.challenges.whyNot(game, address);
  return h(
    "button",
    {
      id: `challenge-${game.slug}`,
      key: game.slug,
      type: "button",
      disabled: Boolean(why),
      title: why ? translate(why) : undefined,
      onclick: () => void app.challenges.challenge(game, address),
    },
    game.title,
  );
}

/** @param {Uses} app @param {string} address */
const ownLink = (app, address) =>
  h(
    "p",
    { class: "row challenge", key: "challenge" },
    h("span", null, t("challenge.own")),
    copyButton(app, siteUrl(`./#/player/${address}`), "copy-challenge", t("challenge.copy"), t("challenge.copy")),
  );
