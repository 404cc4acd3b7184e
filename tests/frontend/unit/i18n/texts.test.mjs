// Tests that the message tables for the page and for each game are complete, used, separate and
// well-formed.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { Actions } from "../../../../frontend-static/app/actions.js";
import { inputsOf, whyInputs } from "../../../../frontend-static/app/inputs.js";
import { actionName } from "../../../../frontend-static/views/parts/tx-status.js";
import { explain } from "../../../../frontend-static/chain/tx/revert-reason.js";
import { matchSentences } from "../../../../frontend-static/games/shared/event-texts.js";
import { Interface } from "ethers";
import * as Abi from "ox/Abi";
import { IntlMessageFormat } from "intl-messageformat";
import { age, longHex, shortHex, t, translate } from "../../../../frontend-static/i18n/translate.js";
import { addGameTexts, languages } from "../../../../frontend-static/i18n/tables.js";
import { gameTexts } from "../../node/texts.mjs";
import { restoreTextsAfter } from "./restore-texts.mjs";

const ROOT = fileURLToPath(new URL("../../../../frontend-static/", import.meta.url));
/** The numbers that intl-messageformat uses for two types of message parts. */
const TYPE = { literal: 0, pound: 7 };
const ARTIFACTS = fileURLToPath(new URL("../../../../contracts/artifacts/", import.meta.url));
const CONTRACTS = fileURLToPath(new URL("../../../../contracts/src/", import.meta.url));
const shared = JSON.parse(readFileSync(`${ROOT}i18n/messages/en.json`, "utf8"));
const slugs = readdirSync(`${ROOT}games`).filter((name) => name !== "shared");
const games = Object.fromEntries(await Promise.all(slugs.map(async (slug) => [slug, await gameTexts(slug)])));
const table = { ...shared, ...Object.assign({}, ...Object.values(games).map(({ en }) => en)) };

const sources = readdirSync(ROOT, { recursive: true })
  .filter((name) => name.endsWith(".js") && !/(^|\/)(translate|tables)\.js$/.test(name))
  .map((name) => [name, readFileSync(ROOT + name, "utf8")]);
const ofGames = (name) => name.startsWith("games/") && !name.startsWith("games/shared/");
const codeOf = (wanted) =>
  sources
    .filter(([name]) => wanted(name))
    .map(([, text]) => text)
    .join("\n");
const server = [
  ...["document", "links", "routes"].map((name) => `api/share/${name}`),
  ...["frame", "screen"].map((name) => `replay/terminal/${name}`),
].map((name) => readFileSync(`${ROOT}../${name}.py`, "utf8"));
const page =
  ["translate", "tables"].map((name) => readFileSync(`${ROOT}i18n/${name}.js`, "utf8")).join("\n") +
  codeOf((name) => !ofGames(name)) +
  server.join("\n");
const code = page + codeOf(ofGames);
const codeOfGame = (slug) => codeOf((name) => name.startsWith(`games/${slug}/`));
const KINDS =
  "names|past|ghost|replay|checked|asked|players|worth|page|line|age|clock|theme|lobby|status|match|account|help|tx|why|action|hint|input|game|unit|cell|code|feed|error|node";
const keysIn = (text) =>
  [...text.matchAll(new RegExp(`["'\`]((?:[a-z0-9-]+\\.)?(?:${KINDS})\\.[A-Za-z][\\w.-]*)["'\`]`, "g"))].map(
    (found) => found[1],
  );
/**
 * Return patterns for the keys that the templates in a source can produce, such as
 * `page.${name}-short`.
 */
const madeIn = (text) =>
  [...text.matchAll(/`([a-z][a-z-]*\.(?:[a-z-]+\.)*[a-z-]*)\$\{/g)].map(({ index }) => {
    let pattern = "";
    let depth = 0;
    for (let at = index + 1; depth > 0 || text[at] !== "`"; at++) {
      if (text[at] === "{") depth++;
      else if (text[at] === "}") depth--;
      else if (depth === 0) pattern += text[at].replace(".", "\\.").replace("$", "[\\w.-]*");
    }
    return new RegExp(`^${pattern}$`);
  });

test("every key that the page uses exists", () => {
  const named = keysIn(code);
  assert.ok(named.length > 100, `${named.length} keys found`);
  assert.deepEqual(
    [...new Set(named)].filter((key) => !Object.hasOwn(table, key)),
    [],
  );
  assert.deepEqual(
    [...new Set(keysIn(page))].filter((key) => !Object.hasOwn(shared, key)),
    [],
    "the page uses no text that belongs to one game",
  );
});

test("a game uses its own texts and shared ones", () => {
  for (const slug of slugs) {
    const named = keysIn(codeOfGame(slug));
    assert.ok(
      named.some((key) => key.startsWith(`${slug}.`)),
      slug,
    );
    assert.deepEqual(
      named.filter((key) => !key.startsWith(`${slug}.`) && !Object.hasOwn(shared, key)),
      [],
      slug,
    );
  }
});

test("every composed key can match an existing key", () => {
  const made = madeIn(code);
  assert.ok(made.length > 5);
  const keys = Object.keys(table);
  const ofAnyGame = keys.flatMap((key) => slugs.map((slug) => key.replace(`${slug}.`, "")));
  const all = [...new Set([...keys, ...ofAnyGame])];
  assert.deepEqual(
    made.filter((pattern) => !all.some((key) => pattern.test(key))),
    [],
  );
});

test("no shared text is unused", () => {
  const made = madeIn(code);
  const quoted = new Set([...code.matchAll(/"([\w.-]+)(?=")/g)].map((found) => found[1]));
  const unused = Object.keys(shared).filter((key) => !quoted.has(key) && !made.some((pattern) => pattern.test(key)));
  assert.deepEqual(unused, []);
});

test("no text of a game is unused: the game or the page uses it", () => {
  for (const [slug, words] of Object.entries(games)) {
    const own = codeOfGame(slug);
    const asked = (key) => page.includes(`"${key}"`) || madeIn(page).some((pattern) => pattern.test(key));
    const made = madeIn(own);
    const feed = `${slug}.feed.`; // games/shared/feed.js adds this prefix to the keys of texts
    const begun = [...own.matchAll(/`([\w-]+)\$\{/g)].map(([, start]) => start);
    const isNamed = (rest) => own.includes(`"${rest}"`) || begun.some((start) => rest.startsWith(start));
    const named = (key) =>
      own.includes(`"${key}"`) ||
      made.some((pattern) => pattern.test(key)) ||
      (key.startsWith(feed) && isNamed(key.slice(feed.length)));
    const keys = Object.keys(words.en);
    assert.ok(keys.length > 0, slug);
    assert.deepEqual(
      keys.filter((key) => !named(key) && !asked(key.slice(slug.length + 1))),
      [],
      slug,
    );
  }
});

test("every error of a contract has its text, and a game has no texts for other errors", () => {
  for (const [slug, words] of Object.entries(games)) {
    const contract = slug.replace(/(^|-)([a-z])/g, (_, dash, letter) => letter.toUpperCase());
    const { abi } = JSON.parse(readFileSync(`${ARTIFACTS}${contract}.json`, "utf8"));
    const ours = abi.filter(({ type }) => type === "error").map(({ name }) => name);
    assert.ok(ours.length >= 10);
    assert.deepEqual(
      ours.filter(
        (name) => !Object.hasOwn(words.en, `${slug}.error.${name}`) && !Object.hasOwn(shared, `error.${name}`),
      ),
      [],
    );
    const named = Object.keys(words.en)
      .filter((key) => key.startsWith(`${slug}.error.`))
      .map((key) => key.split(".").at(-1));
    assert.deepEqual(
      named.filter((name) => !ours.includes(name)),
      [],
    );
  }
});

test("every shared error, and every error of the session registry, has its text", () => {
  const declared = ["IMatch", "ITurnBased", "IDuel", "ISessions"].flatMap((name) =>
    [...readFileSync(`${CONTRACTS}${name}.sol`, "utf8").matchAll(/^ {4}error (\w+)\(/gm)].map((found) => found[1]),
  );
  assert.ok(declared.length >= 16);
  assert.deepEqual(
    declared.filter((name) => !Object.hasOwn(shared, `error.${name}`)),
    [],
  );
});

test("all languages have the same keys", () => {
  for (const [name, other] of Object.entries(languages))
    assert.deepEqual(Object.keys(other).sort(), Object.keys(table).sort(), name);
  for (const [slug, words] of Object.entries(games)) {
    assert.deepEqual(Object.keys(words).sort(), Object.keys(languages).sort(), slug);
    for (const [name, other] of Object.entries(words))
      assert.deepEqual(Object.keys(other).sort(), Object.keys(words.en).sort(), `${slug} ${name}`);
  }
});

/**
 * Return the names of a message's arguments, including arguments in the message's plural and select
 * options.
 */
const argumentsOf = (parts) =>
  parts.flatMap(({ type, value, options = {} }) => [
    ...(type === TYPE.literal || type === TYPE.pound ? [] : [value]),
    ...Object.values(options).flatMap((option) => argumentsOf(option.value)),
  ]);
const partsOf = (text, name) => new IntlMessageFormat(text, name, undefined, { ignoreTag: true }).getAst();

test("every message can be formatted, with the same arguments in all languages", () => {
  for (const [name, messages] of Object.entries(languages))
    for (const [key, text] of Object.entries(messages)) {
      const found = new Set(argumentsOf(partsOf(text, name)));
      assert.deepEqual(
        [...found].sort(),
        [...new Set(argumentsOf(partsOf(table[key], "en")))].sort(),
        `${name} ${key}`,
      );
      assert.doesNotMatch(text, /'/, `${name} ${key}: write ’, because a straight apostrophe quotes`);
      const filled = t(key, Object.fromEntries([...found].map((argument) => [argument, 2])));
      assert.doesNotMatch(filled, /[{}]|NaN|undefined/, `${name} ${key}`);
    }
});

test("the keys of a game's texts begin with its slug", () => {
  assert.throws(
    () => addGameTexts("sea", { en: { "sea.a": "", "error.StaleMove": "stolen" } }),
    /sea can't define the texts error\.StaleMove/,
  );
  assert.throws(() => addGameTexts("sea", { en: { "sea-two.error.Late": "stolen" } }), /sea-two\.error\.Late/);
  assert.deepEqual(languages.en, table);
});

test("two games with the same names do not collide, and a text that a game lacks falls back to the shared text", (context) => {
  restoreTextsAfter(context);
  const names = ["action.go", "hint.go", "input.size", "error.Late", "feed.MatchStarted", "why.address"];
  for (const slug of ["sea", "hill"])
    addGameTexts(slug, { en: Object.fromEntries(names.map((name) => [`${slug}.${name}`, `${slug} says ${name}`])) });
  const abi = Abi.from(["error Late(uint8 by)", "error NoSuchMatch(uint48 matchId)"]);
  const refused = (slug, name) =>
    translate(explain({ data: new Interface(abi).encodeErrorResult(name, [1]) }, abi, slug).sentence);
  const started = (slug) => matchSentences(slug, { name: "MatchStarted", args: {} })[0].text;
  const go = {
    name: "go",
    inputs: [{ name: "size", label: "Size?", kind: "int", minimum: 1, maximum: 9, default: 5 }],
  };
  const to = { name: "go", inputs: [{ name: "to", label: "To?", kind: "address" }] };
  const asking = {
    server: { connection: "live", renderers: new Map(), games: new Map() },
    accounts: { me: "", balances: new Map([["", 1n]]), filling: new Map(), find: () => undefined },
    ui: { typed: {} },
    live: { renderContext: () => ({ board: {} }) },
    transactions: { journal: {}, list: [], startedAt: 0 },
  };
  const typed = { ui: { typed: { "sea.size": "77", "hill.size": "3" } } };
  const seen = (slug) => [
    actionName({ game: slug, action: "go" }),
    refused(slug, "Late"),
    refused(slug, "NoSuchMatch"),
    started(slug),
    translate(new Actions(asking).why("", to, {}, "", slug)),
    inputsOf(typed, slug, go).size,
  ];
  const all = "There is no game 1.";
  assert.deepEqual(seen("sea"), [
    "sea says action.go",
    "sea says error.Late",
    all,
    "sea says feed.MatchStarted",
    "sea says why.address",
    "77",
  ]);
  assert.deepEqual(seen("hill"), [
    "hill says action.go",
    "hill says error.Late",
    all,
    "hill says feed.MatchStarted",
    "hill says why.address",
    "3",
  ]);
  assert.deepEqual(seen("other"), [
    "go",
    "The contract rejected this.",
    all,
    "The game begins",
    "To?: enter an address.",
    5,
  ]);
  assert.equal(translate(whyInputs(typed, "sea", go)), "sea says input.size: enter a number from 1 to 9.");
  assert.equal(whyInputs(typed, "hill", go), null);
});

test("a text is filled in with values, uses the right plural, and leaves markup as text", () => {
  assert.equal(t("touche-coule.why.move-again", { n: 1 }), "Your ships can move again in 1 turn.");
  assert.equal(t("touche-coule.why.move-again", { n: 2 }), "Your ships can move again in 2 turns.");
  assert.equal(t("feed.PlayerJoined", { player: "<b>$&</b>" }), "<b>$&</b> joined");
  assert.equal(t("no.such.key"), "no.such.key");
});

test("addresses and ages have a readable form", () => {
  assert.equal(shortHex("0x70997970C51812dc3A010C7d01b50e0d17dc79C8"), "0x70…C8");
  assert.equal(longHex("0x70997970C51812dc3A010C7d01b50e0d17dc79C8"), "0x7099…79C8");
  assert.deepEqual([0, 59, 60, 3599, 7200, 200_000].map(age), ["0 sec", "59 sec", "1 min", "59 min", "2 hr", "2 days"]);
});
