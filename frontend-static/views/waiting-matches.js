/**
 * A bar at the top of each page with links to other matches that are waiting for the player to act.
 */

import { h } from "../lib/dom.js";
import { titleOf } from "./parts/labels.js";
import { t } from "../i18n/translate.js";

/** @import { AutoMoves } from "../app/match/auto-moves.js" */
/** @import { ServerState } from "../app/server-state.js" */
/** @import { Accounts } from "../chain/wallet/accounts.js" */
/** @typedef {{accounts: Accounts, autoMoves: AutoMoves, server: ServerState}} Uses */

/** @param {Uses} app @param {string} [current] the match that the player is looking at */
export function waitingStrip(app, current) {
  const others = app.autoMoves
    .awaitingPlayers()
    .filter(({ match, account }) => match !== current || account !== app.accounts.me);
  if (!others.length) return null;
  return h(
    "nav",
    { class: "waits", id: "waits", key: "waits", "aria-label": t("waits.label") },
    others.map((one) => link(app, one)),
  );
}

/** Return a link to a match. A click also switches to the account that has to act in the match. @param {Uses} app @param {{match: string, account: string}} waiting */
function link(app, { match, account }) {
  const as = app.accounts.find(account);
  return h(
    "a",
    {
      key: `${match} ${account}`,
      href: `#/match/${match}`,
      "data-waits": match,
      onclick: () => {
        if (as && account !== app.accounts.me) app.accounts.use(as);
      },
    },
    t("waits.word", { match: titleOf(app, match) }),
  );
}
