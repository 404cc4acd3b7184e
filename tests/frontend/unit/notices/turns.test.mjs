// Tests that the page notices when a player's turn begins, and shows the turn in the window's
// title.
import assert from "node:assert/strict";
import { test } from "node:test";

import { Turns } from "../../../../frontend-static/app/notices/turns.js";

const state = (match, mine) => ({ match, game: match.split("/")[0], mine });

test("a turn is new once if the match was seen without it before, but not when a match is first seen", () => {
  const turns = new Turns();
  const came = (states, seen) => turns.update(states, seen).map(({ match }) => match);
  assert.deepEqual(came([state("a/1", true), state("a/2", false)], undefined), []);
  assert.deepEqual(came([state("a/1", true), state("a/2", true)], undefined), ["a/2"]);
  assert.deepEqual(came([state("a/1", true), state("a/2", true)], undefined), []);
  assert.deepEqual(came([state("a/1", false), state("a/2", true)], undefined), []);
  assert.deepEqual(
    came([state("a/1", true), state("a/2", true)], "a/1"),
    ["a/1"],
    "a turn is also new in the match at which the player looks",
  );
  turns.forget();
  assert.deepEqual(came([state("a/2", true)], undefined), [], "on another chain, the match is seen for the first time");
});

test("the title shows the turn in the open match, otherwise the turn in the latest match that wasn't viewed since", () => {
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
  assert.equal(titled(all, "c/1", ""), "c/1", "while the page is hidden, the turn stays unseen");
  assert.equal(titled(all, undefined), "c/1");
  assert.equal(titled(all, "c/1"), "c/1");
  assert.equal(titled(all, undefined), "b/1", "the player has looked at c/1");
  assert.equal(
    titled([state("a/1", true), state("b/1", false)], undefined),
    undefined,
    "the player moved in another window",
  );
});
