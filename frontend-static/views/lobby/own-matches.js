/**
 * The player's own unfinished matches, with their boards. Matches that wait for the player come
 * first.
 */

import { involvement } from "../../app/lobby/my-matches.js";
import { lobbyEntry, ownRunning, running } from "../../app/lobby/rows.js";
import { t } from "../../i18n/translate.js";
import { h } from "../../lib/dom.js";
import { boardHost } from "../parts/board-host.js";
import { playerName, titleOf } from "../parts/labels.js";
import { sentence } from "../parts/sentence.js";

/** @import { MyMatches } from "../../app/lobby/my-matches.js" */
/** @import { LiveMatches } from "../../app/match/live.js" */
/** @import { ServerState } from "../../app/server-state.js" */
/** @import { Accounts } from "../../chain/wallet/accounts.js" */
/** @import { Summary } from "../../types.js" */
/** @typedef {{accounts: Accounts, live: LiveMatches, myMatches: MyMatches, redraw: () => void, server: ServerState}} Uses */

/** @param {Uses} app */
export function ownMatches(app) {
  const rows = ownRunning(app);
  if (!rows.length) return null;
  const turns = running(app).filter((match) => involvement(app, match) === 0).length;
  return h(
    "section",
    { key: "own", class: "list", "aria-labelledby": "list-own" },
    h("h2", { id: "list-own" }, t("lobby.own-matches")),
    turns > 0 && h("p", { class: "hint", id: "your-turn" }, t("lobby.your-turns", { n: turns })),
    h(
      "ul",
      { id: "matches-own", class: "own-matches" },
      rows.map((match) => card(app, match)),
    ),
  );
}

/** @param {Uses} app @param {Summary} summary */
function card(app, summary) {
  const { match, game, status } = summary;
  const entry = lobbyEntry(app, game);
  const board = app.server.board(match) ?? (entry.featured === match ? (entry.board ?? null) : null);
  const turn = involvement(app, summary) === 0;
  const invited = status === "open" ? summary.opponent : undefined;
  return h(
    "li",
    { key: match, "data-match": match, "data-status": status, "data-game": game, "data-turn": turn },
    h(
      "a",
      { class: "card", href: `#/match/${match}`, "data-turn": turn },
      h(
        "span",
        { class: "peek" },
        boardHost(app.live.withBoard(board), match, true),
        h("span", { class: turn ? "pill turn" : "pill", "data-for": invited }, t(pillKey(summary, turn))),
      ),
      h(
        "span",
        { class: "text" },
        h("b", null, titleOf(app, match)),
        h("span", { class: "hint" }, opponentNames(app, summary)),
      ),
    ),
  );
}

/** @param {Summary} summary @param {boolean} turn */
function pillKey({ status, opponent, mover }, turn) {
  if (status === "playing") return turn ? "lobby.fact.turn" : mover ? "lobby.fact.theirs" : "lobby.fact.running";
  if (turn) return "lobby.for-you";
  return opponent ? "lobby.fact.invited" : "lobby.fact.waits";
}

/** @param {Uses} app @param {Summary} summary */
function opponentNames(app, { players, opponent, morePlayers = 0 }) {
  const others = players.filter((address) => !app.accounts.find(address));
  const other = others[0] ?? (opponent && !app.accounts.find(opponent) ? opponent : undefined);
  const more = others.length - 1 + morePlayers;
  if (!other) return t(players.length > 1 ? "lobby.both-sides" : "lobby.nobody-yet");
  return sentence(more > 0 ? "lobby.against-many" : "lobby.against", { name: playerName(other) }, { n: more });
}
