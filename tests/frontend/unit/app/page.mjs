// Makes the page's state without a browser: a real App, a server that never answers, all games, and
// recorded matches. This module also records the side effects of drawing.
import { readFileSync } from "node:fs";

import { App } from "../../../../frontend-static/app/app.js";
import { update } from "../../../../frontend-static/app/update.js";
import { routeOf } from "../../../../frontend-static/app/route.js";
import { gameTexts } from "../../node/texts.mjs";
import { fromReset } from "../../../../frontend-static/lib/board.js";
import { useGlobals } from "../../node/globals.mjs";

export { routeOf, update };

const FIXTURES = new URL("../../../fixtures/transcripts/", import.meta.url);
const ARTIFACTS = new URL("../../../../contracts/artifacts/", import.meta.url);
const json = (url) => JSON.parse(readFileSync(url, "utf8"));
/**
 * The ABI of each game's contract. All pages share these ABIs, so that each is parsed only once.
 */
const abis = {};

/** The side effects since this list was last emptied. */
export const effects = [];
const effect =
  (name, answer) =>
  (...args) => {
    effects.push(`${name} ${String(args[0] ?? "").slice(0, 80)}`.trim());
    return answer?.();
  };
const never = () => new Promise(() => undefined);
const storage = () => ({ getItem: () => null, setItem: effect("setItem"), removeItem: effect("removeItem") });
let hash = "#/";

const BROWSER = {
  window: globalThis,
  localStorage: storage(),
  sessionStorage: storage(),
  navigator: {},
  location: {
    protocol: "http:",
    host: "board.example",
    origin: "http://board.example",
    pathname: "/",
    get href() {
      return `http://board.example/${hash}`;
    },
    get hash() {
      return hash;
    },
    set hash(to) {
      effects.push(`go to ${to}`);
    },
  },
  history: { replaceState: effect("replaceState") },
  document: {
    hidden: false,
    documentElement: { dataset: {}, lang: "en" },
    getElementById: () => null,
    querySelector: () => null,
  },
  matchMedia: () => ({ matches: false, addEventListener: () => undefined }),
  addEventListener: () => undefined,
  BroadcastChannel: class {
    addEventListener = () => undefined;
    postMessage = effect("postMessage");
  },
  WebSocket: class {
    send = effect("WebSocket");
  },
  fetch: effect("fetch", never),
  setTimeout: effect("setTimeout"),
  setInterval: effect("setInterval"),
};

/** Replace the browser's global variables while the calling file's tests run. */
export const useBrowser = () => useGlobals(BROWSER);

export const [ANN, BOB] = ["0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266", "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"];
const COMPUTER = "0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65";
const TOKEN = "0x5FbDB2315678afecb367f032d93F642f64180aa3";
const TRANSCRIPTS = {
  battleship: "battleship/honest",
  "tic-tac-toe": "tic-tac-toe/walk-through",
  "touche-coule": "touche-coule/fought-out",
};
const CONTRACTS = { battleship: "Battleship", "tic-tac-toe": "TicTacToe", "touche-coule": "ToucheCoule" };
const input = (name, kind) => ({ name, kind, label: name, minimum: 0, maximum: 100, default: null });
const KINDS = { opponent: "opponent", clock: "clock", token: "token", stake: "amount" };

/**
 * Return a game's entry as in the server's list, with an action for each contract function that
 * changes state.
 */
function gameInfo(slug) {
  const abi = (abis[slug] ??= json(new URL(`${CONTRACTS[slug]}.json`, ARTIFACTS)).abi);
  const functions = abi.filter(
    ({ type, stateMutability }) => type === "function" && !/view|pure/.test(stateMutability),
  );
  const actions = functions.map(({ name, inputs }) => ({
    name,
    signature: `${name}(${inputs.map(({ type }) => type).join()})`,
    opens: !inputs.some((one) => one.name === "matchId"),
    label: name,
    inputs: inputs.flatMap((one) => (KINDS[one.name] ? [input(one.name, KINDS[one.name])] : [])),
    gas: { base: 100_000, usual: 40_000 },
    pays: inputs.some((one) => one.name === "stake") || name === "accept" ? { amount: "stake", token: "token" } : null,
  }));
  return {
    slug,
    title: slug,
    layout: slug === "battleship" ? "pair" : "grid",
    address: TOKEN,
    abi,
    firstBlock: 1,
    deployments: [{ address: TOKEN, firstBlock: 1, firstMatch: 1 }],
    actions,
  };
}

const hashOf = (n) => `0x${String(n).padStart(64, "0")}`;

/**
 * Return a board with this status ("open", "playing" or "finished"). It is made from the recorded
 * board of a finished match.
 */
function boardAs(board, status) {
  if (status === "finished") return board;
  const ends = ["reason", "winner", "cause", "loser"];
  const rest = Object.fromEntries(Object.entries(board).filter(([key]) => !ends.includes(key)));
  const players = Object.fromEntries(Object.entries(board.players).slice(0, status === "open" ? 1 : 2));
  const ships = board.ships
    ? { ships: Object.fromEntries(Object.entries(board.ships).map(([id, ship]) => [id, { ...ship, afloat: true }])) }
    : {};
  const phase = board.fleets ? { phase: "reveals", fleets: { [ANN]: {}, [BOB]: {} } } : {};
  return {
    ...rest,
    status,
    players,
    deadline: 1,
    clock: 300,
    mover: BOB,
    stake: "5",
    token: TOKEN,
    withdrawn: {},
    ...phase,
    ...ships,
  };
}

/**
 * Return the page with all games and matches. By default, the page has Ann's and Bob's accounts,
 * and uses Ann's account.
 */
export async function page({ own = [ANN, BOB] } = {}) {
  const keys = {
    isPersistent: true,
    onChange: () => undefined,
    accounts: () => own.map((address) => ({ address, kind: "browser", name: "1", key: hashOf(1) })),
  };
  const app = new App(effect("redraw"), keys);
  Object.assign(app.server, {
    connection: "live",
    identity: "31337 0x0",
    head: { height: 50, hash: hashOf(50), time: 1_800_000_050 },
    health: { chainId: 31337, genesis: "0x0", state: "ok", detail: "", development: true },
  });
  for (const slug of Object.keys(TRANSCRIPTS)) {
    const game = gameInfo(slug);
    const renderer = await import(`../../../../frontend-static/games/${slug}/renderer.js`);
    await gameTexts(slug);
    app.server.games.set(slug, game);
    app.server.renderers.set(slug, renderer);
    app.server.layouts.set(
      game.layout,
      (await import(`../../../../frontend-static/layouts/${game.layout}.js`)).default,
    );
  }
  app.opponents.list = Object.keys(TRANSCRIPTS).map((game) => {
    return { game, name: "perfect", strength: 1, accounts: [{ address: COMPUTER, rating: 1600 }] };
  });
  app.myMatches.isAnswered = true;
  for (const address of own) {
    app.accounts.balances.set(address, 10n ** 18n);
    app.accounts.fundRequests.add(address);
  }
  const matches = {};
  for (const [slug, file] of Object.entries(TRANSCRIPTS)) {
    const { board, events } = json(new URL(`${file}.json`, FIXTURES));
    for (const [i, status] of ["open", "playing", "finished"].entries()) {
      const match = `${slug}/${i + 1}`;
      const seq = events.length;
      const block = { height: 40, hash: hashOf(40), time: 1_800_000_040 };
      app.server.socket.entries.set(match, fromReset({ seq, block, board: boardAs(board, status) }));
      app.server.feeds.set(
        match,
        events.map((one) => ({ ...one, block: one.height, hash: hashOf(one.height), tx: hashOf(one.seq) })),
      );
      const players = Object.keys(boardAs(board, status).players);
      matches[match] = {
        match,
        game: slug,
        id: i + 1,
        seq,
        status,
        ply: 1,
        players,
        created: 9 - i,
        time: 1_800_000_000,
      };
      if (status !== "finished") Object.assign(matches[match], { clock: 300, stake: "5", token: TOKEN, mover: BOB });
    }
  }
  const games = Object.fromEntries(
    Object.keys(TRANSCRIPTS).map((slug) => [
      slug,
      { featured: `${slug}/2`, counts: { open: 30, playing: 2 }, more: { [BOB]: 9 } },
    ]),
  );
  app.server.socket.entries.set("lobby", fromReset({ seq: 1, block: app.server.head, board: { matches, games } }));
  return app;
}

/** Open an address in the page, and do what the page does before it draws. */
export function at(app, address) {
  hash = address;
  update(app, routeOf(address));
}

/**
 * Return the page's state as text, without drafts that the player hasn't changed. The entries of
 * maps are sorted, because reading changes their order in some maps.
 */
export function stateOf(app) {
  const seen = new Set();
  const plain = (_, value) => {
    if (value === app.server) return "seen";
    if (typeof value === "bigint") return String(value);
    if (typeof value !== "object" || value === null) return value;
    if (seen.has(value)) return "seen";
    seen.add(value);
    if (value === app.ui.drafts) return [...value].filter(([, draft]) => Object.keys(draft).length);
    if (value instanceof Map) return [...value].sort(([a], [b]) => String(a).localeCompare(String(b)));
    return value instanceof Set ? [...value] : value;
  };
  const { games, renderers, layouts, ...server } = app.server;
  const loaded = [games, renderers, layouts].map((one) => [...one.keys()]);
  return JSON.stringify({ ...app, server, live: null, loaded }, plain);
}
