// Tests emotes, which are short messages between players: who may send them, how the page signs
// them, and how it shows the emotes that the gateway sends.
import assert from "node:assert/strict";
import { test } from "node:test";

import { find, textOf } from "../../views/tree.mjs";
import { ANN, BOB, at, page, useBrowser } from "../page.mjs";
import { addressOf, recoverTypedData } from "../../../../../frontend-static/chain/wallet/signer.js";
import { emotesOf } from "../../../../../frontend-static/views/match/players/emotes.js";
import { setComputers } from "../../../../../frontend-static/names/computers.js";

useBrowser();

const MATCH = "tic-tac-toe/2";
const [OPEN, ENDED] = ["tic-tac-toe/1", "tic-tac-toe/3"];
const KEY = `0x${"1".padStart(64, "0")}`;
const TYPES = {
  Emotes: [
    { name: "account", type: "address" },
    { name: "until", type: "uint48" },
  ],
};

/**
 * Return a page that records its messages to the gateway. By default, the page has only Ann's
 * account.
 */
async function playing(own = [ANN]) {
  const app = await page({ own });
  const messages = [];
  app.server.socket.send = (message) => messages.push(message);
  return { app, emotes: app.emotes, messages };
}

const beside = (app, match, address) => emotesOf(app, match, address);
const bubbleText = (app, address) => textOf(beside(app, MATCH, address)[0]);

test("only a player against a person on another page may send emotes, and after the end only while that person is there", async (t) => {
  t.after(() => setComputers(new Map()));
  const { app, emotes } = await playing();
  assert.ok(emotes.isOffered(MATCH));
  assert.ok(!emotes.isOffered(OPEN), "no opponent has come");
  assert.ok(!emotes.isOffered("tic-tac-toe/99"), "the match does not exist yet");
  assert.ok(!emotes.isOffered(ENDED));
  app.server.presence.set(ENDED, { watchers: 2, openerIsHere: true });
  assert.ok(emotes.isOffered(ENDED));
  setComputers(new Map([[BOB, "level.easy"]]));
  assert.ok(!emotes.isOffered(MATCH), "a computer doesn't answer");
  assert.ok(!(await playing([ANN, BOB])).emotes.isOffered(MATCH), "both players use this page");
  assert.ok(!(await playing(["0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65"])).emotes.isOffered(MATCH), "an onlooker");
});

test("an account signs once for all its emotes on a chain", async () => {
  const { app, emotes, messages } = await playing();
  app.accounts.find(ANN).key = KEY;
  await emotes.send(MATCH, "hello");
  await emotes.send(MATCH, "oops");
  const [{ signature, account, until }, second] = messages;
  assert.deepEqual(messages[0], { t: "emote", match: MATCH, emote: "hello", account: ANN, until, signature });
  assert.deepEqual(second, { ...messages[0], emote: "oops" });
  const domain = { name: "Chainboard", version: "1", chainId: 31337 };
  const value = { domain, types: TYPES, primaryType: "Emotes", message: { account, until } };
  assert.equal(recoverTypedData(value, signature), addressOf(KEY));
  assert.ok(until > Date.now() / 1000 + 3600 && until <= Date.now() / 1000 + 86_400);
  emotes.onError({ key: "emote.signature", match: MATCH, args: { account: ANN }, detail: "" });
  await emotes.send(MATCH, "hurry");
  emotes.reset();
  await emotes.send(MATCH, "hurry");
  assert.equal(messages.length, 4, "signed again");
});

test("without a connection or after a rejection by the gateway, the plate shows why the emote was not sent", async () => {
  const { app, emotes, messages } = await playing();
  app.server.connection = "lost";
  await emotes.send(MATCH, "hello");
  assert.deepEqual(messages, []);
  assert.match(bubbleText(app, ANN), /server/);
  emotes.onError({ key: "emote.too-often", match: MATCH, args: { n: 3, seconds: 3 }, detail: "" });
  assert.equal(bubbleText(app, ANN), "Wait a moment");
  emotes.onError({ key: "seek.clock", match: MATCH, args: {}, detail: "another part's" });
  assert.equal(bubbleText(app, ANN), "Wait a moment");
});

test("an emote is shown at its sender's plate for four seconds, unless emotes are muted", async (t) => {
  const { app, emotes } = await playing();
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const receive = (account, emote, match = MATCH) => app.emotes.onMessage({ t: "emote", match, account, emote });
  receive(BOB, "well-played");
  assert.match(
    bubbleText(app, BOB),
    /^\p{Lu}\p{L}+ \p{Lu}\p{L}+: Well played$/u,
    "a screen reader reads the sender's name, too",
  );
  assert.equal(bubbleText(app, ANN), "");
  assert.equal(beside(app, OPEN, BOB)[0].props["data-emote"], undefined, "the emote belongs to another match");
  t.mock.timers.tick(3000);
  receive(BOB, "oops");
  t.mock.timers.tick(3000);
  assert.match(bubbleText(app, BOB), /Oops/, "the time of the first emote does not end the second emote");
  t.mock.timers.tick(1000);
  assert.equal(bubbleText(app, BOB), "");
  receive(BOB, "wave");
  assert.equal(bubbleText(app, BOB), "", "an emote from a newer version is not shown");
  receive(BOB, "hurry");
  emotes.mute();
  assert.equal(bubbleText(app, BOB), "");
  receive(BOB, "hurry");
  receive(ANN, "thinking");
  assert.equal(bubbleText(app, BOB), "");
  assert.match(bubbleText(app, ANN), /Thinking/);
  emotes.mute();
  receive(BOB, "hello");
  assert.match(bubbleText(app, BOB), /Hello/);
});

test("the row opens at the player's own plate and closes when an emote is sent", async () => {
  const { app, emotes } = await playing();
  at(app, `#/match/${MATCH}`);
  const ids = (address) => find(beside(app, MATCH, address), ({ id }) => id).map(({ props }) => props.id);
  assert.deepEqual(ids(BOB), []);
  assert.deepEqual(ids(ANN), ["emote-button"]);
  emotes.toggle(MATCH);
  assert.deepEqual(ids(ANN), ["emote-button", "emote-mute"]);
  await emotes.send(MATCH, "hello");
  assert.deepEqual(ids(ANN), ["emote-button"]);
  emotes.toggle(OPEN);
  assert.equal(emotes.open, "", "nobody else is watching");
  emotes.toggle();
  assert.equal(emotes.open, "");
});
