/** The door to a node: JSON-RPC, through the gateway or to an address that the player typed. Nothing else here knows how a node is asked. */

/** The node (or the contract behind it) said no. `data` is what a revert carried, as 0x hex. */
export class NodeRefusal extends Error {
  /** @param {{code?: number, message?: string, data?: any}} error */
  constructor(error) {
    super(error.message ?? "");
    this.code = error.code ?? 0;
    this.data = revertData(error.data);
  }
}

/** No answer came; whether the node took what was sent is not known. */
export class NodeLost extends Error {}

/** What the gateway says when the node does not answer it, and what it says to who asks too much at once: both pass. */
const UNAVAILABLE = -32002;
const TOO_MANY = 429;

/** Nodes wrap revert data differently: a string, or objects around it. @param {any} data @returns {string} */
function revertData(data) {
  if (typeof data === "string") return data.startsWith("0x") ? data : "";
  return data && typeof data === "object" ? revertData(data.data ?? data.result) : "";
}

let calls = 0;

const GATEWAY = "/api/rpc";

/** What the gateway takes in one message. */
const BATCH = 20;

/** @param {string} method @param {any[]} params @returns {Promise<any>} */
export async function rpc(method, params) {
  return resultOf(await post({ jsonrpc: "2.0", id: ++calls, method, params }));
}

/** Asks another node than the gateway's. @param {string} url @param {string} method @param {any[]} params @returns {Promise<any>} */
export async function rpcAt(url, method, params) {
  return resultOf(await post({ jsonrpc: "2.0", id: ++calls, method, params }, url));
}

/** Several at once; the answers in the same order. @param {[string, any[]][]} asked @returns {Promise<any[]>} */
export async function batch(asked) {
  const parts = Array.from({ length: Math.ceil(asked.length / BATCH) }, (_, i) => asked.slice(i * BATCH, (i + 1) * BATCH));
  return (await Promise.all(parts.map(part))).flat();
}

/** @param {[string, any[]][]} asked */
async function part(asked) {
  const order = asked.map(([method, params]) => ({ jsonrpc: "2.0", id: ++calls, method, params }));
  const answers = await post(order);
  if (!Array.isArray(answers)) throw lost(answers);
  const byId = new Map(answers.map((answer) => [answer.id, answer]));
  return order.map(({ id }) => resultOf(byId.get(id) ?? {}));
}

/** @param {object} asked @param {string} [url] @returns {Promise<any>} */
async function post(asked, url = GATEWAY) {
  const headers = { "content-type": "application/json" };
  try {
    const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(asked), credentials: url === GATEWAY ? "same-origin" : "omit", signal: AbortSignal.timeout(10_000) });
    const answer = await response.json();
    if (response.status === TOO_MANY) throw lost(answer);
    return answer;
  } catch (error) {
    throw error instanceof NodeLost ? error : new NodeLost(String(error));
  }
}

/** @param {any} answer */
function resultOf(answer) {
  if (typeof answer !== "object" || answer === null) throw lost(null);
  if ("result" in answer) return answer.result;
  if (!answer.error || answer.error.code === UNAVAILABLE) throw lost(answer);
  throw new NodeRefusal(answer.error);
}

/** @param {any} answer */
const lost = (answer) => new NodeLost(answer?.detail ?? answer?.error?.message ?? "no answer");
