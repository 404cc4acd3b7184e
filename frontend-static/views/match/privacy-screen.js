/** A screen that covers a player's secrets until the player confirms (app/match/privacy.js). */

import { t } from "../../i18n/translate.js";
import { h } from "../../lib/dom.js";
import { nameOf } from "../../names/names.js";
import { flag } from "../parts/labels.js";

/** @import { Ui } from "../../app/ui.js" */
/** @import { Accounts } from "../../chain/wallet/accounts.js" */
/** @typedef {{accounts: Accounts, redraw: () => void, ui: Ui}} Uses */

/** @param {Uses} app @param {string} match */
export function privacyScreen(app, match) {
  const name = nameOf(app.accounts.me);
  const uncover = () => {
    app.ui.lastSeenBy.set(match, app.accounts.me);
    app.redraw();
    setTimeout(() => document.getElementById("board")?.focus(), 0);
  };
  return h(
    "section",
    {
      class: "cover",
      id: "cover",
      key: `cover-${match}-${app.accounts.me}`,
      "data-cover": app.accounts.me,
      "aria-labelledby": "cover-title",
    },
    h(
      "div",
      { class: "card" },
      h("h2", { id: "cover-title" }, flag(app.accounts.me), t("match.hand-over-to", { name })),
      h("p", { class: "hint" }, t("cover.lead")),
      h(
        "button",
        {
          id: "uncover",
          type: "button",
          class: "loud",
          onclick: uncover,
          drawn: (/** @type {HTMLElement} */ element) => focusOnce(app, element),
        },
        t("cover.show", { name }),
      ),
    ),
  );
}

/** @type {WeakSet<Element>} */
const focused = new WeakSet();

/** Focus the button once, because the element that had the focus is no longer on the page. @param {Uses} app @param {HTMLElement} element */
function focusOnce(app, element) {
  if (focused.has(element)) return;
  focused.add(element);
  if (!app.ui.drawer && !app.ui.help) setTimeout(() => element.focus(), 0);
}
