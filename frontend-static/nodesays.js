/** What a node's refusal of a transaction means: nodes have words for it, but no codes. tests/vectors/node_says.json has the words. Pure. */

/**
 * `known`: it has these bytes. `low`, `high`: another nonce is the next. `replacement`: another transaction waits with this
 * nonce. `underpriced`, `basefee`: it offers too little. `busy`: it may be taken later. The others are final.
 * @typedef {"known"|"low"|"high"|"replacement"|"underpriced"|"basefee"|"busy"|"funds"|"gas"|"declined"|"other"} Says
 */

/** The first that fits. @type {[RegExp, Says][]} */
const TABLE = [
  [/already known|already imported|known transaction/i, "known"],
  [/nonce too low|nonce has already been used/i, "low"],
  [/nonce too high|gapped-nonce/i, "high"],
  [/replacement transaction underpriced/i, "replacement"],
  [/block base ?fee|baseFeePerGas/i, "basefee"],
  [/underpriced/i, "underpriced"],
  [/insufficient funds|doesn't have enough funds/i, "funds"],
  [/user (rejected|denied)|rejected the request/i, "declined"],
  [/pool is full|limit (exceeded|reached)|replace pending|^at most \d+ (calls|requests|transactions) (of one a|wait for)|node (does|did) not answer|too many requests/i, "busy"],
  [/intrinsic gas|gas limit|requires at least \d+ gas|may use at most \d+ gas/i, "gas"],
];

/** @param {any} error as thrown, or its text @returns {Says} */
export function nodeSays(error) {
  if (error?.code === 4001) return "declined"; // EIP-1193
  const text = String(error?.message ?? error);
  return TABLE.find(([pattern]) => pattern.test(text))?.[1] ?? "other";
}
