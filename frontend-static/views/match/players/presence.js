/** Whether the opener of a match that waits looks on; where not, a computer is offered. */

import { openerOf } from "../../../games/shared/duel.js";
import { h } from "../../../lib/dom.js";
import { nameOf } from "../../../names/names.js";
import { openingAction } from "../../parts/new-match-form.js";
import { playComputer } from "../../parts/opponents.js";
import { computers, t } from "../../../i18n/translate.js";

/** @import { Opponents } from "../../../app/lobby/opponents.js" */
/** @import { ServerState } from "../../../app/server-state.js" */
/** @import { Ui } from "../../../app/ui.js" */
/** @import { Accounts } from "../../../chain/wallet/accounts.js" */
/** @import { Json } from "../../../types.js" */
/** @typedef {{accounts: Accounts, opponents: Opponents, redraw: () => void, server: ServerState, ui: Ui}} Needs What it uses of the page. */

/** For who could take a seat; one's own match waits for others. @param {Needs} app @param {string} match @param {Json} board */
export function openerPresence(app, match, board) {
  const opener = openerOf(board);
  const presence = app.server.presence.get(match);
  if (!presence || !opener || app.accounts.find(opener) || computers.has(opener)) return null;
  const { openerIsHere } = presence;
  const game = app.server.games.get(match.split("/")[0]);
  const create = game && openingAction(game);
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
    !openerIsHere && create && app.opponents.of(game.slug).length > 0 && playComputer(app, game, create),
  ];
}
