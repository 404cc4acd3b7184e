/**
 * A line at the top of each page that says how much ether the sponsor has sent to a new account.
 * The line disappears after the account's first transaction.
 */

import { h } from "../../lib/dom.js";
import { t, translate } from "../../i18n/translate.js";

/** @import { TransactionManager } from "../../chain/tx/manager.js" */
/** @import { Accounts } from "../../chain/wallet/accounts.js" */
/** @typedef {{accounts: Accounts, redraw: () => void, transactions: TransactionManager}} Uses */

/** @param {Uses} app */
export function sponsorLine(app) {
  const { me, sponsorship } = app.accounts;
  const note = sponsorship.notes.get(me);
  if (!note || app.transactions.list.some(({ account }) => account === me)) return null;
  const close = () => {
    sponsorship.notes.delete(me);
    app.redraw();
  };
  return h(
    "p",
    { class: "waits sponsored", id: "sponsored", key: "sponsored", role: "status" },
    h("span", null, translate(note)),
    h(
      "button",
      { type: "button", class: "small", id: "sponsored-close", onclick: close },
      t("account.sponsored-close"),
    ),
  );
}
