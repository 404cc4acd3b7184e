/** The filters of the lobby's lists: one game only, or only live, own, open or running matches. */

import { storeFilters } from "../../app/lobby/filters.js";
import { t } from "../../i18n/translate.js";
import { h } from "../../lib/dom.js";

/** @import { ServerState } from "../../app/server-state.js" */
/** @import { Ui } from "../../app/ui.js" */
/** @typedef {{redraw: () => void, server: ServerState, ui: Ui}} Uses */

/** @param {Uses} app */
export function filterBar(app) {
  const { filters } = app.ui;
  const set = (/** @type {Partial<typeof filters>} */ change) => {
    Object.assign(filters, change);
    app.ui.all = "";
    storeFilters(filters);
    app.redraw();
  };
  const games = [...app.server.games.values()].map(({ slug, title }) =>
    h("option", { value: slug, selected: filters.game === slug }, title),
  );
  return h(
    "div",
    { class: "filters", role: "group", "aria-label": t("lobby.filter") },
    h(
      "select",
      {
        id: "filter-game",
        "aria-label": t("lobby.filter.game"),
        onchange: (/** @type {Event} */ event) => set({ game: /** @type {HTMLSelectElement} */ (event.target).value }),
      },
      h("option", { value: "", selected: !filters.game }, t("lobby.filter.all-games")),
      games,
    ),
    toggle("live", filters.live, () => set({ live: !filters.live })),
    toggle("mine", filters.mine, () => set({ mine: !filters.mine })),
    ...["open", "playing"].map((status) =>
      toggle(status, filters.status === status, () => set({ status: filters.status === status ? "" : status })),
    ),
  );
}

/** @param {string} name @param {boolean} pressed @param {() => void} onclick */
const toggle = (name, pressed, onclick) =>
  h(
    "button",
    { id: `filter-${name}`, type: "button", "aria-pressed": String(pressed), onclick },
    t(`lobby.filter.${name}`),
  );
