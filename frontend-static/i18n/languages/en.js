export { default as messages } from "../messages/en.json" with { type: "json" };
export { default as words } from "../words/en.json" with { type: "json" };
