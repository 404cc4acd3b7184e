/**
 * The result of checking the board: whether the board matches the contract, and which node has
 * answered. The result is collapsed unless the board differs.
 */

import { h } from "../../../lib/dom.js";
import { copyButton } from "../../parts/copy.js";
import { foldedFacts } from "./chain-facts.js";
import { differenceList } from "./differences.js";
import { longHex, t, translate } from "../../../i18n/translate.js";

/** @import { ServerState } from "../../../app/server-state.js" */
/** @import { Ui } from "../../../app/ui.js" */
/** @import { BoardChecker } from "../../../chain/verify/checker.js" */
/** @import { Child } from "../../../lib/dom.js" */
/** @import { RpcSource } from "../../../chain/verify/sources.js" */
/** @import { CheckResult, Claim } from "../../../chain/verify/query.js" */
/** @typedef {{boardChecker: BoardChecker, redraw: () => void, server: ServerState, ui: Ui}} Uses */

/**
 * The signs for the results. Each has its own shape, because colours alone are hard to distinguish.
 */
const SIGNS = { asking: "…", same: "✓", "count-only": "✓", differs: "✗", unanswered: "?" };

/** @param {Uses} app @param {string} match @param {Child[]} facts further facts from the chain @param {Claim|null|undefined} [claim] the board on display, by default the latest one */
export function verificationMark(app, match, facts, claim = app.server.socket.entries.get(match)) {
  if (!claim) return foldedFacts(facts);
  const { source } = app.boardChecker;
  const result = app.boardChecker.resultFor(match, claim);
  return result.state === "differs"
    ? [mismatchAlert(app, match, result, source), foldedFacts(facts)]
    : collapsedResult(app, result, source, facts);
}

/** @param {RpcSource} source */
const sourceName = ({ kind }) => t(`asked.${kind}`);

/**
 * Return the check's result as a collapsed element, for a board that doesn't differ from the chain.
 * If the page couldn't check the board, the element explains why.
 * @param {Uses} app @param {CheckResult} result @param {RpcSource} source @param {Child[]} facts
 */
function collapsedResult(app, { state, height, why, contract }, source, facts) {
  return h(
    "details",
    { class: "checked", id: "checked", key: "checked", "data-checked": state, "data-asked": source.kind },
    h(
      "summary",
      null,
      h("i", { "aria-hidden": "true" }, SIGNS[state]),
      h("span", { "data-widest": t("checked.brief-asking") }, t(`checked.brief-${state}`)),
    ),
    h(
      "div",
      { class: "about-check" },
      h(
        "p",
        null,
        h("strong", null, t(`checked.${state}`, { height })),
        h("span", { class: "who" }, sourceName(source)),
      ),
      why && h("p", null, translate(why)),
      state === "count-only" && h("p", null, t("checked.count-only-lead")),
      h("p", null, t(`asked.${source.kind}-lead`, { name: source.name })),
      contract && contractAddress(app, contract),
      facts,
    ),
  );
}

/** @param {Uses} app @param {string} contract */
function contractAddress(app, contract) {
  return h(
    "p",
    { class: "row" },
    h(
      "span",
      null,
      t("checked.contract"),
      " ",
      h("span", { class: "mono", title: contract, "data-contract": contract }, longHex(contract)),
    ),
    copyButton(app, contract, "copy-contract", t("match.copy-address", { address: contract })),
  );
}

/** @param {Uses} app @param {string} match @param {CheckResult} result @param {RpcSource} source */
function mismatchAlert(app, match, { height, differences, why, contract, moved }, source) {
  return h(
    "div",
    {
      class: "checked alarm",
      id: "checked",
      key: "alarm",
      role: "alert",
      "data-checked": "differs",
      "data-asked": source.kind,
    },
    h("strong", null, h("i", { "aria-hidden": "true" }, SIGNS.differs), " ", t("checked.differs")),
    h("p", null, why ? translate(why) : t("checked.differs-lead", { height })),
    differences.length > 0 && differenceList(differences),
    contract && contractAddress(app, contract),
    moved &&
      h(
        "button",
        {
          id: "accept-contract",
          type: "button",
          class: "small",
          onclick: () => app.boardChecker.acceptContract(match),
        },
        t("checked.accept"),
      ),
    h("p", { class: "hint" }, t(`asked.${source.kind}-lead`, { name: source.name }), " ", t("checked.advice")),
  );
}
