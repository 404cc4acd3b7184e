/** Whether the latest board of a match is final by the word of the player's own node or wallet: no reorg takes it back, no server made it up. */

import { finalOf } from "../tx/chain-client.js";
import { NodeLost, NodeRefusal } from "../../server/jsonrpc.js";

/** @import { Witness } from "./checker.js" */
/** @import { Asked } from "./sources.js" */
/** @import { Verdict } from "./query.js" */
/** @import { Connection } from "../../server/websocket.js" */
/** @import { Entry, Finding, Health } from "../../types.js" */
/** @typedef {{health: Health|null, redraw: () => void, socket: Connection, witness: Witness}} Host What it takes from the page. */

/** @type {Record<string, number>} After which what is not final is asked for anew, by the finding's state: a block of a public chain takes 12 seconds. */
const DUE_MS = { asking: 10_000, recent: 5000, final: Infinity, differs: 5000, untold: 5000 };
const KEPT = 50;

/** @type {Record<string, Finding["state"]>} what the contract's word comes to when the block is final */
const STATES = { same: "final", differs: "differs" };

export class Finality {
  /** @param {Host} app */
  constructor(app) {
    this.app = app;
    /** @type {Map<string, {finding: Finding, entry: Entry, at: number}>} */
    this.found = new Map();
  }

  beginAnew() {
    this.found.clear();
  }

  /** What is known by now; asked when it is not. @param {string} match @returns {Finding} */
  look(match) {
    const entry = this.app.socket.entries.get(match);
    const { asked } = this.app.witness;
    if (!entry || !this.isIndependent(asked)) return { state: "server" };
    const key = [match, entry.seq, entry.block.hash, asked.kind, asked.name].join(" ");
    const known = this.found.get(key);
    const told = known?.entry.board === entry.board ? known : null;
    if (!told || Date.now() - told.at > DUE_MS[told.finding.state]) {
      this.note(key, { finding: told?.finding ?? { state: "asking" }, entry, at: Date.now() });
      void this.ask(key, asked, match, entry);
    }
    return told?.finding ?? { state: "asking" };
  }

  /** Whose word is not this server's. On a development chain a wallet's network can lead nowhere else. @param {Asked} asked */
  isIndependent({ kind, own }) {
    return own && !(kind === "wallet" && this.app.health?.development);
  }

  /** @param {string} key @param {{finding: Finding, entry: Entry, at: number}} told */
  note(key, told) {
    this.found.delete(key);
    this.found.set(key, told);
    for (const old of this.found.keys()) if (this.found.size > KEPT) this.found.delete(old);
  }

  /** @param {string} key @param {Asked} asked @param {string} match @param {Entry} entry */
  async ask(key, asked, match, entry) {
    const finding = await this.judge(asked, match, entry);
    if (finding && this.found.get(key)?.entry === entry) this.note(key, { finding, entry, at: Date.now() });
    this.app.redraw();
  }

  /** The height first: what the contract is asked afterwards is on a chain that goes on from there. @param {Asked} asked @param {string} match @param {Entry} entry @returns {Promise<Finding|null>} */
  async judge(asked, match, entry) {
    const final = await finalHeight(asked);
    const verdict = await this.app.witness.judge(asked, match, entry);
    return verdict && { ...this.findingOf(verdict, final, await heightOf(asked, entry.block.hash)), why: verdict.why };
  }

  /** @param {Verdict} verdict @param {number|null} final @param {number|null} height of the board's block, by the same word @returns {Finding} */
  findingOf({ state }, final, height) {
    const finding = STATES[state] ?? "untold";
    const isFinal = final !== null && height !== null && height <= final && this.isSaved(height);
    return { state: finding === "final" && !isFinal ? "recent" : finding };
  }

  /** A chain of the server's own is on the disk when the server says so. Its node answers no page (chainboard/chain/anvil.py): it matters to who asks it through a proxy. @param {number} height */
  isSaved(height) {
    const saved = this.app.health?.finalHead;
    return typeof saved !== "number" || height <= saved;
  }
}

/** Of the last block that can't go any more, as a node tells it; null: it does not. @param {Asked} asked @returns {Promise<number|null>} */
const finalHeight = (asked) => orNull(async () => {
  const latest = await asked.request("eth_blockNumber", []);
  const final = await asked.request("eth_getBlockByNumber", ["finalized", false]).catch((error) => {
    if (error instanceof NodeRefusal) return null; // it knows no such tag
    throw error;
  });
  return finalOf(latest, final);
});

/** Of a block, as a node tells it: the server could call it an older one. @param {Asked} asked @param {string} hash @returns {Promise<number|null>} */
const heightOf = (asked, hash) => orNull(async () => {
  const block = await asked.request("eth_getBlockByHash", [hash, false]);
  return block && Number(block.number);
});

/** Null when the node does not tell. @param {() => Promise<number|null>} asking @returns {Promise<number|null>} */
async function orNull(asking) {
  try {
    return await asking();
  } catch (error) {
    if (!(error instanceof NodeLost || error instanceof NodeRefusal)) throw error;
    return null;
  }
}
