/** The notices about stakes, and about backups of fleets that only this browser stores. */

import { h } from "../../../lib/dom.js";
import { download } from "../../../lib/download.js";
import { plays } from "../../shared/duel.js";
import { t } from "../../../i18n/translate.js";
import { fleetOf } from "../answers.js";
import { hasRevealed } from "../checks.js";
import { backup, restore, storedFleets, updateFleet } from "./storage.js";

/** @import { Tree } from "../../../lib/dom.js" */
/** @import { RenderContext } from "../../../types.js" */

const FILE = "chainboard-fleets.json";

/** @param {RenderContext} context @returns {Tree|null} */
export function notices(context) {
  const { board } = context;
  if (board.status !== "open" && board.status !== "playing") return null;
  const owes = plays(board, context.me) && !hasRevealed(board, context.me);
  const fleet = owes ? fleetOf(board, context.me) : undefined;
  const parts = [
    stakes(context),
    owes && !fleet && missingFleetNotice(context, context.me),
    fleet?.saved === false && backupNotice(context),
  ].filter(Boolean);
  return parts.length ? h("div", { class: "fleet-notices" }, parts) : null;
}

/** @param {RenderContext} context */
function stakes({ board, formatAmount }) {
  const stake = BigInt(board.stake ?? 0);
  return (
    stake > 0n &&
    h(
      "p",
      { key: "stakes", id: "stakes", class: "hint" },
      t("battleship.stake.each", {
        each: formatAmount(stake, board.token),
        all: formatAmount(2n * stake, board.token),
      }),
    )
  );
}

/** @param {RenderContext} context @param {string} account the fleet's owner */
function missingFleetNotice(context, account) {
  const damaged = storedFleets().damaged;
  return h(
    "section",
    { key: "lost", id: "fleet-lost", class: "card notice", role: "alert" },
    h("h2", null, t("battleship.keep.lost")),
    h("p", { class: "hint" }, t(damaged ? "battleship.keep.damaged" : "battleship.keep.lost-lead")),
    chooser(context, account),
    context.draft.state.notice && h("p", { class: "trouble" }, context.draft.state.notice),
  );
}

/** @param {RenderContext} context @param {string} account */
function chooser(context, account) {
  const id = "fleet-restore";
  const take = async (/** @type {Event} */ event) => {
    const [file] = /** @type {HTMLInputElement} */ (event.target).files ?? [];
    if (file) context.draft.state.notice = restoreBackup(await file.text(), context, account);
    context.draft.change();
  };
  return h(
    "label",
    { class: "field", for: id },
    h("span", null, t("battleship.keep.restore")),
    h("input", { id, type: "file", accept: ".json,application/json", onchange: take }),
  );
}

/** @param {string} text @param {RenderContext} context @param {string} account @returns {string} the text of the notice to show */
function restoreBackup(text, { board }, account) {
  try {
    const n = restore(text);
    if (n === 0) return t("battleship.keep.no-backup");
    return fleetOf(board, account) ? "" : t("battleship.keep.other", { n });
  } catch {
    return t("battleship.keep.full");
  }
}

/** @param {RenderContext} context */
function backupNotice(context) {
  const save = () => {
    downloadFleets(context.me);
    context.draft.change();
  };
  return h(
    "section",
    { key: "keep", id: "fleet-keep", class: "card notice" },
    h("p", null, t("battleship.keep.only-here")),
    h("button", { id: "fleet-save", type: "button", class: "small", onclick: save }, t("battleship.keep.save")),
  );
}

/**
 * Download all of a player's fleets as a file. Leave out the fleets of other accounts in this
 * browser, because an opponent might use the same browser.
 * @param {string} account
 */
function downloadFleets(account) {
  const fleets = [...storedFleets().fleets.values()].filter((fleet) => fleet.account === account);
  download(FILE, backup(fleets));
  for (const { commitment } of fleets) updateFleet(commitment, { saved: true });
}
