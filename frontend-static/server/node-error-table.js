/**
 * Patterns of nodes' error messages. Generated from transactions/node_errors.json by
 * `python -m docs.reference`.
 */
export const NODE_ERRORS = {
  known: ["\\balready known\\b", "\\balready imported\\b", "\\bknown transaction\\b"],
  replacement: ["\\breplacement transaction underpriced\\b"],
  basefee: ["\\bless than block base fee\\b", "\\btoo low for the next block\\b"],
  underpriced: ["\\btransaction underpriced\\b"],
  low: ["\\bnonce too low\\b", "\\bnonce has already been used\\b"],
  high: ["\\bnonce too high\\b", "\\bgapped-nonce\\b"],
  busy: ["\\btxpool is full\\b", "\\baccount limit exceeded\\b", "\\bin-flight transaction limit\\b", "\\btries to replace pending\\b", "\\bnonce may be at most \\d+ above\\b", "\\bnode does not answer\\b", "\\bnode did not answer\\b", "\\btoo many (requests|calls|transactions)\\b", "\\brate[ -]limit", "\\brequest limit reached\\b", "\\bcompute units per second\\b"],
  funds: ["\\binsufficient funds\\b", "\\bdoesn't have enough funds\\b"],
  declined: ["\\buser rejected\\b", "\\buser denied\\b"],
  gas: ["\\bintrinsic gas too\\b", "\\brequires at least \\d+ gas\\b", "\\bgas cap\\b", "\\bblock gas limit\\b", "\\bmay use at most \\d+ gas\\b"],
  large: ["\\boversized data\\b", "\\bat most \\d+ bytes\\b"],
};
