export { default as messages } from "../messages/fr.json" with { type: "json" };
export { default as words } from "../words/fr.json" with { type: "json" };
