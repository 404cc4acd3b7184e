// Tests the drawing of a game's picture: layers, default colours, and cells with a pending move.
import assert from "node:assert/strict";
import { test } from "node:test";

import { fit } from "../../../../frontend-static/layouts/geometry.js";
import { svg } from "../../../../frontend-static/layouts/svg.js";
import { nameOf, setNicknames } from "../../../../frontend-static/names/names.js";
import { pictureOf } from "../../../../frontend-static/views/parts/board-host.js";
import { useGlobals } from "../../node/globals.mjs";

useGlobals({ window: { matchMedia: () => ({ matches: false }) } });

const disc = {
  id: "disc",
  cell: 4,
  colour: 0,
  shape: 0,
  label: "",
  mine: false,
  sunk: false,
  selected: false,
  pending: false,
};
const picture = (more = {}) => ({
  width: 3,
  height: 3,
  pieces: [disc],
  fields: [],
  marks: [],
  lines: [],
  stamp: "1",
  ...more,
});
const drawn = (more) => svg(picture(more), fit(picture(), { width: 300, height: 300 }), -1).children;
const kindsOf = (children) =>
  children.map(({ props }) => props["data-mark"] ?? props["data-line"] ?? props["data-piece"]).filter(Boolean);

test("marks and lines are drawn below the pieces or above them", () => {
  const marks = [
    { cell: 4, kind: "last", shape: "dot", over: true },
    { cell: 4, kind: "hole" },
  ];
  const lines = [
    { from: 3, to: 5, kind: "win", over: true },
    { from: 0, to: 8, kind: "way" },
  ];
  assert.deepEqual(kindsOf(drawn({ marks, lines })), ["way", "hole", "disc", "win", "last"]);
});

test("a kind without its own colour uses a colour of the theme", () => {
  const colours = drawn({
    fields: [{ cell: 0, kind: "a" }],
    marks: [{ cell: 0, kind: "b" }],
    lines: [{ from: 0, to: 1, kind: "c" }],
  })
    .map(({ props }) => props.vars?.["--kind"])
    .filter(Boolean);
  assert.deepEqual(colours, [
    "var(--field-a, var(--ground-line))",
    "var(--line-c, var(--accent))",
    "var(--mark-b, var(--accent))",
  ]);
});

test("a picture that contains a name is made again when the name arrives late", () => {
  const [me, board] = [`0x${"a".repeat(40)}`, {}];
  const view = { board, me, selected: 0, ownAccounts: new Set(), pending: [], draft: { state: {} } };
  const app = { board: () => board, renderContext: () => view };
  const titled = { picture: () => picture({ parts: [{ title: nameOf(me) }] }) };
  const title = () => pictureOf(app, "sea/1", titled).parts[0].title;
  assert.notEqual(title(), "Gull");
  setNicknames(new Map([[me, "Gull"]]));
  assert.equal(title(), "Gull");
});

test("the pressed cell is marked as pending, unless the game names the move's target", () => {
  const view = {
    board: {},
    me: "",
    selected: 0,
    ownAccounts: new Set(),
    pending: [{ id: 1, state: "sent", cell: 2 }],
    draft: { state: {} },
  };
  const app = { board: () => view.board, renderContext: () => view };
  assert.deepEqual(pictureOf(app, "hill/1", { picture: () => picture() }).waiting, [2]);
  assert.deepEqual(pictureOf(app, "dale/1", { picture: () => picture({ waiting: [8] }) }).waiting, [8]);
});
