// Tests the names that the page derives from addresses: the tables of words, flags, equal names,
// and names that the player chooses for other players.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { after, test } from "node:test";

import { hashOf, wordsOf } from "../../../../frontend-static/names/hash.js";
import words from "../../../../frontend-static/names/words.json" with { type: "json" };
import "../../node/texts.mjs";
import { HEIGHT, PARTNERS, SHAPES, WIDTH, flagOf, flagTrees } from "../../../../frontend-static/names/flag.js";
import { NamesInView, distinguishingDigits } from "../../../../frontend-static/names/in-view.js";
import { STORAGE, petnames, normalPetname, whyNoPetname } from "../../../../frontend-static/names/petnames.js";
import * as names from "../../../../frontend-static/names/names.js";
import { computers, levelKey, levelsOf, setComputers } from "../../../../frontend-static/names/computers.js";
import { longHex, translate } from "../../../../frontend-static/i18n/translate.js";
import { useLanguage } from "../../../../frontend-static/i18n/language.js";
import * as labels from "../../../../frontend-static/views/parts/labels.js";
import { storageOf, useGlobals } from "../../node/globals.mjs";

const kept = new Map();
let full = false;
const storage = storageOf(kept);
const setItem = (key, text) => {
  if (full) throw new Error("full");
  storage.setItem(key, text);
};
useGlobals({ localStorage: { ...storage, setItem } });

const { storePetname, nameOf, petnameOf } = names;

const PAGE = new URL("../../../../frontend-static/", import.meta.url);
const ANN = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const BOB = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC";
/** Two addresses that have the same name, `Jovial Eider`. */
const [LIKE, ALIKE] = ["0x0006677bc0ffee00000000000000000000000000", "0x00180bc9c0ffee00000000000000000000000000"];
const address = (n) => `0x${n.toString(16).padStart(40, "0")}`;
const text = (tree) => (typeof tree === "string" ? tree : tree.children.map(text).join(""));
const find = (tree, tag) =>
  typeof tree === "string"
    ? undefined
    : tree.tag === tag
      ? tree
      : tree.children.map((one) => find(one, tag)).find(Boolean);
const forget = () => {
  kept.clear();
  full = false;
  names.reloadPetnames();
  setComputers(new Map());
  names.forgetNames();
};
after(forget);

test("there are 256 different adjectives and 256 different animals, which are capitalised and contain only letters", () => {
  for (const list of [words.adjectives, words.animals]) {
    assert.equal(list.length, 256);
    assert.equal(new Set(list).size, 256);
    assert.ok(list.every((word) => /^[A-Z][a-z]+$/.test(word)));
  }
  const longest = (list) => Math.max(...list.map((word) => word.length));
  assert.ok(longest(words.adjectives) + 1 + longest(words.animals) <= 24);
});

test("an address has the same name in any letter case and in each language", () => {
  assert.equal(wordsOf(ANN), "Able Dotterel");
  for (const other of [ANN.toLowerCase(), `0x${ANN.slice(2).toUpperCase()}`])
    assert.equal(wordsOf(other), wordsOf(ANN));
  for (const language of ["fr", "zh", "en"]) {
    useLanguage(language);
    assert.equal(nameOf(ANN), "Able Dotterel", language);
  }
});

test("a text that isn't an address is shown unchanged", () => {
  for (const other of ["0x", "", "0x12"]) assert.doesNotThrow(() => nameOf(other));
  assert.equal(nameOf("0x"), "0x…0x");
});

/** Return the WCAG contrast of two `#rrggbb` colours. */
function contrast(...colours) {
  const light = colours.map((colour) => {
    const parts = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16) / 255);
    const [red, green, blue] = parts.map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05;
  });
  return Math.max(...light) / Math.min(...light);
}

test("a flag's two colours have a contrast of at least 2.9, and each is a token in the style sheet", () => {
  const sheet = readFileSync(new URL("style.css", PAGE), "utf8");
  const colours = PARTNERS.map((_, i) => new RegExp(`--flag-${i}: (#[0-9a-f]{6});`).exec(sheet)?.[1]);
  for (const [ground, partners] of PARTNERS.entries()) {
    const fitting = colours.flatMap((colour, i) => (contrast(colours[ground], colour) >= 2.9 ? [i] : []));
    assert.deepEqual(partners, fitting);
    assert.ok(partners.length > 0 && !partners.includes(ground));
  }
});

test("all sixteen shapes and all pairs of colours occur, and each shape draws something within its cloth", () => {
  assert.equal(Object.keys(SHAPES).length, 16);
  const flags = Array.from({ length: 6000 }, (_, n) => flagOf(address(n)));
  assert.equal(new Set(flags.map(({ shape }) => shape)).size, 16);
  const pairs = PARTNERS.flatMap((partners, ground) => partners.map((charge) => `${ground} ${charge}`));
  assert.deepEqual(new Set(flags.map(({ ground, charge }) => `${ground} ${charge}`)), new Set(pairs));
  for (const shape of Object.keys(SHAPES)) {
    const trees = flagTrees({ shape, ground: 0, charge: 8 });
    assert.deepEqual(
      trees.map(({ props }) => props.fill),
      ["var(--flag-0)", "var(--flag-8)", "none"],
    );
    for (const { props } of trees)
      for (const [, x, y] of props.d.matchAll(/[ML](\d+(?:\.\d+)?) (\d+(?:\.\d+)?)/g))
        assert.ok(x <= WIDTH && y <= HEIGHT, shape);
  }
});

test("two equal names get the first digit in which their addresses differ, and three get as many as they need", () => {
  const far = (digits) => `0x${digits.padEnd(40, "0")}`;
  assert.deepEqual([...distinguishingDigits([far("a1"), far("a2")]).values()], ["1", "2"]);
  assert.deepEqual([...distinguishingDigits([far("ab1"), far("ab2"), far("ac1")]).values()], ["B1", "B2", "C1"]);
  assert.deepEqual([...distinguishingDigits([far("1"), far("2"), far("3")]).values()], ["1", "2", "3"]);
  assert.deepEqual([...distinguishingDigits([far("a")]).values()], [""]);
});

test("equal names are distinguished from the first drawing of both until the page shows a different view", () => {
  forget();
  assert.equal(wordsOf(LIKE), wordsOf(ALIKE));
  assert.equal(nameOf(LIKE), wordsOf(LIKE), "a name that occurs once needs no digit");
  let drawings = 0;
  const drawn = names.drawUntilStable(() => {
    drawings++;
    return [LIKE, ANN, ALIKE].map(nameOf);
  });
  assert.equal(drawings, 2);
  const at = [...LIKE.toLowerCase()].findIndex((digit, i) => digit !== ALIKE[i].toLowerCase());
  const [mine, other] = [LIKE, ALIKE].map((one) => one[at].toUpperCase());
  assert.deepEqual(drawn, [`${wordsOf(LIKE)} ${mine}`, wordsOf(ANN), `${wordsOf(ALIKE)} ${other}`]);
  assert.deepEqual(
    names.drawUntilStable(() => [LIKE, ANN, ALIKE].map(nameOf)),
    drawn,
    "a second drawing shows the same names",
  );
  const before = names.namesRevision();
  names.forgetNames();
  assert.notEqual(names.namesRevision(), before, "caches of sentences are no longer valid");
  assert.equal(nameOf(ALIKE), wordsOf(ALIKE));
});

test("the player's own name comes before the two words", () => {
  forget();
  assert.equal(storePetname(BOB, "  Silicon   Bob "), null);
  assert.deepEqual([nameOf(BOB), petnameOf(BOB.toLowerCase())], ["Silicon Bob", "Silicon Bob"]);
  assert.deepEqual(JSON.parse(kept.get(STORAGE)), { [BOB.toLowerCase()]: "Silicon Bob" });
  assert.equal(storePetname(BOB, " "), null);
  assert.equal(nameOf(BOB), wordsOf(BOB));
});

test("a petname that equals another name is distinguished from it, and the address keeps its flag", () => {
  forget();
  const flagIn = (one) => find(labels.playerName(one), "svg").props["data-flag"];
  const before = flagIn(BOB);
  for (const name of [wordsOf(ANN), wordsOf(ANN).toUpperCase()]) {
    assert.equal(storePetname(BOB, name), null);
    const drawn = names.drawUntilStable(() => [ANN, BOB].map((one) => text(labels.playerName(one))));
    assert.deepEqual(drawn, [`${wordsOf(ANN)} 7`, `${name} 3`]);
  }
  assert.equal(flagIn(BOB), before);
  assert.notEqual(flagIn(BOB), flagIn(ANN));
});

const REFUSED = {
  "10,000 letters": ["a".repeat(10_000), "why.petname-long"],
  "33 letters": ["é".repeat(33), "why.petname-long"],
  "marks that reverse the text": ["Ann\u202eboB", "why.petname-hidden"],
  "an isolate": ["\u2066Ann\u2069", "why.petname-hidden"],
  "a space without width": ["A\u200bnn", "why.petname-hidden"],
  "a joiner": ["A\u200dnn", "why.petname-hidden"],
  "a line break": ["A\nnn", "why.petname-hidden"],
  "a null character": ["A\0nn", "why.petname-hidden"],
  "an invisible letter": ["\u3164", "why.petname-hidden"],
  "half of a surrogate pair": ["A\ud800", "why.petname-hidden"],
  "a tower of accents": ["A\u0316\u0317\u0318\u0319", "why.petname-hidden"],
  "accents alone": ["\u0301", "why.petname-hidden"],
};
for (const [what, [name, key]] of Object.entries(REFUSED))
  test(`a name is rejected with a reason if it has ${what}`, () => {
    forget();
    assert.equal(whyNoPetname(name).key, key);
    assert.deepEqual(storePetname(ANN, name), whyNoPetname(name));
    assert.match(translate(whyNoPetname(name)), /^[A-Z].*\.$/);
    assert.equal(nameOf(ANN), wordsOf(ANN));
    assert.equal(kept.has(STORAGE), false);
  });

test("names in any script are accepted, with 32 characters after composition", () => {
  for (const name of ["Zoë", "小明", "Ünïcødé 7", "عمر", "<b>Ann</b>", "🦦", "e\u0301".repeat(32)]) {
    assert.equal(whyNoPetname(name), null, name);
    assert.ok([...normalPetname(name)].length <= 32);
  }
});

test("damaged storage causes no error, and its valid entries are kept", () => {
  for (const damaged of ["{", "null", "[1]", "7", '"x"', '{"__proto__": {"a": 1}}']) {
    forget();
    kept.set(STORAGE, damaged);
    names.reloadPetnames();
    assert.equal(petnames().size, 0, damaged);
    assert.equal(storePetname(ANN, "Ann"), null);
    assert.equal(nameOf(ANN), "Ann");
  }
  forget();
  kept.set(
    STORAGE,
    JSON.stringify({ [ANN]: "Ann", [BOB]: "a".repeat(99), nobody: "x", [address(1)]: 7, [address(2)]: " " }),
  );
  names.reloadPetnames();
  assert.deepEqual([...petnames()], [[ANN.toLowerCase(), "Ann"]]);
});

test("without storage, the page says so, keeps a name until the page is closed, and keeps other tabs' names", () => {
  forget();
  full = true;
  assert.equal(storePetname(ANN, "Ann").key, "why.petname-not-kept");
  assert.equal(nameOf(ANN), "Ann");
  forget();
  assert.equal(storePetname(ANN, "Ann"), null);
  kept.set(STORAGE, JSON.stringify({ ...JSON.parse(kept.get(STORAGE)), [BOB]: "Bob" }));
  assert.equal(storePetname(ANN, "Anne"), null);
  assert.deepEqual([ANN, BOB].map(nameOf), ["Anne", "Bob"]);
});

test("a label has a flag, words and the address, a link leads to the player's page, and a button shows if it is open", () => {
  forget();
  for (const tree of [
    labels.playerName(ANN),
    labels.playerLink(ANN),
    labels.playerButton(ANN, { id: "a", open: true }),
  ]) {
    assert.deepEqual([tree.props.title, tree.props["data-address"]], [ANN, ANN]);
    assert.equal(text(tree), wordsOf(ANN));
    assert.equal(find(tree, "svg").props["aria-hidden"], "true");
  }
  assert.equal(labels.playerLink(ANN).props.href, `#/player/${ANN}`);
  assert.equal(labels.playerButton(ANN, { id: "a", open: false }).props["aria-expanded"], "false");
});

test("no sentence and no view names an account by its digits, because short digits are for hashes", () => {
  const used = readdirSync(PAGE, { recursive: true }).filter(
    (name) => name.endsWith(".js") && /\bshortHex\b/.test(readFileSync(new URL(name, PAGE), "utf8")),
  );
  assert.equal(longHex(ANN), "0x7099…79C8");
});

test("a computer has two words like any account, a sign, and its level in the current language", () => {
  forget();
  setComputers(new Map([[BOB, "level.hard"]]));
  const drawn = ["en", "fr", "zh"].map((language) => {
    useLanguage(language);
    const tree = labels.playerName(BOB);
    return [text(tree), find({ ...tree, children: tree.children.slice(1) }, "svg").props["aria-label"]];
  });
  useLanguage("en");
  const name = wordsOf(BOB);
  assert.deepEqual(drawn, [
    [`${name}Hard`, "computer"],
    [`${name}Difficile`, "ordinateur"],
    [`${name}困难`, "电脑"],
  ]);
  assert.equal(text(labels.playerName(ANN)), wordsOf(ANN), "a person has no level");
  forget();
});

test("a game's weakest computer is easy, the strongest of several is hard, and the others are medium", () => {
  const named = (game, ...all) =>
    all.map((name, i) => ({ game, name, strength: i + 1, accounts: [{ address: `${game}-${name}` }] }));
  const keys = (list) => list.map(({ name }) => levelKey(list, name));
  assert.deepEqual(keys(named("a", "lookout")), ["level.easy"]);
  assert.deepEqual(keys(named("a", "careful", "perfect")), ["level.easy", "level.hard"]);
  const four = keys(named("a", "dumb", "heuristic", "club", "minmax"));
  assert.deepEqual(four, ["level.easy", "level.medium", "level.medium", "level.hard"]);
  const levels = levelsOf([...named("a", "one", "two"), ...named("b", "three")]);
  assert.deepEqual(Object.fromEntries(levels), {
    "a-one": "level.easy",
    "a-two": "level.hard",
    "b-three": "level.easy",
  });
  setComputers(levels);
  setComputers(new Map(levels));
  assert.equal(computers, levels, "equal levels keep the same map");
  forget();
});
