// The moment when a player's turn begins, and the window's title for it.
import assert from "node:assert/strict";
import { test } from "node:test";

import { Turns } from "../../../../frontend-static/app/notices/turns.js";

const state = (match, mine) => ({ match, game: match.split("/")[0], mine });

test("a turn begins if it was not there before; not when a match is first seen, and once", () => {
  const turns = new Turns();
  const came = (states, seen) => turns.update(states, seen).map(({ match }) => match);
  assert.deepEqual(came([state("a/1", true), state("a/2", false)], undefined), []);
  assert.deepEqual(came([state("a/1", true), state("a/2", true)], undefined), ["a/2"]);
  assert.deepEqual(came([state("a/1", true), state("a/2", true)], undefined), []);
  assert.deepEqual(came([state("a/1", false), state("a/2", true)], undefined), []);
  assert.deepEqual(came([state("a/1", true), state("a/2", true)], "a/1"), ["a/1"], "also where one looks");
  turns.forget();
  assert.deepEqual(came([state("a/2", true)], undefined), [], "another chain");
});

test("the title shows the open match's turn, else that of the latest match not yet viewed", () => {
  const turns = new Turns();
  const titled = (states, open, seen = open) => {
    turns.update(states, seen);
    return turns.titled(states, open)?.match;
  };
  assert.equal(titled([state("a/1", true), state("b/1", false), state("c/1", false)], undefined), undefined);
  assert.equal(titled([state("a/1", true), state("b/1", true), state("c/1", false)], undefined), "b/1");
  assert.equal(titled([state("a/1", true), state("b/1", true), state("c/1", true)], undefined), "c/1");
  const all = [state("a/1", true), state("b/1", true), state("c/1", true)];
  assert.equal(titled(all, "a/1"), "a/1");
  assert.equal(titled(all, "c/1", ""), "c/1", "hidden: it stays");
  assert.equal(titled(all, undefined), "c/1");
  assert.equal(titled(all, "c/1"), "c/1");
  assert.equal(titled(all, undefined), "b/1", "c/1 was looked at");
  assert.equal(titled([state("a/1", true), state("b/1", false)], undefined), undefined, "it was moved elsewhere");
});
