/** What a node's refusal of a transaction means: nodes have words for it, but no codes. tests/fixtures/vectors/node_says.json has the words. Pure. */

/**
 * `known`: it has these bytes. `low`, `high`: another nonce is the next. `replacement`: another transaction waits with this
 * nonce. `underpriced`, `basefee`: it offers too little. `busy`: it may be taken later. `large`: it carries too much. The others are final.
 * @typedef {"known"|"low"|"high"|"replacement"|"underpriced"|"basefee"|"busy"|"funds"|"gas"|"large"|"declined"|"other"} NodeErrorKind
 */

/** The first that fits. @type {[RegExp, NodeErrorKind][]} */
const TABLE = [
  [/\balready known\b|\balready imported\b|\bknown transaction\b/i, "known"],
  [/\bnonce too low\b|\bnonce has already been used/i, "low"],
  [/\bnonce too high\b|\bgapped-nonce\b/i, "high"],
  [/\breplacement transaction underpriced\b/i, "replacement"],
  [/\bless than block base fee\b|\btoo low for the next block\b/i, "basefee"],
  [/\btransaction underpriced\b/i, "underpriced"],
  [/\binsufficient funds\b|\bdoesn't have enough funds\b/i, "funds"],
  [/\buser (rejected|denied)\b|\brejected the request\b/i, "declined"],
  [
    /\btxpool is full\b|\b(account|in-flight transaction|request) limit (exceeded|reached)\b|\btries to replace pending\b/i,
    "busy",
  ],
  [/\bnonce may be at most \d+ above\b/i, "busy"],
  [
    /^at most \d+ (calls|requests|transactions) (of one a|wait\b)|\bnode (does|did) not answer\b|\btoo many requests\b|\brate[ -]limit|\bcompute units per second\b/i,
    "busy",
  ],
  [
    /\bintrinsic gas too\b|\bgas cap\b|\bblock gas limit\b|\brequires at least \d+ gas\b|\bmay use at most \d+ gas\b/i,
    "gas",
  ],
  [/\boversized data\b|\bat most \d+ bytes\b/i, "large"],
];

/** @param {any} error as thrown, or its text @returns {NodeErrorKind} */
export function classify(error) {
  if (error?.code === 4001) return "declined"; // EIP-1193
  const text = String(error?.message ?? error);
  return TABLE.find(([pattern]) => pattern.test(text))?.[1] ?? "other";
}
