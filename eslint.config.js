import { posix } from "node:path";

import js from "@eslint/js";
import globals from "globals";

/**
 * The layers of the page's folders, one line per layer. The first line is the lowest layer. A
 * module may import from its own folder and from the folders in earlier lines, but not from other
 * folders in the same line. These rules apply to imports of code and of types. The only exception
 * is a type that types.js takes from lib/dom.js.
 */
export const LAYERS = [
  ["types.js"],
  ["lib"],
  ["i18n"],
  ["names"],
  ["layouts"],
  ["server", "games"],
  ["chain/wallet"],
  ["chain/tx"],
  ["chain/sessions"],
  ["chain/verify"],
  ["history"],
  ["app"],
  ["views/parts"],
  ["views/match", "views/account", "views/lobby"],
  ["views/players"],
  ["views"],
  ["page.js", "embed.js"],
  ["main.js"],
];

/**
 * Modules that contact the server or a chain, or that sign transactions. Views must draw without
 * side effects, so they may import only types from these modules.
 */
export const OUTSIDE = "(^|/)(server/|chain/(?!tx/(model|states)\\.js$))";

/**
 * Return a pattern that matches the import paths from modules in `folder` to modules in `other`.
 * The paths from subfolders of `folder` are the same, but start with more `../`.
 */
function addressIn(folder, other) {
  if (folder.endsWith(".js")) return `^./${other}$`; // an entry point of the page
  const way = posix.relative(folder, other);
  if (way === "..") return "^../[^/]+$"; // match only modules directly in the parent folder
  return `^(../)*${way}${other.endsWith(".js") ? "$" : "/"}`;
}

/**
 * Return the ESLint configuration that allows a folder to import only folders in lower layers.
 */
function layer(folder, level) {
  const others = LAYERS.slice(level)
    .flat()
    .filter((other) => other !== folder);
  if (!others.length) return []; // the top layer may import all folders
  const regex = others.map((other) => addressIn(folder, other).replaceAll(".", "\\.")).join("|");
  const message = `${folder}/ lies below that: see LAYERS in eslint.config.js.`;
  return {
    files: [`frontend-static/${folder}${folder.endsWith(".js") ? "" : folder === "views" ? "/*.js" : "/**/*.js"}`],
    rules: {
      "chainboard/no-late-or-type-from-above": ["error", { regex, message }],
      "no-restricted-imports": [
        "error",
        {
          patterns: [
            { regex, message },
            ...(folder.startsWith("views")
              ? [{ regex: OUTSIDE, message: "Drawing has no effects: see app/update.js." }]
              : []),
          ],
        },
      ],
    },
  };
}

/**
 * The attributes and properties that contain texts for people, and the syntax nodes that only join
 * texts.
 */
const READ = /^(aria-(label|description|valuetext|roledescription)|title|alt|placeholder|textContent|innerText)$/;
const JOINS =
  /^(ArrayExpression|BinaryExpression|ConditionalExpression|LogicalExpression|SpreadElement|TemplateLiteral)$/;
const JOINED_BY = /^(\+|&&|\|\||\?\?)$/;

/** Return true if this text appears on the page, as a child or a label of an element. */
function reachesThePage(node) {
  let [inner, outer] = [node, node.parent];
  while (JOINS.test(outer.type) && outer.test !== inner && (outer.operator ?? "+").match(JOINED_BY))
    [inner, outer] = [outer, outer.parent];
  if (outer.type === "Property") return outer.value === inner && READ.test(outer.key.name ?? outer.key.value);
  if (outer.type === "AssignmentExpression") return outer.right === inner && READ.test(outer.left.property?.name);
  if (outer.type !== "CallExpression") return false;
  const at = outer.arguments.indexOf(inner);
  const sets = outer.callee.property?.name === "setAttribute" && READ.test(outer.arguments[0].value);
  return (outer.callee.name === "h" && at > 1 && outer.arguments[0].value !== "code") || (sets && at === 1);
}

/**
 * Return true if a text begins like a sentence. Ignore the messages of errors, because only
 * programmers read them.
 */
const isSentence = (text, node) => /^\p{Lu}[\p{L}’']* \p{Ll}/u.test(text) && !/^(New|Throw)/.test(node.parent.type);

/**
 * An ESLint rule that reports texts outside the page's tables (frontend-static/i18n/messages) and
 * the games' tables.
 */
export const noTextOutside = {
  create(context) {
    const check = (node, text) => {
      const isRead = /\p{L}{2}/u.test(text) && !text.startsWith("https:") && reachesThePage(node);
      if (isRead || isSentence(text, node)) context.report({ node, message: "A text outside the tables: use t()." });
    };
    return {
      Literal: (node) => typeof node.value === "string" && check(node, node.value),
      TemplateLiteral: (node) => check(node, node.quasis.map(({ value }) => value.cooked).join("…")),
    };
  },
};

/**
 * An ESLint rule for the imports that `no-restricted-imports` ignores: types in comments, and
 * dynamic imports.
 */
const noLateOrTypeFromAbove = {
  meta: { schema: [{ type: "object" }] },
  create(context) {
    const [{ regex, message }] = context.options;
    const [found, restricted] = [/@import\s+[^"]*from\s+"([^"]+)"|\bimport\("([^"]+)"\)/g, new RegExp(regex)];
    return {
      Program() {
        for (const comment of context.sourceCode.getAllComments())
          for (const [, one, other] of comment.value.matchAll(found))
            if (restricted.test(one ?? other)) context.report({ node: comment, message });
      },
      ImportExpression(node) {
        const { value, quasis } = node.source; // an inserted value can be any module name
        const address = value ?? quasis?.map(({ value: { cooked } }) => cooked).join("*");
        if (restricted.test(address)) context.report({ node, message });
      },
    };
  },
};

export default [
  { ignores: ["node_modules/**", ".venv/**", "contracts/**"] },
  js.configs.recommended,
  {
    files: ["frontend-static/**/*.js"],
    languageOptions: { ecmaVersion: 2025, sourceType: "module", globals: globals.browser },
    plugins: {
      chainboard: { rules: { "no-text-outside": noTextOutside, "no-late-or-type-from-above": noLateOrTypeFromAbove } },
    },
    rules: {
      "chainboard/no-text-outside": "error",
      eqeqeq: "error",
      "no-var": "error",
      "prefer-const": "error",
      "no-implied-eval": "error",
      "no-restricted-properties": [
        "error",
        { property: "innerHTML", message: "Data are text nodes: use lib/dom.js." },
        { property: "outerHTML", message: "Data are text nodes: use lib/dom.js." },
        { property: "insertAdjacentHTML", message: "Data are text nodes: use lib/dom.js." },
      ],
    },
  },
  ...LAYERS.flatMap((folders, level) =>
    folders.filter((name) => name !== "types.js").flatMap((folder) => layer(folder, level)),
  ),
  {
    files: ["tests/**/*.mjs", "api/static/*.mjs", "eslint.config.js", "frontend-static/history/node-render.js"],
    languageOptions: { ecmaVersion: 2025, sourceType: "module", globals: globals.node },
  },
];
