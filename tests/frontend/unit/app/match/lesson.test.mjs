// Tests a tutorial of a game: the clicks that it allows, the effect of a wrong click, and the
// boards that it shows next.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { beforeEach, test } from "node:test";

import { Lesson, Lessons } from "../../../../../frontend-static/app/match/lesson.js";

const SCRIPT = {
  me: "0xA",
  board: "start",
  steps: [
    { press: [3, 5], action: "", boards: ["moved", "answered"] },
    { press: [7], action: "fire", boards: ["fired"] },
  ],
};

let later;
let drawings;
let lesson;

beforeEach(() => {
  later = [];
  drawings = 0;
  lesson = new Lesson(
    SCRIPT,
    () => drawings++,
    (next) => later.push(next),
  );
});

const seen = () => [lesson.board, lesson.target, lesson.action, lesson.isOver];

test("cells are pressed one after the other, and the answer follows automatically", () => {
  assert.deepEqual(seen(), ["start", 3, "", false]);
  assert.equal(lesson.press(true), true, "the press selects the piece that moves");
  assert.deepEqual(seen(), ["start", 5, "", false]);
  assert.equal(lesson.press(true), false, "the press moves the piece and selects nothing");
  assert.deepEqual(seen(), ["moved", -1, "", false]);
  assert.equal(lesson.press(true), false, "nothing can be pressed now");
  assert.equal(lesson.isWrong, false);
  later.shift()();
  assert.deepEqual(seen(), ["answered", 7, "", false]);
  assert.equal(drawings, 2);
});

test("a button can be pressed after its cells, and ends the last step", () => {
  lesson.press(true);
  lesson.press(true);
  later.shift()();
  lesson.pressButton();
  assert.deepEqual([...seen(), lesson.isWrong], ["answered", 7, "", false, true], "the land must be pressed first");
  assert.equal(lesson.press(true), true);
  assert.deepEqual([...seen(), lesson.isWrong], ["answered", -1, "fire", false, false]);
  lesson.pressButton();
  assert.deepEqual(seen(), ["fired", -1, "", true]);
  assert.deepEqual(later, []);
  lesson.pressButton();
  assert.equal(lesson.press(true), false);
  assert.deepEqual([...seen(), lesson.isWrong], ["fired", -1, "", true, false]);
});

test("a wrong press is marked until a right press, and changes nothing", () => {
  lesson.press(false);
  assert.deepEqual([...seen(), lesson.isWrong], ["start", 3, "", false, true]);
  lesson.press(true);
  assert.deepEqual([...seen(), lesson.isWrong], ["start", 5, "", false, false]);
});

test("each visit starts from the beginning, and without a file there is no lesson", async () => {
  const target = new EventTarget();
  globalThis.addEventListener = target.addEventListener.bind(target);
  const lessons = new Lessons(
    () => undefined,
    async (slug) => {
      if (slug === "go") throw new Error("not there");
      return { default: JSON.parse(readFileSync(`frontend-static/games/${slug}/tutorial.json`, "utf8")) };
    },
  );
  const first = await lessons.of("tic-tac-toe").load();
  assert.equal(first.target, 4);
  assert.equal(lessons.of("tic-tac-toe").get(), first);
  assert.equal(await lessons.of("go").load(), null);
  assert.equal(lessons.of("go").failed, true);
  target.dispatchEvent(new Event("hashchange"));
  assert.notEqual(await lessons.of("tic-tac-toe").load(), first);
});
