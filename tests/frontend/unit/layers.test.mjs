// Tests that modules of the page import code and types only from lower layers. Also tests that
// ESLint enforces LAYERS, and that modules don't import each other in a cycle.
import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { posix } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { Linter } from "eslint";

/** Return the top folder of the checkout that contains `folder`. */
function topOf(folder) {
  return existsSync(new URL("eslint.config.js", folder)) ? folder : topOf(new URL("..", folder));
}

const TOP = topOf(new URL(".", import.meta.url));
const { LAYERS, OUTSIDE, default: config } = await import(new URL("eslint.config.js", TOP));
const ROOT = fileURLToPath(new URL("frontend-static/", TOP));
const modules = readdirSync(ROOT, { recursive: true }).filter((name) => name.endsWith(".js"));
const texts = new Map(modules.map((name) => [name, readFileSync(ROOT + name, "utf8")]));

const COMMENTS = /\/\*[\s\S]*?\*\//g;
const RUNS = /\b(?:from|import)\s*\(?\s*["'`](\.[^"'`]+)["'`]/g;
const TYPES = /@import\s+[^"]*from\s+"(\.[^"]+)"|\bimport\("(\.[^"]+)"\)/g;

/**
 * Return the modules whose code a module imports, and the modules whose types it imports in
 * comments. Paths are relative to the page's folder.
 */
function importsOf(name, text) {
  const found = (pattern, where) =>
    [...where.matchAll(pattern)].map(([, one, other]) => posix.join(posix.dirname(name), one ?? other));
  return [...found(RUNS, text.replaceAll(COMMENTS, "")), ...found(TYPES, (text.match(COMMENTS) ?? []).join("\n"))];
}

/** Return the innermost folder in LAYERS that contains a module, and the folder's level. */
function layerOf(name) {
  const all = LAYERS.flatMap((folders, level) => folders.map((folder) => ({ folder, level })));
  const own = all.filter(({ folder }) => name === folder || name.startsWith(`${folder}/`));
  return own.sort((a, b) => b.folder.length - a.folder.length)[0];
}

function isAllowed(name, target) {
  const [from, to] = [layerOf(name), layerOf(target)];
  return from.folder === to.folder || to.level < from.level;
}

/**
 * Return true if a module may import the target's code, not only its types. Views may not import
 * code that sends requests, because they only draw.
 */
const mayRun = (name, target) =>
  isAllowed(name, target) && !(name.startsWith("views/") && new RegExp(OUTSIDE).test(target));

/** Return a cycle of modules that import each other, or null if there is none. */
function circle(all) {
  const done = new Set();
  const visit = (name, way) => {
    if (way.includes(name)) return [...way.slice(way.indexOf(name)), name];
    if (done.has(name) || !all.has(name)) return null;
    for (const target of importsOf(name, all.get(name))) {
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

test("each module has a layer, and its imports exist", () => {
  assert.ok(texts.size > 100);
  assert.deepEqual(
    modules.filter((name) => !layerOf(name)),
    [],
  );
  assert.deepEqual(
    LAYERS.flat().filter((folder) => !existsSync(ROOT + folder)),
    [],
  );
  const all = modules.flatMap((name) => importsOf(name, texts.get(name)));
  assert.ok(all.length > 500, `${all.length} imports found`);
  assert.deepEqual(
    all.filter((target) => !target.includes("${") && !existsSync(ROOT + target)),
    [],
  );
});

/**
 * Return the modules whose functions take the whole page as an argument instead of naming the parts
 * that they use.
 */
const ofWholeApp = (all) =>
  [...all].flatMap(([name, text]) => (/[{|]App[}|]/.test((text.match(COMMENTS) ?? []).join("\n")) ? [name] : []));

test("only the modules that assemble App receive all of it, and other modules name the parts that they use", () => {
  assert.deepEqual(ofWholeApp(texts).sort(), ["app/update.js", "page.js"]);
  assert.deepEqual(
    [...texts].flatMap(([name, text]) => (importsOf(name, text).includes("app/app.js") ? [name] : [])).sort(),
    ["app/update.js", "page.js"],
  );
  assert.deepEqual(
    [...texts].flatMap(([name, text]) =>
      /\.\.\.app\b(?![.?])|Object\.(create|assign)\(app[,)]/.test(text) ? [name] : [],
    ),
    [],
  );
  const planted = [
    ["views/a.js", "/** @param {App} app */"],
    ["views/b.js", "/** @type {App|null} */"],
    ["views/c.js", '/** @typedef {Pick<App, "ui">} Uses */ /** @param {Uses} app */'],
  ];
  assert.deepEqual(ofWholeApp(new Map(planted)), ["views/a.js", "views/b.js"]);
});

test("no modules import each other in a cycle", () => {
  assert.equal(circle(texts), null);
});

test("the test finds a planted cycle of code, of types or of dynamic imports", () => {
  const around = (...lines) => new Map(lines.map((line, i) => [`lib/${"abc"[i]}.js`, line]));
  const types = around('import "./b.js";', '/** @import { C } from "./c.js" */', 'await import("./b.js");');
  assert.equal(circle(types), "lib/b.js -> lib/c.js -> lib/b.js");
  assert.equal(circle(around('import "./b.js";', '/** @type {import("./c.js").C} */', "")), null);
});

const OURS = "chainboard/no-late-or-type-from-above";

test("ESLint rejects exactly what the table forbids, for code and types", () => {
  const linter = new Linter({ cwd: fileURLToPath(TOP) });
  const sample = (folder) => (folder.endsWith(".js") ? folder : `${folder}/sample.js`);
  const targets = LAYERS.flat().map(sample);
  const folders = LAYERS.flat().filter((folder) => folder !== "types.js");
  const ways = [
    ["no-restricted-imports", (address) => `import "${address}";`, mayRun],
    [OURS, (address) => `/** @import { One } from "${address}" */`, isAllowed],
    [OURS, (address) => `/** @type {import("${address}").One} */`, isAllowed],
    [OURS, (address) => `await import("${address}");`, isAllowed],
    [OURS, (address) => `await import(\`${address.replace("sample.js", "${name}.js")}\`);`, isAllowed],
  ];
  for (const name of [...folders.map(sample), "games/one/inner/sample.js"]) {
    const addresses = targets.map((target) => posix.relative(posix.dirname(name), target));
    for (const [rule, line, may] of ways) {
      const code = addresses.map((address) => line(address.startsWith(".") ? address : `./${address}`)).join("\n");
      const problems = linter.verify(code, config, {
        filename: fileURLToPath(new URL(`frontend-static/${name}`, TOP)),
      });
      assert.deepEqual(
        problems.filter(({ ruleId }) => ruleId !== rule),
        [],
      );
      assert.deepEqual(
        problems.map(({ line }) => targets[line - 1]),
        targets.filter((target) => !may(name, target)),
        name,
      );
    }
  }
});
