// Tests that a style sheet or a drawing sets each custom property that is used without a fallback.
// Also tests that no two style sheets style the same class.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";

const PAGE = new URL("../../../../frontend-static/", import.meta.url);
const textOf = (ending) =>
  readdirSync(PAGE, { recursive: true })
    .filter((name) => name.endsWith(ending))
    .map((name) => readFileSync(new URL(name, PAGE), "utf8"))
    .join("\n");
const sheets = textOf(".css");
const modules = textOf(".js");
const found = (text, pattern) => new Set([...text.matchAll(pattern)].map(([, name]) => name));

test("each custom property without a fallback is set", () => {
  const set = found(`${sheets}\n${modules}`, /(--[\w-]+)["']?\s*:/g);
  const used = found(`${sheets}\n${modules}`, /var\(\s*(--[\w-]+)\s*\)/g);
  assert.ok(used.size > 30, `${used.size} found`);
  assert.deepEqual(
    [...used].filter((name) => !set.has(name)),
    [],
  );
});

test("a class has its own rule in only one sheet", () => {
  const sheetsOf = new Map();
  for (const name of readdirSync(PAGE, { recursive: true }).filter((one) => one.endsWith(".css")))
    for (const [, own] of readFileSync(new URL(name, PAGE), "utf8").matchAll(/^\.([\w-]+) \{/gm))
      sheetsOf.set(own, (sheetsOf.get(own) ?? new Set()).add(name));
  assert.ok(sheetsOf.size > 100, `${sheetsOf.size} found`);
  assert.deepEqual(
    [...sheetsOf].filter(([, names]) => names.size > 1),
    [],
  );
});
