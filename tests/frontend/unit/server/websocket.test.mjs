// Tests that the page repeats its requests after a gap in the websocket's messages, and ignores
// sockets that it has abandoned.
import assert from "node:assert/strict";
import { mock, test } from "node:test";

import { Connection } from "../../../../frontend-static/server/websocket.js";

class Socket {
  constructor() {
    this.readyState = 1;
    this.sent = [];
  }
  send(text) {
    this.sent.push(JSON.parse(text));
  }
  close() {
    this.readyState = 3;
  }
  say(message) {
    this.onmessage({ data: JSON.stringify(message) });
  }
  asked() {
    return this.sent.filter(({ t }) => t === "watch");
  }
}

function line(context) {
  mock.timers.enable({ apis: ["setInterval", "setTimeout", "Date"] });
  const [sockets, status, boards] = [[], [], []];
  const listener = {
    status: (now) => status.push(now),
    hello: () => undefined,
    head: () => undefined,
    board: (match, entry) => boards.push([match, entry.seq]),
    error: () => undefined,
  };
  const connection = new Connection("ws://x/ws", listener, () => {
    const socket = new Socket();
    sockets.push(socket);
    return socket;
  });
  connection.start();
  context.after(() => {
    connection.stop();
    mock.timers.reset();
  });
  return { connection, sockets, status, boards };
}

const block = { height: 5, hash: "0xaa", time: 1 };
const hello = { t: "hello", protocol: 1 };
const reset = { t: "reset", match: "g/1", seq: 2, block, board: {}, why: "watch" };
const deltas = (seq) => ({
  t: "deltas",
  match: "g/1",
  block: { height: 6, hash: "0xbb", time: 2 },
  items: [{ seq, tx: "0x", event: { name: "E", args: {} }, patch: { n: seq } }],
});

test("the page reconnects immediately when the browser is online again", (context) => {
  const [listened, heard] = [globalThis.addEventListener, {}];
  globalThis.addEventListener = (type, listener) => Object.assign(heard, { [type]: listener });
  context.after(() => Object.assign(globalThis, { addEventListener: listened }));
  const { connection, sockets } = line(context);
  heard.online();
  assert.equal(sockets.length, 1, "the page is already connected");
  sockets[0].onclose();
  heard.online();
  mock.timers.tick(300);
  assert.equal(sockets.length, 2, "the page does not connect again when the pause is over");
  sockets[1].onclose();
  connection.stop();
  heard.online();
  assert.equal(sockets.length, 2);
});

test("a match that is watched before the hello message is requested once after it", (context) => {
  const { connection, sockets } = line(context);
  connection.watch("g/1");
  connection.listener.hello = () => connection.watch("g/2");
  sockets[0].say(hello);
  assert.deepEqual(sockets[0].asked(), [
    { t: "watch", match: "g/1" },
    { t: "watch", match: "g/2" },
  ]);
});

test("a board that was loaded without the websocket is followed from its last event", (context) => {
  const { connection, sockets, boards } = line(context);
  sockets[0].say(hello);
  connection.adopt("g/1", reset, { seq: 2, block, board: {}, recentBoards: new Map() });
  assert.deepEqual(sockets[0].asked(), [{ t: "watch", match: "g/1", since: { seq: 2, hash: "0xaa" } }]);
  sockets[0].say(deltas(3));
  connection.adopt("g/1", reset, { seq: 2, block, board: {}, recentBoards: new Map() });
  assert.deepEqual(
    boards,
    [
      ["g/1", 2],
      ["g/1", 3],
    ],
    "a board that is already followed stays",
  );
});

test("after a gap, the page requests the events after the last known event, which closes the gap", (context) => {
  const { connection, sockets, boards } = line(context);
  connection.watch("g/1");
  sockets[0].say(hello);
  sockets[0].say(reset);
  sockets[0].sent.length = 0;
  sockets[0].say(deltas(4));
  assert.deepEqual(sockets[0].asked(), [{ t: "watch", match: "g/1", since: { seq: 2, hash: "0xaa" } }]);
  sockets[0].say(deltas(3));
  sockets[0].say(deltas(4));
  assert.deepEqual(boards, [
    ["g/1", 2],
    ["g/1", 3],
    ["g/1", 4],
  ]);
});

test("silence is noticed within three seconds, and the watch resumes at the last event", (context) => {
  const { connection, sockets, status } = line(context);
  connection.watch("g/1");
  sockets[0].say(hello);
  sockets[0].say(reset);
  for (let i = 0; i < 10; i++) mock.timers.tick(250);
  assert.deepEqual(status, ["live"]);
  mock.timers.tick(250);
  assert.deepEqual(status, ["live", "lost"]);
  mock.timers.tick(250);
  assert.equal(sockets.length, 2);
  sockets[1].say(hello);
  assert.deepEqual(sockets[1].asked(), [{ t: "watch", match: "g/1", since: { seq: 2, hash: "0xaa" } }]);
  assert.deepEqual(status, ["live", "lost", "live"]);
});

test("an answer to each ping keeps the connection alive", (context) => {
  const { sockets, status } = line(context);
  sockets[0].say(hello);
  for (let i = 0; i < 80; i++) {
    mock.timers.tick(250);
    sockets[0].say({ t: "pong" });
  }
  assert.deepEqual(status, ["live"]);
  assert.ok(sockets[0].sent.filter(({ t }) => t === "ping").length === 20);
});

test("late events from an abandoned socket have no effect", (context) => {
  const { connection, sockets, status, boards } = line(context);
  connection.watch("g/1");
  sockets[0].say(hello);
  sockets[0].onclose();
  mock.timers.tick(250);
  sockets[1].say(hello);
  sockets[0].onclose();
  sockets[0].say(reset);
  assert.deepEqual(status, ["live", "lost", "live"]);
  assert.deepEqual(boards, []);
});

test("the pause between tries grows, and is short again after a hello message", (context) => {
  const { sockets } = line(context);
  const waits = [];
  for (let i = 0; i < 5; i++) {
    sockets.at(-1).onclose();
    const before = Date.now();
    const count = sockets.length;
    while (sockets.length === count) mock.timers.tick(50);
    waits.push(Date.now() - before);
  }
  assert.deepEqual(waits, [250, 500, 1000, 2000, 2000]);
});

test("the connection does not count as lost if the browser paused the page", (context) => {
  const { sockets, status } = line(context);
  sockets[0].say(hello);
  mock.timers.setTime(Date.now() + 60_000);
  mock.timers.tick(250);
  assert.deepEqual(status, ["live"]);
  assert.equal(sockets[0].sent.at(-1).t, "ping");
});

test("a connection without a hello message is given up, whatever else it sends", (context) => {
  const { sockets, status } = line(context);
  for (let i = 0; i < 11; i++) {
    mock.timers.tick(250);
    sockets[0].say({ t: "pong" });
  }
  assert.deepEqual(status, ["lost"]);
});
