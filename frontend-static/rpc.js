/** The door to the node: JSON-RPC through the gateway. Nothing else here knows how a node is asked. */

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

/** @param {string} method @param {any[]} params @returns {Promise<any>} */
export async function rpc(method, params) {
  const body = JSON.stringify({ jsonrpc: "2.0", id: ++calls, method, params });
  const headers = { "content-type": "application/json" };
  let answer;
  try {
    const response = await fetch("/api/rpc", { method: "POST", headers, body, signal: AbortSignal.timeout(10_000) });
    answer = await response.json();
    const none = !("result" in answer) && !answer.error;
    if (none || response.status === TOO_MANY || answer.error?.code === UNAVAILABLE) throw new Error(answer.detail ?? answer.error?.message ?? `HTTP ${response.status}`);
  } catch (error) {
    throw new NodeLost(String(error));
  }
  if (answer.error) throw new NodeRefusal(answer.error);
  return answer.result;
}
