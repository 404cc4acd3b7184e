// Imports between the page's folders go one way, for what runs and for types, and never in a circle: LAYERS of eslint.config.js.
import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { posix } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { Linter } from "eslint";

/** The checkout's top, wherever in it this test lies. */
function topOf(folder) {
  return existsSync(new URL("eslint.config.js", folder)) ? folder : topOf(new URL("..", folder));
}

const TOP = topOf(new URL(".", import.meta.url));
const { LAYERS, OUTSIDE, TYPES_FROM_ABOVE, default: config } = await import(new URL("eslint.config.js", TOP));
const ROOT = fileURLToPath(new URL("frontend-static/", TOP));
const modules = readdirSync(ROOT, { recursive: true }).filter((name) => name.endsWith(".js"));
const texts = new Map(modules.map((name) => [name, readFileSync(ROOT + name, "utf8")]));

const COMMENTS = /\/\*[\s\S]*?\*\//g;
const RUNS = /\b(?:from|import)\s*\(?\s*["'`](\.[^"'`]+)["'`]/g;
const TYPES = /@import\s+[^"]*from\s+"(\.[^"]+)"|\bimport\("(\.[^"]+)"\)/g;

/** What a module imports, by addresses from the page's folder: `runs`, and `types` in its comments. */
function importsOf(name, text) {
  const found = (pattern, where) =>
    [...where.matchAll(pattern)].map(([, one, other]) => posix.join(posix.dirname(name), one ?? other));
  return {
    runs: found(RUNS, text.replaceAll(COMMENTS, "")),
    types: found(TYPES, (text.match(COMMENTS) ?? []).join("\n")),
  };
}

/** The innermost folder of the table, and on which line it stands. */
function layerOf(name) {
  const all = LAYERS.flatMap((folders, level) => folders.map((folder) => ({ folder, level })));
  const own = all.filter(({ folder }) => name === folder || name.startsWith(`${folder}/`));
  return own.sort((a, b) => b.folder.length - a.folder.length)[0];
}

function isAllowed(name, target) {
  const [from, to] = [layerOf(name), layerOf(target)];
  return from.folder === to.folder || to.level < from.level;
}

/** Whether it may run it, too: views draw, and what they draw with asks nobody. */
const mayRun = (name, target) =>
  isAllowed(name, target) && !(name.startsWith("views/") && new RegExp(OUTSIDE).test(target));

/** Each import from a folder that is not below, as `a.js -> b.js`. */
function upward(all) {
  return [...all].flatMap(([name, text]) => {
    const { runs, types } = importsOf(name, text);
    const named = types.filter((target) => !TYPES_FROM_ABOVE[name]?.includes(target));
    return [...runs, ...named].filter((target) => !isAllowed(name, target)).map((target) => `${name} -> ${target}`);
  });
}

/** The first circle of modules that run each other; null: there is none. */
function circle(all) {
  const done = new Set();
  const visit = (name, way) => {
    if (way.includes(name)) return [...way.slice(way.indexOf(name)), name];
    if (done.has(name) || !all.has(name)) return null;
    for (const target of importsOf(name, all.get(name)).runs) {
      const found = visit(target, [...way, name]);
      if (found) return found;
    }
    done.add(name);
    return null;
  };
  for (const name of all.keys()) {
    const found = visit(name, []);
    if (found) return found.join(" -> ");
  }
  return null;
}

test("each module has a layer, and what it imports is there", () => {
  assert.ok(texts.size > 100);
  assert.deepEqual(
    modules.filter((name) => !layerOf(name)),
    [],
  );
  assert.deepEqual(
    LAYERS.flat().filter((folder) => !existsSync(ROOT + folder)),
    [],
  );
  const all = modules.flatMap((name) => Object.values(importsOf(name, texts.get(name))).flat());
  assert.ok(all.length > 500, `${all.length} imports found`);
  assert.deepEqual(
    all.filter((target) => !target.includes("${") && !existsSync(ROOT + target)),
    [],
  );
});

test("no folder imports from one that is not below it, not even a type", () => {
  assert.deepEqual(upward(texts), []);
});

/** Which modules are handed the whole of the page, and not the parts that they name. */
const ofWholeApp = (all) =>
  [...all].flatMap(([name, text]) => (/[{|]App[}|]/.test((text.match(COMMENTS) ?? []).join("\n")) ? [name] : []));

test("the whole App goes to nobody but who puts its parts together; all others name the parts that they use", () => {
  assert.deepEqual(ofWholeApp(texts).sort(), ["app/match/live.js", "app/reset.js", "app/update.js", "page.js"]);
  assert.deepEqual(
    [...texts].flatMap(([name, text]) =>
      /\.\.\.app\b(?![.?])|Object\.(create|assign)\(app[,)]/.test(text) ? [name] : [],
    ),
    [],
  );
  const planted = [
    ["views/a.js", "/** @param {App} app */"],
    ["views/b.js", "/** @type {App|null} */"],
    ["views/c.js", '/** @typedef {Pick<App, "ui">} Needs */ /** @param {Needs} app */'],
  ];
  assert.deepEqual(ofWholeApp(new Map(planted)), ["views/a.js", "views/b.js"]);
});

test("no modules import each other in a circle", () => {
  assert.equal(circle(texts), null);
});

test("each exception is needed", () => {
  for (const [name, targets] of Object.entries(TYPES_FROM_ABOVE)) {
    const { types } = importsOf(name, texts.get(name));
    assert.deepEqual(
      targets.filter((target) => !types.includes(target) || isAllowed(name, target)),
      [],
      name,
    );
  }
});

test("an import that is planted is found: one that runs, one that is late, a type, a circle", () => {
  const planted = [
    ["lib/dom.js", 'import { t } from "../i18n/translate.js";', "i18n/translate.js"],
    ["views/match/feed.js", 'export * from "../account/drawer.js";', "views/account/drawer.js"],
    ["app/app.js", "await import(`../views/${name}.js`);", "views/${name}.js"],
    ["chain/tx/fees.js", '/** @import { App } from "../../app/app.js" */', "app/app.js"],
    ["history/match-context.js", '/** @type {import("../main.js")} */', "main.js"],
  ];
  for (const [name, line, target] of planted)
    assert.deepEqual(upward(new Map([[name, line]])), [`${name} -> ${target}`]);
  assert.deepEqual(
    upward(new Map([["app/app.js", 'import "../lib/dom.js"; /** @import { Past } from "../history/playback.js" */']])),
    [],
  );
  const around = new Map([
    ["lib/a.js", 'import "./b.js";'],
    ["lib/b.js", 'import "./c.js";'],
    ["lib/c.js", 'import "./b.js";'],
  ]);
  assert.equal(circle(around), "lib/b.js -> lib/c.js -> lib/b.js");
});

test("ESLint refuses what the table refuses, and nothing else", () => {
  const linter = new Linter({ cwd: fileURLToPath(TOP) });
  const sample = (folder) => (folder.endsWith(".js") ? folder : `${folder}/sample.js`);
  const targets = LAYERS.flat().map(sample);
  const folders = LAYERS.flat().filter((folder) => folder !== "types.js");
  for (const name of [...folders.map(sample), "games/one/inner/sample.js"]) {
    const addresses = targets.map((target) => posix.relative(posix.dirname(name), target));
    const code = addresses
      .map((address) => `import "${address.startsWith(".") ? address : `./${address}`}";\n`)
      .join("");
    const said = linter.verify(code, config, { filename: fileURLToPath(new URL(`frontend-static/${name}`, TOP)) });
    assert.deepEqual(
      said.filter(({ ruleId }) => ruleId !== "no-restricted-imports"),
      [],
    );
    assert.deepEqual(
      said.map(({ line }) => targets[line - 1]),
      targets.filter((target) => !mayRun(name, target)),
      name,
    );
  }
});
