// Custom properties of the style sheets: each that is used without a fallback is set, by a sheet or by a drawing.
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

test("each custom property that has no fallback is set", () => {
  const set = found(`${sheets}\n${modules}`, /(--[\w-]+)["']?\s*:/g);
  const used = found(`${sheets}\n${modules}`, /var\(\s*(--[\w-]+)\s*\)/g);
  assert.ok(used.size > 30, `${used.size} found`);
  assert.deepEqual(
    [...used].filter((name) => !set.has(name)),
    [],
  );
});
