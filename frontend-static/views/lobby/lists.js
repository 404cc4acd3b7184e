/** The lists of all players' running and finished matches, with the lists' filters. */

import { involvement } from "../../app/lobby/my-matches.js";
import {
  MAX_ROWS,
  filtered,
  finished,
  firstRows,
  ownRunning,
  running,
  unlisted,
  unlistedLive,
} from "../../app/lobby/rows.js";
import { ago, t } from "../../i18n/translate.js";
import { hasEnded } from "../../lib/board.js";
import { h } from "../../lib/dom.js";
import { nameOf } from "../../names/names.js";
import { termsLine } from "../parts/terms-and-costs.js";
import { badge, flag, playerLink, titleOf } from "../parts/labels.js";
import { filterBar } from "./filters.js";
import { result } from "./result.js";

/** @import { MyMatches } from "../../app/lobby/my-matches.js" */
/** @import { ServerState } from "../../app/server-state.js" */
/** @import { Ui } from "../../app/ui.js" */
/** @import { Accounts } from "../../chain/wallet/accounts.js" */
/** @import { Tokens } from "../../chain/wallet/tokens.js" */
/** @import { Summary } from "../../types.js" */
/** @typedef {{accounts: Accounts, myMatches: MyMatches, redraw: () => void, server: ServerState, tokens: Tokens, ui: Ui}} Uses */

/** The maximum number of players' names in one row of a list. */
const MAX_NAMES = 3;

/** @param {Uses} app */
export function lists(app) {
  const cards = new Set(ownRunning(app).map(({ match }) => match));
  const others = running(app).filter(({ match }) => app.ui.filters.mine || !cards.has(match));
  return [list(app, "running", filtered(app, others)), list(app, "finished", filtered(app, finished(app)))];
}

/** @param {Uses} app @param {"running"|"finished"} which @param {Summary[]} rows */
function list(app, which, rows) {
  const { game, live, mine, status } = app.ui.filters;
  const isFiltered = Boolean(game || mine || status);
  const kind = which === "running" && live && !mine ? "live" : which;
  const first = app.ui.all === which ? rows.slice(0, MAX_ROWS) : firstRows(app, rows).slice(0, MAX_ROWS);
  const all = Math.min(rows.length, MAX_ROWS);
  return h(
    "section",
    { key: which, class: "list", "aria-labelledby": `list-${which}` },
    h(
      "div",
      { class: "list-head" },
      h("h2", { id: `list-${which}` }, t(`lobby.${kind}`)),
      which === "running" && filterBar(app),
    ),
    rows.length === 0
      ? h("p", { class: "hint" }, t(isFiltered ? "lobby.none-filtered" : `lobby.none-${kind}`))
      : h(
          "ul",
          { id: `matches-${which}`, class: "rows" },
          first.map((match) => matchRow(app, match)),
        ),
    first.length < all &&
      h(
        "button",
        {
          id: `all-${which}`,
          type: "button",
          class: "small",
          onclick: () => {
            app.ui.all = which;
            app.redraw();
          },
        },
        t("lobby.show-all", { n: all }),
      ),
    kind === "running" && !isFiltered && unlistedMatches(app),
    kind === "live" && !isFiltered && unlistedText(unlistedLive(app)),
  );
}

/** @param {number} n */
const unlistedText = (n) => n > 0 && h("p", { class: "hint", id: "unlisted" }, t("lobby.more", { n }));

/** Return how many matches the list leaves out, and the accounts that opened most of those matches. @param {Uses} app */
function unlistedMatches(app) {
  const { n, byOpener } = unlisted(app, running(app));
  return [
    n > byOpener.reduce((sum, one) => sum + one.n, 0) && unlistedText(n),
    byOpener.length > 0 &&
      h(
        "ul",
        { class: "more", id: "more-open" },
        byOpener.map(({ key, title, opener, n }) =>
          h(
            "li",
            { key, class: "hint", "data-more": opener },
            t("lobby.more-by", { game: title, n }),
            " ",
            playerLink(opener),
          ),
        ),
      ),
  ];
}

/** @param {Uses} app @param {Summary} summary */
export const matchRow = (app, summary) => (hasEnded(summary) ? finishedRow(app, summary) : currentRow(app, summary));

/** @param {Summary} summary */
const dataAttributes = ({ match, status, game }) => ({
  key: match,
  class: "match-row",
  "data-match": match,
  "data-status": status,
  "data-game": game,
});

/** @param {Uses} app @param {Summary} summary */
const title = (app, { match }) => h("a", { class: "title", href: `#/match/${match}` }, titleOf(app, match));

/** @param {Uses} app @param {Summary} summary */
function figures(app, { game, ply, status, time, attended }) {
  const n = app.server.renderers.get(game)?.moveCount?.(ply) ?? ply;
  const moves = status === "open" ? t(attended === false ? "lobby.away" : "status.open") : t("lobby.moves-n", { n });
  return h("span", { class: "figures" }, `${moves} · ${ago(Date.now() / 1000 - time)}`);
}

/** @param {Uses} app @param {Summary} summary */
function currentRow(app, summary) {
  const { game, players, status, mover, attended, morePlayers = 0 } = summary;
  const turn = involvement(app, summary) === 0;
  const playing = turn && status === "playing";
  const seats = players
    .slice(0, MAX_NAMES)
    .map((address, seat) =>
      h("span", { class: "seat" }, badge(seat, app.server.renderers.get(game)), playerLink(address)),
    );
  const rest = players.length - MAX_NAMES + morePlayers;
  const who = seats.flatMap((one, i) => (i ? [h("span", { class: "vs" }, t("lobby.vs")), one] : [one]));
  const mine =
    players.some((address) => app.accounts.find(address)) &&
    h(
      "span",
      { class: playing ? "tag loud" : "tag", title: playing ? mover : "" },
      t(playing ? "lobby.your-turn" : "lobby.yours"),
    );
  return h(
    "li",
    {
      ...dataAttributes(summary),
      "data-turn": turn,
      "data-attended": attended === undefined ? undefined : String(attended),
    },
    title(app, summary),
    h(
      "span",
      { class: "who" },
      who.length ? who : h("span", { class: "hint" }, t("lobby.no-players")),
      rest > 0 && h("span", { class: "hint" }, `+${rest}`),
    ),
    mine,
    invitation(app, summary),
    termsLine(app, summary),
    figures(app, summary),
  );
}

/** @param {Uses} app @param {Summary} summary */
function invitation(app, { status, opponent }) {
  if (status !== "open" || !opponent) return null;
  const isMine = opponent === app.accounts.me;
  return h(
    "span",
    { class: isMine ? "tag loud" : "tag", title: opponent, "data-for": opponent },
    flag(opponent),
    isMine ? t("lobby.for-you") : t("lobby.for", { name: nameOf(opponent) }),
  );
}

/** @param {Uses} app @param {Summary} summary */
const finishedRow = (app, summary) =>
  h(
    "li",
    { ...dataAttributes(summary), "data-reason": summary.reason },
    title(app, summary),
    h("span", { class: "who result" }, result(app, summary)),
    figures(app, summary),
  );
