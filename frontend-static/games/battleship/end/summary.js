/**
 * The summary after the reveals: which players answered honestly, their false answers, their last
 * messages, and the payouts.
 */

import { coordinate } from "../../../lib/board.js";
import { h } from "../../../lib/dom.js";
import { inSeat } from "../../shared/duel.js";
import { t } from "../../../i18n/translate.js";
import { nameOf } from "../../../names/names.js";
import { shipName } from "../draft.js";
import { FAULTS, WIDTH, fleetFault, shipAt } from "../fleet/fleet.js";
import { clean } from "../../../lib/patterns.js";
import { falseAnswers, revealedShips } from "../shots.js";
import { withdrawableStake } from "../stakes.js";

/** @import { Tree } from "../../../lib/dom.js" */
/** @import { Json, RenderContext } from "../../../types.js" */

/** @param {RenderContext} context @returns {Tree|null} */
export function endSummary(context) {
  const { board } = context;
  const players = [inSeat(board, 0), inSeat(board, 1)].filter(Boolean);
  const revealed = players.filter((account) => board.fleets?.[account]?.ships !== undefined);
  const words = board.status === "finished" ? answersSection(board, players, revealed) : [];
  const parts = [
    ...words,
    ...revealed.flatMap((account) => playerMessage(board, account)),
    ...payouts(context, players),
  ];
  return parts.length ? h("div", { class: "verdicts" }, parts) : null;
}

/** @param {Json} board @param {string[]} players @param {string[]} revealed */
function answersSection(board, players, revealed) {
  if (revealed.length === players.length && players.every((account) => faultOf(board, account) === FAULTS.none)) {
    return [h("p", { key: "true", id: "all-true", class: "verdict good" }, t("battleship.after.all-true"))];
  }
  if (revealed.length === 0 && board.reason === "cheating-proved") {
    const liar = players.find((account) => account !== board.winner) ?? "";
    return [
      h("p", { key: "impossible", class: "verdict bad" }, t("battleship.after.impossible", { player: nameOf(liar) })),
    ];
  }
  return players.map((account) => playerResult(board, account));
}

/** @param {Json} board @param {string} account */
const faultOf = (board, account) => board.fleets[account].fault ?? FAULTS.none;

/** @param {Json} board @param {string} account @returns {Tree} */
function playerResult(board, account) {
  const ships = board.fleets?.[account]?.ships;
  const player = nameOf(account);
  const props = { key: `judged-${account}`, "data-judged": account };
  if (ships === undefined) return h("p", { ...props, class: "verdict" }, t("battleship.after.silent", { player }));
  const fault = faultOf(board, account);
  const name = h(
    "p",
    { ...props, class: `verdict ${fault ? "bad" : "good"}`, "data-fault": fault },
    t(`battleship.after.fault-${fault}`, { player }),
  );
  if (fault !== FAULTS.falseAnswer)
    return fault && fleetFault(ships) !== FAULTS.none
      ? h("div", { key: props.key }, name, h("p", { class: "mono whole" }, clean(ships)))
      : name;
  return h(
    "div",
    { key: props.key },
    name,
    h(
      "ul",
      { class: "lies" },
      falseAnswers(board, account).map(([tile, claimed]) => falseAnswerLine(board, account, tile, claimed)),
    ),
  );
}

/** @param {Json} board @param {string} account @param {number} tile @param {string} claimed */
function falseAnswerLine(board, account, tile, claimed) {
  const ship = shipAt(revealedShips(board, account) ?? [], tile);
  const args = { cell: coordinate(tile, WIDTH), ship: ship ? shipName(ship) : "" };
  return h("li", { key: `lie-${tile}`, "data-lie": args.cell }, t(`battleship.after.lie-${claimed}`, args));
}

/** @param {Json} board @param {string} account @returns {Tree[]} */
function playerMessage(board, account) {
  const text = clean(board.fleets[account].message ?? "");
  return text
    ? [
        h(
          "blockquote",
          { key: `message-${account}`, "data-message": account },
          h("p", null, text),
          h("footer", { class: "hint" }, nameOf(account)),
        ),
      ]
    : [];
}

/** Return the amounts that the players can still withdraw or have already withdrawn. @param {RenderContext} context @param {string[]} players @returns {Tree[]} */
function payouts({ board, formatAmount }, players) {
  return players.flatMap((account) => {
    const due = withdrawableStake(board, account);
    const taken = board.withdrawn?.[account];
    const key = due > 0n ? "battleship.stake.due" : taken === undefined ? "" : "battleship.stake.taken";
    const amount = due > 0n ? due : BigInt(taken ?? 0);
    return key
      ? [
          h(
            "p",
            { key: `money-${account}`, class: "hint", "data-money": account },
            t(key, { player: nameOf(account), amount: formatAmount(amount, board.token) }),
          ),
        ]
      : [];
  });
}
