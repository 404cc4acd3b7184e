// The table of texts: whole, used, and filled in rightly.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { age, languages, short, t } from "../../frontend-static/words.js";

const ROOT = fileURLToPath(new URL("../../frontend-static/", import.meta.url));
const sources = readdirSync(ROOT, { recursive: true })
  .filter((name) => name.endsWith(".js") && !name.startsWith("vendor") && name !== "words.js")
  .map((name) => [name, readFileSync(ROOT + name, "utf8")]);
const table = languages.en;
const own = readFileSync(`${ROOT}words.js`, "utf8").split("export const languages")[1];
const code = own + sources.map(([, text]) => text).join("\n");

test("every key that the page names is there", () => {
  const named = [...code.matchAll(/["'`]((?:page|line|age|theme|lobby|status|match|account|help|tx|why|action|hint|input|game|ship|cell|code|feed|error|node)\.[A-Za-z][\w.-]*)["'`]/g)].map((found) => found[1]);
  assert.ok(named.length > 100, `${named.length} keys found`);
  assert.deepEqual([...new Set(named)].filter((key) => !Object.hasOwn(table, key)), []);
});

test("every made-up key begins like one that is there", () => {
  const prefixes = [...code.matchAll(/`([a-z]+\.(?:[a-z-]+\.)?)\$\{/g)].map((found) => found[1]);
  assert.ok(prefixes.length > 5);
  assert.deepEqual(prefixes.filter((prefix) => !Object.keys(table).some((key) => key.startsWith(prefix))), []);
});

test("no text is there for nothing", () => {
  const made = [...code.matchAll(/`([a-z]+\.)(?:[a-z-]+\.)?\$\{/g)].map((found) => found[1]);
  const unused = Object.keys(table).filter((key) => !code.includes(`"${key}"`) && !made.some((prefix) => key.startsWith(prefix)));
  assert.deepEqual(unused, []);
});

test("every error that a contract can answer with has its sentence", () => {
  const folder = fileURLToPath(new URL("../../contracts/artifacts/", import.meta.url));
  const abi = JSON.parse(readFileSync(`${folder}ToucheCoule.json`, "utf8")).abi;
  const ours = abi.filter(({ type }) => type === "error").map(({ name }) => name);
  assert.ok(ours.length >= 10);
  assert.deepEqual(ours.filter((name) => !Object.hasOwn(table, `error.${name}`)), []);
});

test("all languages have the same keys", () => {
  for (const [name, other] of Object.entries(languages)) assert.deepEqual(Object.keys(other).sort(), Object.keys(table).sort(), name);
});

test("values are filled in, numbers choose their word, markup stays text", () => {
  assert.equal(t("why.move-again", { n: 1 }), "You can move again in 1 turn.");
  assert.equal(t("why.move-again", { n: 2 }), "You can move again in 2 turns.");
  assert.equal(t("feed.PlayerJoined", { player: "<b>$&</b>" }), "<b>$&</b> joined");
  assert.equal(t("no.such.key"), "no.such.key");
});

test("addresses and ages as people say them", () => {
  assert.equal(short("0x70997970C51812dc3A010C7d01b50e0d17dc79C8"), "0x70…C8");
  assert.deepEqual([0, 59, 60, 3599, 7200, 200_000].map(age), ["0 s", "59 s", "1 min", "59 min", "2 h", "2 days"]);
});
