import { posix } from "node:path";

import js from "@eslint/js";
import globals from "globals";

/**
 * The folders of the page from the bottom up. A module imports from its own folder and from lines above its own; folders of one
 * line do not know each other. Here for what runs; layers.test.mjs holds it for types, too.
 */
export const LAYERS = [
  ["vendor"],
  ["types.js"],
  ["lib"],
  ["i18n"],
  ["notices"],
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
  ["main.js", "embed.js"],
];

/** Types alone that come from above: what a layout draws, and what looks back at a match, are classes and functions of the page. */
export const TYPES_FROM_ABOVE = { "types.js": ["lib/dom.js", "history/playback.js"] };

/**
 * What asks the server or a chain, or signs: no view imports that for what runs, as drawing has no effects. What a player presses
 * is done by the parts of the page that a view is given.
 */
export const OUTSIDE = "(^|/)(server/|chain/(?!tx/(model|states)\\.js$))";

/** What the address of a module in `other` looks like, as it is written in `folder`; deeper in it, it only begins with more `../`. */
function addressIn(folder, other) {
  if (folder.endsWith(".js")) return `^./${other}$`; // an entry of the page
  const way = posix.relative(folder, other);
  if (way === "..") return "^../[^/]+$"; // beside the folder itself
  return `^(../)*${way}${other.endsWith(".js") ? "$" : "/"}`;
}

/** The rule of a folder, by what is not below it. */
function layer(folder, level) {
  const others = LAYERS.slice(level)
    .flat()
    .filter((other) => other !== folder);
  const regex = others.map((other) => addressIn(folder, other).replaceAll(".", "\\.")).join("|");
  return {
    files: [`frontend-static/${folder}${folder.endsWith(".js") ? "" : folder === "views" ? "/*.js" : "/**/*.js"}`],
    rules: {
      "no-restricted-imports": [
        "error",
        {
          patterns: [
            { regex, message: `${folder}/ lies below that: see LAYERS in eslint.config.js.` },
            ...(folder.startsWith("views")
              ? [{ regex: OUTSIDE, message: "Drawing has no effects: see app/update.js." }]
              : []),
          ],
        },
      ],
    },
  };
}

export default [
  { ignores: ["**/vendor/**", "node_modules/**", ".venv/**", "contracts/**"] },
  js.configs.recommended,
  {
    files: ["frontend-static/**/*.js"],
    languageOptions: { ecmaVersion: 2025, sourceType: "module", globals: globals.browser },
    rules: {
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
    folders.filter((name) => name !== "vendor" && name !== "types.js").map((folder) => layer(folder, level)),
  ),
  {
    files: ["tests/**/*.mjs", "eslint.config.js"],
    languageOptions: { ecmaVersion: 2025, sourceType: "module", globals: globals.node },
  },
];
