// Tests each game's rules page: it has few words in each language, and three boards that the game's
// renderer draws.
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { onlookerContext } from "../../../../frontend-static/history/match-context.js";
import { t } from "../../../../frontend-static/i18n/translate.js";
import { gameTexts } from "../../node/texts.mjs";
import { routeOf } from "../../../../frontend-static/app/route.js";
import { rulesPage } from "../../../../frontend-static/views/rules/page.js";

const GAMES = fileURLToPath(new URL("../../../../frontend-static/games/", import.meta.url));
const MOST_WORDS = 120;
const MOST_CHARACTERS = 260;
const slugs = readdirSync(GAMES).filter((name) => name !== "shared");
const loaded = slugs.map(async (slug) => [slug, await import(`${GAMES}${slug}/renderer.js`)]);
const renderers = new Map(await Promise.all(loaded));

/** Return all words on a rules page, including its captions. */
const wordsOf = (slug, table, rules) =>
  [1, 2, 3].map((n) => table[`${slug}.rules.line-${n}`]).concat(rules.map(({ caption }) => table[caption]));

test("there are games", () => assert.ok(renderers.size >= 5));

for (const [slug, { rules, picture }] of renderers) {
  const texts = await gameTexts(slug);
  test(`the rules of ${slug} have three boards and at most ${MOST_WORDS} words`, () => {
    assert.equal(rules.length, 3);
    for (const language of ["en", "fr"]) {
      const count = wordsOf(slug, texts[language], rules).join(" ").split(/\s+/).length;
      assert.ok(count <= MOST_WORDS, `${language}: ${count}`);
    }
    const characters = [...wordsOf(slug, texts.zh, rules).join("")].length;
    assert.ok(characters <= MOST_CHARACTERS, `zh: ${characters}`);
  });

  test(`each example in the rules of ${slug} is drawn as a different picture`, () => {
    const drawn = rules.map(({ board }) =>
      picture(onlookerContext(`${slug}/1`, board, { block: 1, hash: "", time: 1 })),
    );
    assert.equal(new Set(drawn.map((one) => JSON.stringify(one))).size, 3);
  });
}

test("the address names a game, and the match and the event to which the player returns", () => {
  assert.deepEqual(routeOf("#/rules/nim"), { view: "rules", key: "rules-nim", game: "nim", origin: undefined });
  assert.deepEqual(routeOf("#/learn/nim/3"), { view: "learn", key: "learn-nim", game: "nim", origin: "nim/3" });
  assert.equal(routeOf("#/rules/nim/7").origin, "nim/7");
  assert.equal(routeOf("#/rules/nim/7@3").origin, "nim/7@3");
  assert.equal(routeOf("#/rules/NIM").view, "match");
});

test("the page shows a text for a game without rules, and for an unknown game", () => {
  const server = (games) => ({ games: new Map(games), renderers: new Map([["nim", {}]]), health: {} });
  const text = (tree) => (typeof tree === "string" ? tree : tree.children.map(text).join(" "));
  const [page] = rulesPage({ server: server([["nim", { title: "Nim" }]]) }, "nim");
  assert.match(text(page), new RegExp(t("rules.none", { game: "nim" })));
  const [loading] = rulesPage({ server: server([]) }, "nim");
  assert.match(text(loading), new RegExp(t("page.loading")));
});
