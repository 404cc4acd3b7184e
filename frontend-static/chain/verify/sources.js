/**
 * The nodes that can check a board: the player's own node, a wallet's node and the server's node.
 */

import { NodeUnavailable, RpcError, rpc } from "../../server/jsonrpc.js";

/** @import { Account, Health, I18nText } from "../../types.js" */
/**
 * @typedef {{kind: "typed"|"wallet"|"server", name: string, isIndependent: boolean, request: (method: string, params: any[]) => Promise<any>}} RpcSource
 * A node. `isIndependent`: false if its answers are known to come from this server.
 * `request` throws RpcError or NodeUnavailable.
 */

/**
 * Return a text as a URL if the server's CSP allows the page to connect to it. The URL must use
 * https or, on this computer, http. Return null for any other text. @param {string} text @returns {string|null}
 */
export function addressOf(text) {
  if (!URL.canParse(text.trim())) return null;
  const url = new URL(text.trim());
  const near = url.protocol === "http:" && ["127.0.0.1", "localhost"].includes(url.hostname);
  return url.protocol === "https:" || near ? url.href : null;
}

/** Return true if a URL is on the server from which this page comes. @param {string} url */
export const isOfThisServer = (url) => new URL(url).origin === globalThis.location?.origin;

/** @param {string} url @returns {RpcSource} */
export const typedNode = (url) => ({
  kind: "typed",
  name: new URL(url).host,
  isIndependent: !isOfThisServer(url),
  request: (method, params) => rpc(method, params, url),
});

/** @type {RpcSource} */
export const serverNode = { kind: "server", name: "", isIndependent: false, request: rpc };

/** @param {Account} account an account in a wallet @returns {RpcSource} */
export function walletNode({ name, provider, usesThisServer }) {
  const request = async (/** @type {string} */ method, /** @type {any[]} */ params) => {
    try {
      return await provider.request({ method, params });
    } catch (error) {
      throw rejection(error);
    }
  };
  return { kind: "wallet", name, isIndependent: !usesThisServer, request };
}

/**
 * Convert a wallet's error to an error of a node. With the codes 4900 and 4901 (EIP-1193), the
 * wallet reports that it has no connection to its node. @param {any} error
 */
function rejection(error) {
  const [code, message] = [Number(error?.code), String(error?.message ?? error)];
  return code === 4900 || code === 4901
    ? new NodeUnavailable(message)
    : new RpcError({ code, message, data: error?.data });
}

/**
 * Return the reason why a node can't be used, for example because it is on a different chain.
 * Return null if it can be used. @param {RpcSource} source @param {Pick<Health, "chainId"|"genesis">} chain @returns {Promise<I18nText|null>}
 */
export async function whyOtherChain(source, { chainId, genesis }) {
  const who = { name: source.name };
  try {
    const has = Number(await source.request("eth_chainId", []));
    if (!Number.isSafeInteger(has)) return { key: "asked.no-node", args: who };
    if (has !== chainId) return { key: "asked.other-chain", args: { ...who, has, chain: chainId } };
    const first = await source.request("eth_getBlockByNumber", ["0x0", false]);
    return first?.hash === genesis ? null : { key: "asked.other-genesis", args: { ...who, chain: chainId } };
  } catch (error) {
    return error instanceof RpcError
      ? { key: "asked.refused", args: { ...who, text: error.message.slice(0, 200) } }
      : { key: "asked.no-answer", args: { ...who, page: globalThis.location?.origin } };
  }
}
