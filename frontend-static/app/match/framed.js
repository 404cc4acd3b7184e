/**
 * Shows a live match in a frame on another site. The match's board and events come from the
 * websocket. A frame has no accounts and no keys, so it can only watch.
 */

import { contextAt, onlookerContext } from "../../history/match-context.js";
import { ServerHistory } from "../../history/match-history.js";
import { Playback } from "../../history/playback.js";
import { levelsOf, setComputers } from "../../names/computers.js";
import { eventsOf } from "../../lib/board.js";
import { Nicknames } from "../../server/nicknames.js";
import { Offline, Problem, get } from "../../server/rest.js";
import { siteUrl } from "../../lib/site.js";
import { NULL_STORAGE } from "../../lib/storage.js";
import { Connection, socketUrl } from "../../server/websocket.js";
import { addGames, loadGame } from "../loading/load-game.js";
import { NewVersion } from "../loading/new-version.js";
import { ServerState, chainOf, identityOf } from "../server-state.js";
import { loadFeed } from "./load-events.js";

/** @import { MatchContext } from "../../history/match-context.js" */
/** @import { Entry, Json, OrphanedEvent, UiState } from "../../types.js" */

const RETRY_MS = 1000;
/** @type {OrphanedEvent[]} */
const NO_ORPHANS = [];

export class FramedMatch {
  /** @param {string} match @param {() => void} redraw */
  constructor(match, redraw) {
    this.match = match;
    this.redraw = redraw;
    this.nicknames = new Nicknames(
      () => chainOf(this.server.identity),
      redraw,
      () => import("../../chain/wallet/sign.js"),
    );
    /** @type {UiState} */
    this.ui = { selected: 0, pointed: -1, copied: "", older: false, nameCard: "", petnameTrouble: null, typed: {} };
    this.newVersion = new NewVersion({ redraw, ui: { selected: 0, typed: {}, drafts: new Map() } });
    const socket = new Connection(socketUrl(), {
      status: (status) => {
        this.server.connection = status;
        redraw();
      },
      hello: (message) => void this.onHello(message),
      head: (head) => {
        this.server.setHead(head);
        redraw();
      },
      board: (_, message, __, before) => this.onBoard(message, before),
      error: (message) => {
        this.server.noteMissing(message);
        redraw();
      },
    });
    this.server = new ServerState(socket, NULL_STORAGE);
    this.playback = new Playback(redraw);
    const history = new ServerHistory(match, { entry: () => this.entry, feed: () => this.server.events(match) });
    this.playback.open(match, () => history);
  }

  /** @param {number} seq the number of the event to show first, or 0 for the latest board */
  async start(seq) {
    this.server.socket.start();
    this.server.socket.watch(this.match);
    if (seq) this.playback.visit(seq);
    await this.loadGame();
  }

  /** The loader of the match's game, or undefined before the server has sent the list of games. */
  get module() {
    return this.server.modules.get(this.match.split("/")[0]);
  }

  get entry() {
    return this.server.socket.entries.get(this.match) ?? null;
  }

  /** Load the match's game. If the server doesn't answer, retry. */
  async loadGame() {
    const slug = this.match.split("/")[0];
    try {
      const [{ games }, { opponents }] = await Promise.all([get("/games", { abi: "false" }), get("/opponents")]);
      setComputers(levelsOf(opponents));
      const own = games.filter((/** @type {Json} */ game) => game.slug === slug);
      await addGames(this, own);
      await loadGame(this, slug, { signs: false });
    } catch (error) {
      if (!(error instanceof Offline || error instanceof Problem)) throw error;
      setTimeout(() => void this.loadGame(), RETRY_MS);
    }
    this.redraw();
  }

  /** @param {Json} hello */
  async onHello(hello) {
    const { server } = this;
    const identity = identityOf(hello);
    const other = server.identity !== "" && server.identity !== identity;
    server.identity = identity;
    if (other) {
      server.forget();
      this.nicknames.reset();
      this.playback.history?.forget();
    }
    if (hello.head) server.setHead(hello.head);
    if (other) await this.loadGame();
  }

  /** @param {Json} message @param {Entry|null} before */
  onBoard(message, before) {
    this.server.missing.delete(this.match);
    if (message.t === "deltas") this.server.addEvents(this.match, eventsOf(message));
    else void loadFeed(this, this.match, message, before);
    this.playback.retrySeek();
    this.redraw();
  }

  /**
   * Return the data for drawing the board at the playhead. Without a playhead, return the data for
   * drawing the latest board. @returns {MatchContext}
   */
  context() {
    const live = this.liveContext();
    const { playhead } = this.playback;
    return playhead ? contextAt(live, this.match, playhead) : live;
  }

  /** @returns {MatchContext} */
  liveContext() {
    const { ui, redraw, playback, server, match } = this;
    const board = () => server.board(match);
    return {
      ...{ ui, redraw, playback, me: "", hasServer: false, submitPress: null },
      ...{ games: server.games, renderers: server.renderers, layouts: server.layouts },
      board,
      latestBoard: board,
      events: () => server.events(match),
      orphansOf: () => NO_ORPHANS,
      account: () => undefined,
      use: () => undefined,
      now: () => server.now(),
      link: linkTo,
      renderContext: () => ({
        ...onlookerContext(match, board() ?? {}, this.lastEvent(), redraw),
        selected: ui.selected,
        now: server.now(),
        events: server.events(match),
        seq: this.entry?.seq,
      }),
    };
  }

  /** Return the height, hash and time of the latest board's block, in the fields of an event. @returns {any} */
  lastEvent() {
    const { height = 0, hash = "", time = 0 } = this.entry?.block ?? {};
    return { block: height, hash, time };
  }
}

/** Return the address of the match's own page, which opens outside the frame. @param {string} match @param {number} seq the number of the event to show, or 0 for the latest board */
export const linkTo = (match, seq) => siteUrl(`m/${match}${seq ? `@${seq}` : ""}`);
