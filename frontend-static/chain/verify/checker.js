/**
 * Compares the boards on display with the game's contract. A displayed board, together with its
 * event and its block, is called a claim.
 */

import { serverNode, walletNode, whyOtherChain } from "./sources.js";
import { forgetContract } from "./known-contracts.js";
import { LruMap } from "../../lib/lru-map.js";
import { sleep } from "../../lib/retry.js";
import { BlockMismatch, Unverifiable, checkBoard, currentSeq, whyNoAnswer } from "./query.js";

/** @import { OwnNode } from "./own-node.js" */
/** @import { RpcSource } from "./sources.js" */
/** @import { CheckRequest, CheckResult, Claim } from "./query.js" */
/** @import { Accounts } from "../wallet/accounts.js" */
/** @import { GameInfo, Health, Json, Renderer } from "../../types.js" */

/**
 * @typedef {object} CheckerHost The parts of the page that the checker needs.
 * @property {CheckerServer} server
 * @property {Pick<Accounts, "list"|"me">} accounts
 * @property {OwnNode} ownNode
 * @property {() => void} redraw
 * @typedef {{identity: string, connection: string, health: Health|null, games: Map<string, GameInfo>, renderers: Map<string, Renderer>, board: (match: string) => Json|null}} CheckerServer
 */

const PAUSE_MS = 300;
/** The pause before a difference is checked a second time. Only then does the page report it. */
const RETRY_MS = 700;
/**
 * A missing event or a different block is reported only if the difference lasts longer than this,
 * because a node or the server might just lag behind.
 */
const PATIENCE_MS = 5000;
/**
 * When a result reaches this age, the page checks the board again. The key is the result's state.
 * Boards with good results are also checked again, because a server can begin to withhold events at
 * any time.
 */
const DUE_MS = { asking: 0, same: 5000, "count-only": 5000, differs: 2000, unanswered: 2000 };
const MAX_CACHED = 200;

/** @type {CheckResult} */
const ASKING = { state: "asking", height: 0, differences: [], at: 0 };

export class BoardChecker {
  /** @param {CheckerHost} app */
  constructor(app) {
    this.app = app;
    /** @type {LruMap<string, {result: CheckResult, claim: Claim}>} */
    this.results = new LruMap(MAX_CACHED);
    /** @type {{key: string, source: RpcSource, match: string, claim: Claim}|null} */
    this.nextCheck = null;
    this.busy = false;
    /** @type {Map<string, number>} the time when each difference was first found; the key contains the match and the claim */
    this.since = new Map();
  }

  /** Forget all results. Called when the chain or the node changes. */
  reset() {
    for (const cache of [this.results, this.since]) cache.clear();
    this.nextCheck = null;
  }

  /**
   * The node to ask. It is the player's own node if there is one. Otherwise, it is a wallet's node
   * or, if there is no wallet either, the server's node. @returns {RpcSource}
   */
  get source() {
    const { ownNode, accounts } = this.app;
    const { me } = accounts;
    const inUse = accounts.list
      .filter(({ provider, trouble }) => provider && !trouble)
      .sort((a, b) => Number(b.address === me) - Number(a.address === me));
    return ownNode.source ?? (inUse[0] ? walletNode(inUse[0]) : serverNode);
  }

  /** Return the latest result of checking a displayed board. @param {string} match @param {Claim} claim @returns {CheckResult} */
  resultFor(match, claim) {
    const known = this.results.get(keyOf(match, claim, this.source));
    return known?.claim.board === claim.board ? known.result : ASKING;
  }

  /** Check a displayed board, unless the last result is recent enough. @param {string} match @param {Claim} claim */
  request(match, claim) {
    const { source } = this;
    if (!this.isDue(this.resultFor(match, claim), source, claim)) return;
    this.nextCheck = { key: keyOf(match, claim, source), source, match, claim };
    void this.run();
  }

  /**
   * Return true if a displayed board must be checked again. A good result stays valid if it comes
   * from the server's node, or if the match already has a later board. @param {CheckResult} result @param {RpcSource} source @param {Claim} claim
   */
  isDue({ state, at }, source, claim) {
    const settled = ["same", "count-only"].includes(state) && (source.kind === "server" || claim.past);
    return !settled && Date.now() - at > DUE_MS[state];
  }

  async run() {
    if (this.busy) return;
    this.busy = true;
    while (this.nextCheck) {
      const { key, source, match, claim } = this.nextCheck;
      this.nextCheck = null;
      const result = await this.verify(source, match, claim);
      if (result) this.results.set(key, { result: { ...result, at: Date.now() }, claim });
      this.app.redraw();
      await sleep(PAUSE_MS);
    }
    this.busy = false;
  }

  /**
   * Check a displayed board. If there is a difference, wait and check the board again. Return null
   * if the page has stopped showing the board in the meantime. @param {RpcSource} source @param {string} match @param {Claim} claim @returns {Promise<CheckResult|null>}
   */
  async verify(source, match, claim) {
    const found = await this.verifyOnce(source, match, claim);
    if (found?.state !== "differs") return found;
    await sleep(RETRY_MS);
    return this.isStillVisible(match, claim) ? this.verifyOnce(source, match, claim) : null;
  }

  /** @param {string} match @param {Claim} claim */
  isStillVisible(match, claim) {
    return claim.past || this.app.server.board(match) === claim.board;
  }

  /** @param {RpcSource} source @param {string} match @param {Claim} claim @returns {Promise<CheckResult|null>} */
  async verifyOnce(source, match, claim) {
    const { identity: chain, games, renderers } = this.app.server;
    const slug = match.split("/")[0];
    const known = games.get(slug);
    if (!known?.abi) return null; // the game's ABI isn't loaded yet
    const game = { ...known, abi: known.abi };
    try {
      await this.requireSameChain(source);
      const result = await checkBoard(source, { chain, game, renderer: renderers.get(slug), match, claim });
      return result.state === "differs" ? result : await this.checkNotBehind(result, source, game, match, claim);
    } catch (error) {
      return this.resultOfError(error, match, claim);
    }
  }

  /**
   * Check that the contract has no newer event than the displayed board's event. Without this
   * check, the server could show an old board, which was right in the past.
   * @param {CheckResult} result @param {RpcSource} source @param {CheckRequest["game"]} game @param {string} match @param {Claim} claim @returns {Promise<CheckResult>}
   */
  async checkNotBehind(result, source, game, match, claim) {
    if (claim.past || source.kind === "server" || !this.isUpToDate()) return result;
    const now = await currentSeq(source, game, match);
    const late = now > claim.seq && this.persists(`further ${match} ${claim.seq}`);
    if (!late) return result;
    const why = { key: "checked.further", args: { real: now, shown: claim.seq } };
    return { ...result, state: "differs", differences: [{ path: "seq", claimed: claim.seq, actual: now }], why };
  }

  /**
   * Return true if the page presents its boards as current. The connection must be live, and the
   * server must be healthy.
   */
  isUpToDate() {
    return this.app.server.connection === "live" && this.app.server.health?.state === "ok";
  }

  /** @param {string} what @returns {boolean} true if the difference was first found more than PATIENCE_MS ago */
  persists(what) {
    const since = this.since.get(what) ?? Date.now();
    this.since.set(what, since);
    return Date.now() - since > PATIENCE_MS;
  }

  /**
   * Throw Unverifiable if the node isn't on the page's chain. For example, a wallet's user can
   * switch to another network. @param {RpcSource} source
   */
  async requireSameChain(source) {
    const { ownNode, server } = this.app;
    const { health } = server;
    if (source.kind === "typed") {
      await (ownNode.trouble ? ownNode.examine(ownNode.url) : ownNode.examined);
      if (ownNode.trouble) throw new Unverifiable(ownNode.trouble.key, ownNode.trouble.args);
    }
    if (source.kind !== "wallet" || !health) return;
    const why = await whyOtherChain(source, health);
    if (why) throw new Unverifiable(why.key, why.args);
  }

  /** @param {unknown} error @param {string} match @param {Claim} claim @returns {CheckResult} */
  resultOfError(error, match, { block, past }) {
    const base = { height: block.height, differences: [], at: Date.now() };
    if (error instanceof BlockMismatch && !past && this.isUpToDate() && this.persists(`forked ${match} ${block.hash}`))
      return { ...base, state: "differs", why: error.text };
    const why = whyNoAnswer(error);
    if (why) return { ...base, state: "unanswered", why };
    // Either the contract's answer isn't a board of this game, or the game's code can't read the
    // board on display.
    return { ...base, state: "differs", why: { key: "checked.unreadable" } };
  }

  /**
   * At the player's request, accept that a match's contract has changed: forget the stored
   * contract. @param {string} match
   */
  acceptContract(match) {
    forgetContract(this.app.server.identity, match);
    this.reset();
    this.app.redraw();
  }
}

/** @param {string} match @param {Claim} claim @param {RpcSource} source */
const keyOf = (match, { seq, block }, { kind, name }) => `${match} ${seq} ${block.hash} ${kind} ${name}`;
