import js from "@eslint/js";
import globals from "globals";

export default [
  { ignores: ["**/vendor/**", "node_modules/**", ".venv/**", "contracts/**"] },
  js.configs.recommended,
  {
    files: ["frontend-static/**/*.js"],
    languageOptions: { ecmaVersion: 2023, sourceType: "module", globals: globals.browser },
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
  {
    files: ["tests/**/*.mjs", "eslint.config.js"],
    languageOptions: { ecmaVersion: 2023, sourceType: "module", globals: globals.node },
  },
];
