/**
 * A client that sends JSON-RPC requests to a node, either through the gateway or at an address that
 * the player has typed.
 */

import { siteUrl } from "../lib/site.js";

/**
 * An error that a node has returned, for example because a contract reverted. `data`: the revert
 * data as 0x hex, or "" if there are none.
 */
export class RpcError extends Error {
  /** @param {{code?: number, message?: string, data?: any}} error */
  constructor(error) {
    super(error.message ?? "");
    this.code = error.code ?? 0;
    this.data = revertData(error.data);
  }
}

/**
 * Thrown if a request gets no answer. It is then unknown whether the node has handled the request.
 */
export class NodeUnavailable extends Error {}

/**
 * The codes of the gateway's temporary errors. With the first code, the node is unavailable. With
 * the second code, the client has sent too many requests.
 */
const UNAVAILABLE = -32002;
const TOO_MANY_REQUESTS = 429;

/**
 * Return the revert data in a node's error. Some nodes return the data as a string, and other nodes
 * wrap the string in objects. @param {any} data @returns {string}
 */
function revertData(data) {
  if (typeof data === "string") return data.startsWith("0x") ? data : "";
  return data && typeof data === "object" ? revertData(data.data ?? data.result) : "";
}

let calls = 0;

const GATEWAY = siteUrl("api/rpc");

/** The maximum number of requests that the gateway accepts in a batch. */
const BATCH = 20;

/** @param {string} method @param {any[]} params @param {string} [url] the address of the node to ask instead of the gateway's node @returns {Promise<any>} */
export async function rpc(method, params, url) {
  return resultOf(await post({ jsonrpc: "2.0", id: ++calls, method, params }, url));
}

/** Send several requests at once. Return their results, in the order of the requests. @param {[string, any[]][]} pairs @returns {Promise<any[]>} */
export const batch = async (pairs) => (await answersTo(pairs)).map(resultOf);

/**
 * Send several requests at once. Return their errors in the order of the requests, with undefined
 * for each request that has succeeded. @param {[string, any[]][]} pairs @returns {Promise<(RpcError|undefined)[]>}
 */
export const errorsOf = async (pairs) => (await answersTo(pairs)).map(errorIn);

/** @param {[string, any[]][]} pairs @returns {Promise<any[]>} */
async function answersTo(pairs) {
  const parts = Array.from({ length: Math.ceil(pairs.length / BATCH) }, (_, i) =>
    pairs.slice(i * BATCH, (i + 1) * BATCH),
  );
  return (await Promise.all(parts.map(part))).flat();
}

/** @param {[string, any[]][]} pairs */
async function part(pairs) {
  const requests = pairs.map(([method, params]) => ({ jsonrpc: "2.0", id: ++calls, method, params }));
  const answers = await post(requests);
  if (!Array.isArray(answers)) throw unavailable(answers);
  const byId = new Map(answers.map((answer) => [answer.id, answer]));
  return requests.map(({ id }) => byId.get(id) ?? {});
}

/** @param {any} answer */
function errorIn(answer) {
  try {
    resultOf(answer);
  } catch (error) {
    if (error instanceof RpcError) return error;
    throw error;
  }
}

/** @param {object} body @param {string} [url] @returns {Promise<any>} */
async function post(body, url = GATEWAY) {
  const headers = { "content-type": "application/json" };
  try {
    const response = await fetch(url, {
      method: "POST",
      headers,
      body: JSON.stringify(body),
      credentials: url === GATEWAY ? "same-origin" : "omit",
      signal: AbortSignal.timeout(10_000),
    });
    const answer = await response.json();
    if (response.status === TOO_MANY_REQUESTS) throw unavailable(answer);
    return answer;
  } catch (error) {
    throw error instanceof NodeUnavailable ? error : new NodeUnavailable(String(error));
  }
}

/** @param {any} answer */
function resultOf(answer) {
  if (typeof answer !== "object" || answer === null) throw unavailable(null);
  if ("result" in answer) return answer.result;
  if (!answer.error || answer.error.code === UNAVAILABLE) throw unavailable(answer);
  throw new RpcError(answer.error);
}

/** @param {any} answer */
const unavailable = (answer) => new NodeUnavailable(answer?.detail ?? answer?.error?.message ?? "no answer");
