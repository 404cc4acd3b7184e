export { default as messages } from "../messages/zh.json" with { type: "json" };
export { default as words } from "../words/zh.json" with { type: "json" };
