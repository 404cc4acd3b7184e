// Tests the animations after a board has changed: shots, arrows and lines, and the time at which
// each shell flies.
import assert from "node:assert/strict";
import { test } from "node:test";

import { EffectsLayer, flight, isMoving } from "../../../../frontend-static/layouts/effects/animation.js";
import { FLIGHT_MS, SPLASH_MS, delays, effectsBetween } from "../../../../frontend-static/layouts/effects/between.js";
import { replaceGlobals } from "../../node/globals.mjs";

const picture = (more = {}) => {
  return { width: 10, height: 10, pieces: [], fields: [], marks: [], lines: [], stamp: "1", ...more };
};
const NOTHING = { shells: [], arrows: [], wonLines: [], won: false };
const hit = (cell, from) => ({ cell, kind: "hit", from });
const miss = (cell, from) => ({ cell, kind: "miss", from });

test("an unchanged picture, another board, and a mark that isn't a shot animate nothing", () => {
  const one = picture({ marks: [hit(3), { cell: 4, kind: "aim" }] });
  assert.deepEqual(effectsBetween(one, one), NOTHING);
  assert.deepEqual(effectsBetween(picture({ width: 9 }), one), NOTHING);
  assert.deepEqual(effectsBetween(picture({ marks: [hit(3)] }), one), NOTHING);
});

test("each turn fires a volley from its ships", () => {
  const before = picture({ marks: [miss(7, 1)] });
  const { shells } = effectsBetween(before, picture({ stamp: "2", marks: [miss(7, 1), hit(8, 2)] }));
  assert.deepEqual(shells, [
    { part: 0, from: 1, to: 7, kind: "miss", hit: false },
    { part: 0, from: 2, to: 8, kind: "hit", hit: true },
  ]);
});

test("an answer on one of two seas is animated, but many answers at once are a jump in time", () => {
  const seas = (left, right) =>
    picture({ parts: [picture({ stamp: "", marks: left }), picture({ stamp: "", marks: right })] });
  const { shells } = effectsBetween(seas([hit(1)], []), seas([hit(1)], [miss(2)]));
  assert.deepEqual(shells, [{ part: 1, from: undefined, to: 2, kind: "miss", hit: false }]);
  assert.deepEqual(
    effectsBetween(
      seas([], []),
      seas(
        [1, 2, 3, 4].map((cell) => hit(cell)),
        [],
      ),
    ).shells,
    [],
  );
});

test("the arrows of a map's last command, a winning line and a win are each animated once", () => {
  const last = { from: 1, to: 2, kind: "last" };
  const win = { from: 0, to: 8, kind: "win" };
  const map = { id: "m" };
  assert.deepEqual(effectsBetween(picture({ map }), picture({ map, stamp: "2", lines: [last] })).arrows, [last]);
  assert.deepEqual(
    effectsBetween(picture(), picture({ stamp: "2", lines: [last] })).arrows,
    [],
    "the picture has no map",
  );
  const won = picture({ lines: [win], won: true });
  assert.deepEqual(effectsBetween(picture(), won), { ...NOTHING, wonLines: [win], won: true });
  assert.deepEqual(effectsBetween(won, won), NOTHING);
});

test("shells are fired 40 ms apart, and no volley takes longer than 800 ms", () => {
  assert.deepEqual(delays(0), []);
  assert.deepEqual(delays(3), [0, 40, 80]);
  for (const count of [1, 6, 7, 40, 400]) assert.ok(delays(count).at(-1) + FLIGHT_MS + SPLASH_MS <= 800, String(count));
});

test("a shell flies along a curve and lands where it hits", () => {
  const frames = flight({ x: 0, y: 100 }, { x: 200, y: 100 });
  const ys = frames.map(({ transform }) => Number(transform.match(/, ([-\d.]+)px/)[1]));
  assert.match(frames.at(0).transform, /^translate\(0.0px, 100.0px\) scale\(1.00\)$/);
  assert.match(frames.at(-1).transform, /^translate\(200.0px, 100.0px\) scale\(1.00\)$/);
  assert.ok(Math.min(...ys) < 40, "the shell is high in the middle");
});

test("an animation runs from the first step to the end, or until a press", (context) => {
  const due = [];
  const restore = replaceGlobals({
    document: { hidden: false },
    requestAnimationFrame: (work) => due.push(work),
    cancelAnimationFrame: () => due.splice(0),
    SVGGeometryElement: class {},
  });
  context.after(restore);
  const animations = [];
  const line = {
    classList: { add() {}, replace() {}, contains: () => true },
    querySelectorAll: () => [line],
    animate: () => animations.at(animations.push({ finished: Promise.resolve(), cancel() {} }) - 1),
  };
  const layer = new EffectsLayer({ querySelector: () => null, querySelectorAll: () => [line] });
  const play = () => layer.play({ shells: [], arrows: [{}], wonLines: [], won: false }, {});
  const seen = [isMoving()];
  play();
  seen.push(isMoving());
  layer.skip();
  seen.push(isMoving());
  play();
  due.splice(0).forEach((work) => work());
  seen.push(isMoving());
  animations.forEach(({ onfinish }) => onfinish());
  assert.deepEqual([...seen, isMoving()], [false, true, false, true, false]);
});
