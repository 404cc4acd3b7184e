/**
 * The player's own node, which the page asks in order to check boards. The page stores an address
 * per chain, and uses the node only if the node is on that chain.
 */

import { readJson, writeJson } from "../../lib/storage.js";
import { NodeUnavailable } from "../../server/jsonrpc.js";
import { addressOf, isOfThisServer, serverNode, typedNode, whyOtherChain } from "./sources.js";

/** @import { RpcSource } from "./sources.js" */
/** @import { Health, I18nText } from "../../types.js" */

const STORAGE_KEY = "chainboard.nodes";
const CHAINS = 20;

/** @returns {Record<string, string>} the address of the player's node on each chain */
function stored() {
  const found = readJson(STORAGE_KEY);
  return found instanceof Object ? found : {};
}

/** Store the addresses of the player's nodes. Keep only those for the latest chains. @param {Record<string, string>} urls */
const storeNodes = (urls) => writeJson(STORAGE_KEY, Object.fromEntries(Object.entries(urls).slice(-CHAINS)));

/** @param {string} identity @returns {Record<string, string>} the addresses of the nodes on other chains */
const without = (identity) => Object.fromEntries(Object.entries(stored()).filter(([one]) => one !== identity));

export class OwnNode {
  /** @param {() => void} redraw */
  constructor(redraw) {
    this.redraw = redraw;
    this.url = "";
    /** The text in the field for the node's address. */
    this.text = "";
    this.asking = false;
    this.examined = Promise.resolve();
    /** @type {I18nText|null} the reason why the node isn't used */
    this.trouble = null;
    /** @type {(Health & {identity: string})|null} */
    this.chain = null;
  }

  /**
   * Load the address of the node for this chain. Ask the node for its chain again, because a
   * different node might have this address now. @param {string} identity @param {Health} health
   */
  async restore(identity, health) {
    this.chain = { ...health, identity };
    this.url = addressOf(String(stored()[identity] ?? "")) ?? "";
    this.trouble = null;
    if (!this.url) return;
    this.text = this.url;
    await this.examine(this.url);
  }

  /** Use the node at the address that the player has typed, if that node is on this chain. @param {string} text */
  async use(text) {
    this.text = text;
    const url = addressOf(text);
    if (!url || !this.chain || isOfThisServer(url)) {
      this.trouble = { key: url && this.chain ? "asked.this-server" : "asked.no-address" };
      return this.redraw();
    }
    await this.examine(url);
    if (this.trouble) return;
    this.url = this.text = url;
    storeNodes({ ...without(this.chain.identity), [this.chain.identity]: url });
    this.redraw();
  }

  /** Find out whether the node at an address is on this chain. @param {string} url */
  examine(url) {
    this.examined = this.requestChain(url);
    return this.examined;
  }

  /** @param {string} url */
  async requestChain(url) {
    const { chain } = this;
    if (!chain) return;
    this.asking = true;
    this.trouble = null;
    this.redraw();
    const trouble = await whyOtherChain(typedNode(url), chain);
    if (this.chain !== chain) return;
    this.asking = false;
    this.trouble = trouble;
    this.redraw();
  }

  forget() {
    if (!this.chain) return;
    storeNodes(without(this.chain.identity));
    Object.assign(this, { url: "", text: "", trouble: null });
    this.redraw();
  }

  /** @returns {RpcSource|null} */
  get source() {
    return this.url ? typedNode(this.url) : null;
  }

  /**
   * Send a request to the player's own node or, if there is none, to the server's node. @param {string} method @param {any[]} params @returns {Promise<any>} Throws NodeUnavailable or RpcError.
   */
  async request(method, params) {
    await this.examined;
    if (this.url && this.trouble) throw new NodeUnavailable(this.trouble.key);
    return (this.source ?? serverNode).request(method, params);
  }
}
