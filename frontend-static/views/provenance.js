/**
 * The provenance of a replay file: what the page has checked, which node it has asked, and what
 * readers still have to trust.
 */

import { h } from "../lib/dom.js";
import { differenceList } from "./match/facts/differences.js";
import { t, translate } from "../i18n/translate.js";

/** @import { FileCheck, FileChecker } from "../chain/verify/file-checker.js" */
/** @import { Replay } from "../history/replay-parser.js" */

/** @param {Replay} replay @param {FileChecker|null} checker null if the file can't be compared with a chain @param {any} [links] */
export function provenance(replay, checker, links) {
  const { chain, deployment, match, boardHash } = replay;
  const facts = [
    ["account.chain", String(chain.chainId)],
    ["account.genesis", chain.genesis],
    ["replay.contract", deployment.address],
    ["replay.board", boardHash],
  ];
  return h(
    "section",
    { class: "card provenance", id: "provenance", key: "provenance", "data-checked": checker?.result.state },
    h("h2", null, t("replay.from-file")),
    checker
      ? checkResult(replay, checker.result)
      : [hint(t("replay.unchecked")), hint(t("replay.proves", ofEvents(replay)))],
    hint(
      t(checker?.result.state === "same" ? "replay.left" : "replay.verify"),
      " ",
      h("code", { class: "mono" }, `chainboard verify ${match.replace("/", "-")}.json`),
    ),
    h(
      "details",
      null,
      h("summary", null, t("replay.facts")),
      h(
        "dl",
        null,
        facts.flatMap(([key, text]) => [h("dt", null, t(key)), h("dd", { class: "mono whole" }, text)]),
      ),
    ),
    checker &&
      h(
        "button",
        {
          id: "check-file",
          type: "button",
          class: "small",
          disabled: checker.result.state === "asking",
          onclick: () => void checker.run(),
        },
        t("replay.check-again"),
      ),
    links,
  );
}

/** @param {any[]} texts */
const hint = (...texts) => h("p", { class: "hint" }, texts);

/** @param {Replay} replay */
const ofEvents = ({ events }) => ({ n: events.length });

/** @param {Replay} replay @param {FileCheck} result */
function checkResult(replay, { state, source, by, boards, count = 0, differences, why }) {
  const byWhom = source && hint(t(`asked.${source.kind}-lead`, { name: source.name }));
  const n = ofEvents(replay);
  if (state === "asking") return h("p", { role: "status" }, t("checked.brief-asking"));
  if (state === "unanswered")
    return [h("p", { role: "status" }, t("replay.unchecked"), " ", why && translate(why)), hint(t("replay.proves", n))];
  if (state === "differs")
    return [
      h("p", { class: "trouble", role: "alert" }, t(`replay.differs-${by}`)),
      differenceList(differences, by === "server" ? "replay.place" : "checked.place"),
      hint(t("replay.differs-why")),
      byWhom,
    ];
  return [
    h("p", { role: "status" }, t("replay.same", n), " ", t(boards ? "replay.boards-same" : "replay.boards-unchecked")),
    count > n.n && h("p", null, t("replay.further", { count })),
    byWhom,
  ];
}
