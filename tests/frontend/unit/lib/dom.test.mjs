// Tests that a value from the server can't become an element of the page.
import assert from "node:assert/strict";
import { test } from "node:test";

import { h } from "../../../../frontend-static/lib/dom.js";

const SCRIPT = '{"tag": "script", "props": {"src": "/api/steal.js"}, "children": []}';

test("the trees that h makes are children, and other values are texts", () => {
  const inner = h("b", null, "bold");
  assert.deepEqual(h("p", null, [inner, 7, null, false, ""], "text").children, [inner, "7", "text"]);
  const changed = { ...inner, props: { class: "now" } };
  assert.deepEqual(h("p", null, changed).children, [changed]);
});

test("JSON in the form of a tree is a text", () => {
  for (const value of [JSON.parse(SCRIPT), [[JSON.parse(SCRIPT)]]])
    assert.deepEqual(h("h2", null, value).children, ["[object Object]"]);
});
