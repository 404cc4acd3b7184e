/** Asks the player's own node or wallet whether a match's latest board is final. */

import { finalOf } from "../tx/chain-client.js";
import { LruMap } from "../../lib/lru-map.js";
import { NodeUnavailable, RpcError } from "../../server/jsonrpc.js";

/** @import { BoardChecker } from "./checker.js" */
/** @import { RpcSource } from "./sources.js" */
/** @import { CheckResult } from "./query.js" */
/** @import { Connection } from "../../server/websocket.js" */
/** @import { Entry, FinalityResult, Health } from "../../types.js" */
/** @typedef {{server: {health: Health|null, socket: Connection}, redraw: () => void, boardChecker: BoardChecker}} FinalityHost */

/** @type {Record<string, number>} for each state of a result, the age at which the result is refreshed; Ethereum has a new block every 12 seconds */
const DUE_MS = { asking: 10_000, recent: 5000, final: Infinity, differs: 5000, unanswered: 5000 };
const MAX_CACHED = 50;

/** @type {Record<string, FinalityResult["state"]>} the finality of a board whose block is final; the key is the state of the contract check */
const STATES = { same: "final", differs: "differs" };

export class FinalityChecker {
  /** @param {FinalityHost} app */
  constructor(app) {
    this.app = app;
    /** @type {LruMap<string, {finding: FinalityResult, entry: Entry, at: number}>} */
    this.results = new LruMap(MAX_CACHED);
  }

  reset() {
    this.results.clear();
  }

  /** Return what is known about the finality of a match's latest board. @param {string} match @returns {FinalityResult} */
  resultFor(match) {
    const { entry, found } = this.lookUp(match);
    return entry ? (found?.finding ?? { state: "asking" }) : { state: "server" };
  }

  /** Check the finality of a match's latest board, unless the last result is recent enough. @param {string} match */
  request(match) {
    const { entry, key, found, source } = this.lookUp(match);
    if (!entry || (found && Date.now() - found.at <= DUE_MS[found.finding.state])) return;
    this.results.set(key, { finding: found?.finding ?? { state: "asking" }, entry, at: Date.now() });
    void this.refresh(key, source, match, entry);
  }

  /**
   * Return a match's latest board and the stored result. If the node belongs to this server, return
   * neither, because its answer would prove nothing. @param {string} match
   */
  lookUp(match) {
    const entry = this.app.server.socket.entries.get(match);
    const { source } = this.app.boardChecker;
    if (!entry || !this.isIndependent(source)) return { key: "", source };
    const key = [match, entry.seq, entry.block.hash, source.kind, source.name].join(" ");
    const known = this.results.get(key);
    return { entry, key, source, found: known?.entry.board === entry.board ? known : undefined };
  }

  /**
   * Return true if a node is independent of this server. On a development chain, a wallet's node
   * isn't independent, because wallets reach the chain through this server. @param {RpcSource} source
   */
  isIndependent({ kind, isIndependent }) {
    return isIndependent && !(kind === "wallet" && this.app.server.health?.development);
  }

  /** @param {string} key @param {RpcSource} source @param {string} match @param {Entry} entry */
  async refresh(key, source, match, entry) {
    const result = await this.verify(source, match, entry);
    if (result && this.results.get(key)?.entry === entry)
      this.results.set(key, { finding: result, entry, at: Date.now() });
    this.app.redraw();
  }

  /**
   * Compare a board with the contract, and find out whether its block is final. Read the height of
   * the last final block first, so that the contract's answer isn't older. @param {RpcSource} source @param {string} match @param {Entry} entry @returns {Promise<FinalityResult|null>}
   */
  async verify(source, match, entry) {
    const final = await finalHeight(source);
    const check = await this.app.boardChecker.verify(source, match, entry);
    return check && { ...this.resultOf(check, final, await heightOf(source, entry.block.hash)), why: check.why };
  }

  /** @param {CheckResult} check @param {number|null} final @param {number|null} height the height of the board's block, as reported by the same node @returns {FinalityResult} */
  resultOf({ state }, final, height) {
    const result = STATES[state] ?? "unanswered";
    const isFinal = final !== null && height !== null && height <= final && this.isSaved(height);
    return { state: result === "final" && !isFinal ? "recent" : result };
  }

  /**
   * Return true if a block would survive a restart of the chain. A development chain can lose the
   * blocks above the height that the server reports as saved. On other chains, always return true.
   * This check matters only if a proxy exposes the server's node to pages. Normally, that node
   * rejects their requests (chainboard/chain/anvil.py). @param {number} height
   */
  isSaved(height) {
    const saved = this.app.server.health?.finalHead;
    return typeof saved !== "number" || height <= saved;
  }
}

/** Ask a node for the height of the last final block. Return null if the node doesn't answer. @param {RpcSource} source @returns {Promise<number|null>} */
const finalHeight = (source) =>
  orNull(async () => {
    const latest = await source.request("eth_blockNumber", []);
    const final = await source.request("eth_getBlockByNumber", ["finalized", false]).catch((error) => {
      if (error instanceof RpcError) return null; // the node doesn't support the `finalized` tag
      throw error;
    });
    return finalOf(latest, final);
  });

/**
 * Ask a node for the height of a block. The server's word isn't enough: if it reported too low a
 * height, the block would seem final. @param {RpcSource} source @param {string} hash @returns {Promise<number|null>}
 */
const heightOf = (source, hash) =>
  orNull(async () => {
    const block = await source.request("eth_getBlockByHash", [hash, false]);
    return block && Number(block.number);
  });

/** Return a node's answer. Return null if the node doesn't answer or returns an error. @param {() => Promise<number|null>} asking @returns {Promise<number|null>} */
async function orNull(asking) {
  try {
    return await asking();
  } catch (error) {
    if (!(error instanceof NodeUnavailable || error instanceof RpcError)) throw error;
    return null;
  }
}
