/**
 * The button that makes the page repeat a move by itself, and the note that explains why the page
 * has stopped.
 */

import { h } from "../../lib/dom.js";
import { gameKey, t, translate } from "../../i18n/translate.js";
import { seriesCost } from "../parts/terms-and-costs.js";
import { hasEnded } from "../../lib/board.js";

/** @import { Actions } from "../../app/actions.js" */
/** @import { MoveSeries } from "../../app/match/series.js" */
/** @import { ServerState } from "../../app/server-state.js" */
/** @import { Accounts } from "../../chain/wallet/accounts.js" */
/** @typedef {{accounts: Accounts, actions: Actions, series: MoveSeries, server: ServerState}} Uses */

/** @param {Uses} app @param {string} match */
export function seriesButton(app, match) {
  const [slug] = match.split("/");
  const board = app.server.board(match) ?? {};
  const { repeats } = app.server.renderer(match) ?? {};
  const last = app.series.of(match);
  const action = repeats && app.actions.of(match, repeats.actionId);
  const offered = action && board.players?.[app.accounts.me] && !hasEnded(board) && app.series.isPossible(match);
  if (!offered) return last?.end && hasEnded(board) ? statusText(last.end.key, translate(last.end)) : null;
  const running = last && !last.end;
  const why = running ? null : app.actions.why(match, action);
  const waits = why && repeats.temporary.includes(why.key); // the reason will go away, so the series can begin and wait
  const stopped = Boolean(why) && !waits;
  return h(
    "div",
    { class: "series", key: "series" },
    h(
      "button",
      {
        id: "keep-on",
        key: "keep-on",
        type: "button",
        class: running ? "loud" : "",
        "data-running": running,
        disabled: stopped,
        "aria-describedby": "keep-on-why",
        onclick: () => (running ? app.series.stop({ key: "series.stopped" }) : app.series.begin(match)),
      },
      t(gameKey(slug, running ? "series.stop" : "series.begin")),
    ),
    running
      ? statusText("", t(gameKey(slug, "series.running"), { n: last.sent }))
      : statusText(
          (why && stopped ? why.key : last?.end?.key) ?? "",
          why && stopped
            ? translate(why)
            : last?.end
              ? translate(last.end)
              : t(gameKey(slug, "series.hint"), { n: repeats.maximum }),
        ),
    !stopped && seriesCost(app, action, repeats.maximum, gameKey(slug, "series.cost")),
  );
}

/** @param {string} key @param {string} text */
const statusText = (key, text) =>
  h("p", { class: "hint", key: "keep-on-why", id: "keep-on-why", role: "status", "data-why": key }, text);
