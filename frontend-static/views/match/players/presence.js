/**
 * A line that says whether the player who opened the match is watching. If that player is away, the
 * line offers a match against a computer player.
 */

import { openerOf } from "../../../games/shared/duel.js";
import { h } from "../../../lib/dom.js";
import { nameOf } from "../../../names/names.js";
import { t, translate } from "../../../i18n/translate.js";
import { computers } from "../../../names/computers.js";

/** @import { QuickPlay } from "../../../app/lobby/quick-play.js" */
/** @import { ServerState } from "../../../app/server-state.js" */
/** @import { Accounts } from "../../../chain/wallet/accounts.js" */
/** @import { Json } from "../../../types.js" */
/** @typedef {{accounts: Accounts, quickPlay: QuickPlay, server: ServerState}} Uses */

/** Return the line if another person has opened the match, from another browser. @param {Uses} app @param {string} match @param {Json} board */
export function openerPresence(app, match, board) {
  const opener = openerOf(board);
  const presence = app.server.presence.get(match);
  if (!presence || !opener || app.accounts.find(opener) || computers.has(opener)) return null;
  const { openerIsHere } = presence;
  const game = app.server.games.get(match.split("/")[0]);
  const why = game && app.quickPlay.whyNot(game);
  return [
    h(
      "p",
      {
        class: openerIsHere ? "hint here" : "hint away",
        id: "opener",
        "data-here": String(openerIsHere),
        role: "status",
      },
      t(openerIsHere ? "match.opener-here" : "match.opener-away", { name: nameOf(opener) }),
    ),
    !openerIsHere &&
      game &&
      app.quickPlay.easiest(game) &&
      h(
        "button",
        {
          id: "play-instead",
          type: "button",
          disabled: Boolean(why),
          title: why && translate(why),
          onclick: () => void app.quickPlay.playComputer(game),
        },
        t("opponents.instead"),
      ),
  ];
}
