/** What a page checked of a replay file by itself, and what only a node can say. */

import { h } from "../lib/dom.js";
import { t } from "../i18n/translate.js";

/** @import { Replay } from "../history/replay-parser.js" */

/** @param {Replay} replay @param {any} [links] */
export function provenance({ chain, deployment, events, match, boardHash }, links) {
  const facts = [
    ["account.chain", String(chain.chainId)],
    ["account.genesis", chain.genesis],
    ["replay.contract", deployment.address],
    ["replay.board", boardHash],
  ];
  return h(
    "section",
    { class: "card provenance", id: "provenance", key: "provenance" },
    h("h2", null, t("replay.from-file")),
    h("p", { class: "hint" }, t("replay.proves", { n: events.length })),
    h(
      "p",
      { class: "hint" },
      t("replay.proves-not"),
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
    links,
  );
}
