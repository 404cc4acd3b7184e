// Tests the choice of the page's language, and the times and numbers that Intl formats in this
// language.
import assert from "node:assert/strict";
import { after, beforeEach, test } from "node:test";

import { PSEUDO, language, locale, preferredLanguage, useLanguage } from "../../../../frontend-static/i18n/language.js";
import { age, ago, dateTime, daysAndHours, decimal, duration } from "../../../../frontend-static/i18n/quantities.js";
import { t } from "../../../../frontend-static/i18n/translate.js";
import { addGameTexts } from "../../../../frontend-static/i18n/tables.js";
import "../../node/texts.mjs";
import { restoreTextsAfter } from "./restore-texts.mjs";

beforeEach(() => useLanguage("en"));
after(() => useLanguage("en"));

test("the player's choice comes before the browser's languages, and the default is English", () => {
  assert.equal(preferredLanguage("zh", ["fr-CA", "en"]), "zh");
  assert.equal(preferredLanguage(null, ["de", "fr-CA", "en"]), "fr");
  assert.equal(preferredLanguage("tlh", ["ZH-Hant-TW"]), "zh");
  assert.equal(preferredLanguage(null, ["de", "pseudo"]), "en");
  assert.equal(preferredLanguage("__proto__", []), "en");
});

test("an unknown language changes nothing", () => {
  useLanguage("fr");
  useLanguage("constructor");
  assert.equal(language, "fr");
});

test("plurals follow the language: zero is singular in French, and Chinese has no plural", () => {
  const of = (name) => {
    useLanguage(name);
    return [0, 1, 2].map((n) => t("lobby.your-turns", { n }));
  };
  assert.match(of("en")[0], /0 games/);
  assert.match(of("fr")[0], /0 partie\./);
  assert.match(of("fr")[2], /2 parties\./);
  assert.match(of("zh")[2], /有2局/);
});

test("times and numbers are written as in the language", () => {
  useLanguage("fr");
  assert.deepEqual([age(7200), duration(5400), daysAndHours(2, 5)].map(plain), ["2 h", "1 heure 30 minutes", "2j 5h"]);
  assert.equal(plain(decimal("1234567.5")), "1 234 567,5");
  assert.match(plain(ago(120)), /il y a 2 min/);
  useLanguage("zh");
  assert.deepEqual([age(7200), duration(5400), ago(120)], ["2小时", "1小时30分钟", "2分钟前"]);
  assert.match(dateTime(1_700_000_000), /2023年11月/);
  useLanguage("en");
  assert.deepEqual(
    [decimal("0.5000"), decimal("9999.5"), decimal("12345"), decimal("…")],
    ["0.5000", "9999.5", "12,345", "…"],
  );
  assert.equal(
    decimal("123456789012345678.000000000000000001").replaceAll(",", ""),
    "123456789012345678.000000000000000001",
  );
});

/** Replace the non-breaking spaces that Intl uses with normal spaces. */
const plain = (text) => text.replaceAll(/\s/g, " ");

test("a game without a table in the language uses English", (context) => {
  restoreTextsAfter(context);
  addGameTexts("lake", { en: { "lake.game.lead": "A lake" } });
  useLanguage("fr");
  assert.equal(t("lake.game.lead"), "A lake");
  assert.equal(t("lobby.play"), "Jouer");
});

test("the pseudo-language is English in strange letters, 40 % longer", () => {
  useLanguage(PSEUDO);
  assert.equal(locale(), "en");
  assert.equal(t("lobby.play"), "Þļåýåý");
  assert.ok(t("lobby.lead").length >= 1.4 * 42);
  assert.match(t("page.no-such-match", { match: "nim/1" }), /^Ţĥéřé îš ñö ĝåɱé nim\/1\./);
  assert.match(t("lobby.moves-n", { n: 1 }), /^1 ɱöṽé/);
  assert.doesNotMatch(t("lobby.your-turns", { n: 2 }), /[A-Za-z]/);
});
