/** Whether a board is what its contract says, and who is asked. */

/** @type {Record<string, string>} */
export const verification = {
  "asked.heading": "Check boards with a node of your own",
  "asked.label": "Address of a node's JSON-RPC",
  "asked.lead":
    "https, or http on this computer. The page asks it what the contract says, and tells you when a board is another.",
  "asked.use": "Use",
  "asked.forget": "Forget",
  "asked.asking": "Asking whether it is of this chain…",
  "asked.worth": "What this proves, and what not",
  "asked.worth-lead":
    "Without a node of yours your wallet's is asked, else this server's own: then the mark is the server's word. A wallet whose network points to this server asks this server, too.",
  "asked.worth-contract":
    "This server still names the contract that is asked. The page remembers the contract's address and the hash of its code at your first look at a match, and tells you when they change; compare the address with your opponents' by another way.",
  "asked.typed": "asked: your node",
  "asked.wallet": "asked: your wallet",
  "asked.server": "asked: this server's node",
  "asked.typed-lead": "Your node {name} said so, not this server.",
  "asked.wallet-lead":
    "Your wallet {name} asked the node that is set in it. If that is this server's address, it is this server's word.",
  "asked.server-lead":
    "This server's own node was asked, so this is the server's word. Name a node of your own under Account, Network.",
  "asked.no-address":
    "This is no address that a page may ask: it begins with https://, or with http://127.0.0.1 or http://localhost for a node on this computer.",
  "asked.this-server": "This is the server whose word is to be checked. Name another node.",
  "asked.no-node": "{name} answers, but not as a chain's node does.",
  "asked.no-answer":
    "{name} does not answer this page. It is not running, or it does not let pages of {page} ask it (CORS).",
  "asked.refused": "{name} refused to say which chain it is of: {text}",
  "asked.other-chain": "{name} is of the chain {has}; this is {chain}.",
  "asked.other-genesis": "{name} is of another chain with the same id {chain}: its first block is another.",

  "checked.asking": "Comparing with the chain…",
  "checked.same": "Same as the chain at block {height}",
  "checked.counted": "As many events as on the chain at block {height}",
  "checked.counted-lead":
    "The page does not know how this game's contract shows a board, so only the number of events was compared.",
  "checked.differs": "The chain says otherwise",
  "checked.differs-lead": "This board is not what the contract says at block {height}.",
  "checked.untold": "Not compared with the chain",
  "checked.place": "is {shown} here, {real} on the chain",
  "checked.more": "{n} more",
  "checked.nothing": "nothing",
  "checked.contract": "Contract asked:",
  "checked.accept": "It is right: remember this contract",
  "checked.advice": "Do not move before you know why. Ask another node, or reload the page.",
  "checked.between": "This is a board between two events of block {height}; the contract tells only how a block ends.",
  "checked.pruned": "The node that was asked has no state of block {height} any more, and the match has gone on.",
  "checked.not-there": "The node that was asked does not have block {height} yet.",
  "checked.other-block": "At height {height} the chain has block {real}, this board is of block {shown}.",
  "checked.further": "The chain has {real} events of this match; this server shows {shown}.",
  "checked.no-answer": "The node that was asked does not answer.",
  "checked.refused": "The node that was asked refused: {text}",
  "checked.unreadable": "What the contract says can't be read as a board of this game.",
  "checked.no-contract": "There is no contract at {address}, which this server names.",
  "checked.no-match": "The contract knows no such match.",
  "checked.other-contract":
    "This server names another contract for this match than at your first look: it was {was}, now {now}.",
  "checked.other-code": "The contract's code is another than at your first look.",
};
