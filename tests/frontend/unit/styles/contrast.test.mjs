// Tests that the colours in the light and dark colour schemes have enough contrast: at least 4.5:1
// for text, and 3:1 for marks and pieces (WCAG 2.2, 1.4.3 and 1.4.11).
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const PAGE = new URL("../../../../frontend-static/", import.meta.url);
const TEXT = 4.5;
const MARK = 3;
const GAMES = ["battleship", "conquest", "deblockle", "tic-tac-toe", "touche-coule"];

/** Return the custom properties that a style sheet sets for a selector. */
function tokens(file, selector) {
  const sheet = readFileSync(new URL(file, PAGE), "utf8");
  const found = {};
  for (let at = sheet.indexOf(`${selector} {`); at >= 0; at = sheet.indexOf(`${selector} {`, at + 1)) {
    const before = sheet[at - 1] ?? "\n";
    if (before !== "\n") continue;
    const block = sheet.slice(at, sheet.indexOf("}", at));
    for (const [, name, value] of block.matchAll(/(--[\w-]+):\s*([^;]+)/g)) found[name] = value.trim();
  }
  return found;
}

/** Split a text at the first comma that isn't inside brackets. */
function halves(text) {
  let depth = 0;
  const at = [...text].findIndex((sign) => {
    depth += sign === "(" ? 1 : sign === ")" ? -1 : 0;
    return sign === "," && depth === 0;
  });
  return [text.slice(0, at).trim(), text.slice(at + 1).trim()];
}

/** Return a CSS colour as `#rrggbb`. `all` contains the values of variables. */
function colour(value, all, scheme) {
  const text = value.trim();
  if (text.startsWith("var(")) {
    const name = text.slice(4, -1).split(",")[0].trim();
    assert.ok(all[name], `${name} is a token`);
    return colour(all[name], all, scheme);
  }
  if (text.startsWith("light-dark("))
    return colour(halves(text.slice(11, -1))[scheme === "light" ? 0 : 1], all, scheme);
  assert.match(text, /^#[0-9a-f]{6}$/);
  return text;
}

const channel = (hex) => {
  const part = parseInt(hex, 16) / 255;
  return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
};
const luminance = (hex) =>
  0.2126 * channel(hex.slice(1, 3)) + 0.7152 * channel(hex.slice(3, 5)) + 0.0722 * channel(hex.slice(5, 7));

export function contrast(one, other) {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

const ROOT = tokens("style.css", ":root");
const OWN = Object.fromEntries(GAMES.map((slug) => [slug, tokens(`games/${slug}/style.css`, `[data-game="${slug}"]`)]));

const each = (names, grounds, least) => names.flatMap((name) => grounds.map((ground) => [name, ground, least]));
const SHARED = [
  ...each(["--ink", "--quiet"], ["--page", "--card", "--raised"], TEXT),
  ...each(["--accent", "--good", "--warn", "--bad", "--signal"], ["--page", "--card"], TEXT),
  ["--accent-ink", "--accent", TEXT],
  ["--signal-ink", "--signal", TEXT],
  ["--ink", "--sea", TEXT],
  ["--ink", "--wood", TEXT],
  ...each(["--ship", "--signal", "--miss", "--accent"], ["--sea"], MARK),
  ["--hit-ring", "--signal", MARK],
  ["--hit-ring", "--ship", MARK],
  // Every piece in an owner's colour has an outline in this ink. Only the outline's contrast
  // matters.
  ...each(["--ink"], ["--sea", "--wood", "--page", "--card"], MARK),
];
/** The names of each game's colours. They need enough contrast with the game's background. */
const MARKS = {
  battleship: [
    "--mark-miss",
    "--mark-hit",
    "--mark-asked",
    "--mark-aim",
    "--mark-false",
    "--mark-unanswered",
    "--line-mine",
    "--line-outline",
  ],
  conquest: [
    "--region-selected",
    "--region-capture",
    "--region-reach",
    "--region-beatable",
    "--region-strong",
    "--line-attack",
    "--line-sure",
    "--line-last",
  ],
  deblockle: ["--mark-target", "--line-last", "--quiet"],
  "tic-tac-toe": ["--line-win", "--quiet"],
  "touche-coule": ["--mark-miss", "--mark-hit"],
};
/** The types of land in Conquest, each of which can have a coloured outline. */
const LANDS = ["meadow", "forest", "desert", "mountain", "coastal"];
/** The owners (0 to 7) whose colours can have numbers written on them. */
const WRITTEN = Array.from({ length: 8 }, (_, i) => i);

for (const scheme of ["light", "dark"]) {
  const measured = (all, one, other) =>
    contrast(colour(`var(${one})`, all, scheme), colour(`var(${other})`, all, scheme));
  test(`the page's colours stand out from their ground in the ${scheme} scheme`, () => {
    for (const [name, ground, least] of SHARED) {
      const found = measured(ROOT, name, ground);
      assert.ok(found >= least, `${name} on ${ground}: ${found.toFixed(2)}, not ${least}`);
    }
  });
  for (const slug of GAMES)
    test(`the marks of ${slug} stand out in the ${scheme} scheme`, () => {
      const all = { ...ROOT, ...OWN[slug] };
      for (const name of MARKS[slug]) {
        const found = measured(all, name, "--ground");
        assert.ok(found >= MARK, `${name} on ${slug}'s ground: ${found.toFixed(2)}`);
      }
    });
  test(`crosses and rings on wood, and numbers on an owner's colour, stand out in the ${scheme} scheme`, () => {
    for (const owner of ["owner-0", "owner-1"]) {
      const own = tokens("games/tic-tac-toe/style.css", `[data-game="tic-tac-toe"] .${owner}`);
      const found = measured({ ...ROOT, ...OWN["tic-tac-toe"], ...own }, "--owner", "--wood");
      assert.ok(found >= MARK, `${owner}: ${found.toFixed(2)}`);
    }
    for (const n of WRITTEN) {
      const found = measured({ ...ROOT, ...tokens("styles/board.css", `.owner-${n}`) }, "--on", "--owner");
      assert.ok(found >= TEXT, `the contrast of numbers on owner ${n} is ${found.toFixed(2)}`);
    }
  });
  test(`the outlines of Conquest's lands stand out from the lands in the ${scheme} scheme`, () => {
    const all = { ...ROOT, ...OWN.conquest };
    for (const land of LANDS)
      for (const mark of ["selected", "reach", "capture", "beatable"]) {
        const found = measured(all, `--region-${mark}`, `--region-${land}`);
        assert.ok(found >= MARK, `${mark} around ${land}: ${found.toFixed(2)}`);
      }
  });
}

test("the test finds a colour that is too weak", () => {
  const faded = { ...ROOT, "--quiet": "light-dark(#9aa4ae, #a4b1bd)" };
  const found = contrast(colour("var(--quiet)", faded, "light"), colour("var(--page)", faded, "light"));
  assert.ok(found < TEXT);
  assert.equal(contrast("#000000", "#ffffff"), 21);
});

test("every colour in a style sheet is a token that is measured here, or a decorative tint", () => {
  const rules = readFileSync(new URL("style.css", PAGE), "utf8").split(":lang(zh)")[1];
  assert.doesNotMatch(rules, /#[0-9a-f]{3,8}\b/);
});
