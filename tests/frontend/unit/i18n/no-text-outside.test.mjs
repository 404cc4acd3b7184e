// Tests the ESLint rule that forbids texts outside the message tables. Also checks the texts in the
// HTML files.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { RuleTester } from "eslint";

import { noTextOutside } from "../../../../eslint.config.js";

const errors = [{ message: /outside the tables/ }];

test("the rule finds texts that reach the page, and ignores texts that only name or join something", () => {
  new RuleTester().run("no-text-outside", noTextOutside, {
    valid: [
      'h("p", { class: "hint quiet", id: "why" }, t("page.loading"), " · ", which === "open" && t("lobby.play"))',
      'h("code", null, `chainboard verify ${name}`)',
      'h("button", { "aria-label": t(which ? "help.open" : "help.time") })',
      'h("input", { placeholder: "https://…" })',
      'throw new Error("No wallet for this")',
      'element.setAttribute("data-state", "open")',
    ],
    invalid: [
      'h("p", null, "Loading")',
      'h("p", null, [[busy ? "Loading" : t("page.done")]])',
      'h("p", null, `${n} moves`)',
      'h("p", null, t("lobby.vs") + " nobody")',
      'h("p", null, busy && "wait")',
      'h("button", { "aria-label": "Close" })',
      'h("button", { title: `${n} moves` })',
      'document.title = "Chainboard"',
      'element.textContent = busy ? "wait" : ""',
      'element.setAttribute("aria-label", "Close")',
      'const sentence = "It is over"',
      "const sentence = `It is over for ${name}`",
    ].map((code) => ({ code, errors })),
  });
});

test("a page without JavaScript, or whose first files can't be loaded, says so in every language", () => {
  for (const name of ["index", "embed"]) {
    const html = readFileSync(
      fileURLToPath(new URL(`../../../../frontend-static/${name}.html`, import.meta.url)),
      "utf8",
    );
    const notes = /<(noscript|section)\b.*?<\/\1>/gs;
    assert.deepEqual(
      [...html.matchAll(notes)].map(([note]) =>
        [...note.matchAll(/<p(?: lang="(\w+)")?>/g)].map((found) => found[1] ?? "en"),
      ),
      Array(2).fill(["en", "fr", "zh"]),
    );
    const rest = html.replaceAll(notes, "").replace(/<title>Chainboard<\/title>|<[^>]*>/gs, "");
    assert.equal(rest.trim(), "");
  }
});
