/** The texts that all games share, one table per language; each game adds its own. `{n}` is filled in; `{n|turn|turns}` chooses by number. */

/** @import { Json, Phrase } from "./types.js" */

/** @type {Record<string, string>} */
const en = {
  "page.title": "Chainboard",
  "page.skip": "Skip to the board",
  "page.loading": "Loading…",
  "page.nothing-there": "There is nothing at this address",
  "page.no-such-match": "There is no match {match} on this chain.",
  "page.no-renderer": "This page can't draw {game} yet.",
  "page.no-such-game": "There is no game {game} on this chain.",
  "page.to-lobby": "Back to the lobby",

  "line.connecting": "Connecting…",
  "line.live": "Live",
  "line.lost": "Connection lost",
  "line.lost-for": "trying again · data are {age} old",
  "line.catching-up": "Catching up",
  "line.degraded": "Live, with trouble",
  "line.node-behind": "The node is behind",
  "line.node-lost": "The chain's node does not answer",
  "line.block-age": "block {height} · {age}",
  "line.detail": "Chain {chain}, genesis {genesis}",

  "age.seconds": "{n} s",
  "age.minutes": "{n} min",
  "age.hours": "{n} h",
  "age.days": "{n} {n|day|days}",
  "age.ago": "{age} ago",

  "clock.none": "no clock",
  "clock.minutes": "{n} min",
  "clock.hours": "{n} {n|hour|hours}",
  "clock.whole-days": "{n} {n|day|days}",
  "clock.days": "{n} {n|day|days} {hours} h",
  "clock.over": "time is over",
  "clock.until": "until {time}",

  "theme.to-dark": "Dark colours",
  "theme.to-light": "Light colours",

  "lobby.heading": "Games on a chain",
  "lobby.lead": "Every move is a signed transaction. Your wallet is ready: press Play.",
  "lobby.play": "Play",
  "lobby.live": "Live now",
  "lobby.last": "Latest match",
  "lobby.no-match": "No match yet",
  "lobby.new": "New match",
  "lobby.new-of": "New match of {game}",
  "lobby.own": "Open a match of your own",
  "lobby.running": "Running",
  "lobby.finished": "Finished",
  "lobby.none-running": "Nobody plays just now. Press Play, and send the link to somebody.",
  "lobby.none-finished": "No match has ended yet.",
  "lobby.match": "Match",
  "lobby.players": "Players",
  "lobby.state": "State",
  "lobby.moves": "Moves",
  "lobby.age": "Last move",
  "lobby.no-players": "nobody yet",
  "lobby.no-games": "This chain has no games yet.",
  "lobby.yours": "yours",
  "lobby.for": "for {name}",
  "lobby.for-you": "for you",

  "status.none": "not opened",
  "status.open": "open",
  "status.playing": "running",
  "status.finished": "finished",
  "status.cancelled": "cancelled",

  "match.title": "{game} {id}",
  "match.players": "Players",
  "match.feed": "Moves",
  "match.feed-empty": "Nothing has happened yet.",
  "match.actions": "Your move",
  "match.you": "you",
  "match.copy": "Copy",
  "match.copied": "Copied",
  "match.copy-address": "Copy address {address}",
  "match.waiting": "Waiting for a second player",
  "match.waiting-lead": "Send this link, or take both sides yourself.",
  "match.waiting-anyone": "Anyone may take the other side.",
  "match.waiting-for": "Waiting for {name}",
  "match.waiting-for-lead": "Send the link to",
  "match.invited": "{name} invites you",
  "match.invited-lead": "The other side is for you alone.",
  "match.for-other": "For {name} only",
  "match.for-other-lead": "You can watch. The other side is for",
  "match.copy-link": "Copy link",
  "match.both-sides": "Play both sides here",
  "match.hand-over": "Hand over",
  "match.hand-over-to": "Hand over to {name}",
  "match.won": "{name} won",
  "match.you-won": "You won",
  "match.you-lost": "{name} won, you lost",
  "match.resigned-won": "{name} won: {loser} gave up",
  "match.resigned-you-won": "You won: {loser} gave up",
  "match.resigned-you-lost": "You gave up, {name} won",
  "match.resigned-none": "Given up; nobody won",
  "match.timeout-won": "{name} won on time",
  "match.timeout-you-won": "You won on time",
  "match.timeout-you-lost": "Your time ran out, {name} won",
  "match.timeout-none": "The time ran out; nobody won",
  "match.cheating-proved-won": "{name} won: {loser} cheated",
  "match.cheating-proved-you-won": "You won: {loser} cheated",
  "match.cheating-proved-you-lost": "{name} won: you were proved to cheat",
  "match.cheating-proved-none": "Cheating was proved; nobody won",
  "match.draw": "A draw",
  "match.ended": "The match is over",
  "match.cancelled": "Cancelled",
  "match.again": "New match",
  "match.to-rematch": "Go to the rematch",
  "match.rematch-of": "Rematch of",
  "match.sure": "{action}? Press again",
  "match.position": "Event {seq} · block {height}",
  "match.hash": "Board {hash}",
  "match.legend": "What piece {unit} sees",
  "match.board-label": "Board, {width} by {height}. Arrow keys move, Enter selects.",
  "match.text-board": "The board in words",
  "match.nobody": "Nobody plays yet.",
  "match.placing": "is joining…",
  "match.block-tx": "Block {height}, transaction {tx}",

  "account.open": "Account",
  "account.close": "Close",
  "account.heading": "Account",
  "account.browser": "Browser wallet {name}",
  "account.development": "Development account {name}",
  "account.injected": "{name}",
  "account.eth": "{amount} ETH",
  "account.filling": "Being filled…",
  "account.ask-faucet": "Ask the faucet",
  "account.reconnect": "Ask the wallet again",
  "account.wallet-switched": "{wallet} switched to {name}; the page follows it.",
  "account.wallets": "Wallets",
  "account.use": "Use",
  "account.in-use": "In use",
  "account.make": "Make another browser wallet",
  "account.development-show": "Show development accounts",
  "account.other-chain": "This wallet knows another chain with the id {chain}. In the wallet, set the address of that network to {url}.",
  "account.connect": "Connect {name}",
  "account.none-injected": "No wallet extension found in this browser.",
  "account.transactions": "Transactions",
  "account.earlier": "{n} earlier",
  "account.no-transactions": "No transaction in this visit yet.",
  "account.keys": "Key",
  "account.show-key": "Show private key",
  "account.hide-key": "Hide private key",
  "account.key-warning": "This key is for games and small sums. Whoever has it has the account and all that is in it, and who loses it has lost both. It lies in this browser's storage, not encrypted.",
  "account.key-development": "A development account's key is public. It is worth nothing outside a development chain.",
  "account.key-injected": "Your wallet keeps this key, and the page never sees it.",
  "account.not-kept": "This browser lets the page store nothing: the key is gone when this tab is closed. Save it now if anything is to stay.",
  "account.key-name": "Name",
  "account.backed-up": "You have this key elsewhere, too.",
  "account.not-backed-up": "This key is nowhere else yet. It needs a backup before it can put a stake into a match.",
  "account.to-backup": "Back up the key",
  "account.kept": "I have it elsewhere now",
  "account.save-key": "Save as a file",
  "account.save-lead": "The file is encrypted with a password of yours (a keystore, as other wallets read it). Without the password nobody can open it, you included.",
  "account.save-file": "Encrypt and save",
  "account.saved": "Saved. Keep the file and its password apart.",
  "account.password": "Password",
  "account.password-short": "The password needs at least {n} characters.",
  "account.working": "Working on it",
  "account.bring-key": "Bring a key from elsewhere",
  "account.key-text": "Private key",
  "account.drop": "Or a keystore file: choose it, or drop it here",
  "account.bring": "Take it in",
  "account.brought": "The key is in this browser now, and in use.",
  "account.key-not-hex": "A private key is made of the digits 0 to 9 and a to f; there is something else in this.",
  "account.key-length": "A private key has 64 digits; this has {n}.",
  "account.key-zero": "Zero is no private key: it belongs to nobody.",
  "account.key-high": "This number is too high for a private key of this chain's curve.",
  "account.key-here": "This key is here already: it is {address}.",
  "account.keystore-broken": "This is no keystore file, or it is damaged.",
  "account.keystore-password": "The password does not open this file; or the file is damaged.",
  "account.keystore-heavy": "Opening this file would take more memory or time than a browser has. Open it in the wallet that made it.",
  "account.session": "Play without a question per move",
  "account.session-lead": "A key made here may move for this account, in games and until a time that you choose. Seats, boards and wins stay this account's.",
  "account.session-open": "Let a key play",
  "account.session-games": "In these games",
  "account.session-for": "For",
  "account.session-gas": "Ether for its gas",
  "account.session-gas-lead": "Sent to the key by this account, enough for some dozens of moves. What is left can be sent back.",
  "account.session-faucet": "The key pays the gas of its moves itself: with play money that the faucet of this development chain gives it.",
  "account.session-limits": "It can't put in a stake, take money out, send ether of this account, or act in other games. You can take its leave back at any time; until then whoever has this browser can play for you.",
  "account.session-no-question": "This account signs once, by itself.",
  "account.session-one-question": "Your wallet asks once: for a signature, which costs nothing.",
  "account.session-two-questions": "Your wallet asks twice: for a signature, which costs nothing, and for the transfer.",
  "account.session-begin": "Sign and begin",
  "account.session-cancel": "Not now",
  "account.session-asking": "One moment…",
  "account.session-signing": "Waiting for the account's signature…",
  "account.session-paying": "Sending the key ether for its gas…",
  "account.session-linking": "The key tells the chain that it serves you…",
  "account.session-revoking": "Taking the key's leave back…",
  "account.session-returning": "Sending back what is left…",
  "account.session-list": "Keys that may play for this account, or might once",
  "account.session-none": "No key plays for this account: it signs each move itself.",
  "account.session-live": "plays",
  "account.session-expired": "expired",
  "account.session-revoked": "revoked",
  "account.session-begun": "not finished",
  "account.session-until": "until {time}",
  "account.session-was-until": "was until {time}",
  "account.session-left": "{amount} ETH for gas left",
  "account.session-poor": "It has too little left for a large move; the account signs those again.",
  "account.session-top-up": "Fill it up",
  "account.session-revoke": "Revoke",
  "account.session-carry-on": "Go on",
  "account.session-give-up": "Forget it",
  "account.session-take-back": "Send it back",
  "account.session-elsewhere": "This key is in another browser.",
  "account.network": "Network",
  "account.chain": "Chain",
  "account.genesis": "Genesis",
  "account.state": "State",
  "account.rpc": "RPC address",
  "account.dev-chain": "Development chain: its ether is play money.",

  "help.heading": "Keys",
  "help.arrows": "Move over the board",
  "help.enter": "Select on the board; press the focused button",
  "help.escape": "Close, or select nothing",
  "help.help": "This list",
  "help.account": "Account",
  "help.lobby": "Lobby",
  "help.theme": "Light or dark",
  "help.act": "The actions, in their order",
  "help.open": "Keys",

  "tx.waiting": "waits for an earlier one",
  "tx.simulated": "checked",
  "tx.signed": "signed",
  "tx.sent": "sent",
  "tx.mined": "in block {block}",
  "tx.failed": "failed",
  "tx.failed-in": "failed in block {block}",
  "tx.refused": "refused",
  "tx.not-sent": "The server could not be reached, so nothing was sent and nothing spent.",
  "tx.dropped": "The node does not know this transaction any more. It did nothing; you can try again.",
  "tx.replaced": "Another transaction of this account took its place, sent by another program maybe. It did nothing; you can try again.",
  "tx.other-chain": "The chain was started anew before this arrived.",
  "tx.unexplained": "It failed in its block; asked again, the contract would take it now.",
  "tx.opened": "opened {match}",
  "tx.nonce": "nonce {nonce}",
  "tx.wallet-ahead": "Your wallet gave it the number {nonce}, but this chain is at {count}: it counted before the chain was started anew. Clear the wallet's activity data for this network (in MetaMask: Settings, Advanced, Clear activity tab data), then try again.",
  "tx.wallet-elsewhere": "Your wallet says that it was sent, but the chain's node does not know it. Look in the wallet: it may wait there, or go to another network.",
  "tx.life": "{action}: {state}",

  "game.lead": "Each move is a transaction; the rules are a contract.",

  "why.no-server": "No connection to the server.",
  "why.short": "This may cost up to {need} ETH; this wallet has {have}: about {missing} ETH are missing.",
  "why.poor-ether": "The deposit is {need} ETH; this wallet has {have}: with the gas about {missing} ETH are missing.",
  "why.backup": "A key that holds a seat with a stake needs a backup first: this browser could lose it.",
  "why.wallet-chain": "{wallet} is on the network {has} now; this is {chain}. Switch it back in the wallet.",
  "why.wallet-gone": "{wallet} is not connected to this page any more.",
  "why.wallet-account": "{wallet} uses {uses} now; this is for {wants}. Switch back in the wallet, or use the other account here.",
  "why.session-no-game": "Choose a game at least.",
  "why.session-games": "A key serves {most} contracts at most; these games have {n}.",
  "why.no-funds": "This wallet has no ether to pay for a transaction.",
  "why.filling": "Your new wallet is being filled; a moment.",
  "why.on-its-way": "Already on its way.",
  "why.over": "The match is over.",
  "why.not-opened": "This match was not opened yet.",
  "why.not-over": "When the match is over.",
  "why.not-open": "The match has begun already.",
  "why.not-opener": "Only who opened the match can close it.",
  "why.own-match": "You opened it; the other side is for somebody else.",
  "why.not-invited": "The other side is for {name} only.",
  "why.not-begun": "The match begins when a second player accepts.",
  "why.not-a-player": "You don't play in this match.",
  "why.not-your-turn": "It is {name}'s turn.",
  "why.no-clock": "This match has no clock.",
  "why.not-expired": "There is still time left.",
  "why.opponent": "{label}: an address, or nothing for anyone.",
  "why.yourself": "{label}: that is you.",
  "why.token": "{label}: an address, or nothing for ether.",
  "why.amount": "{label}: a number, such as 0.01.",
  "why.places": "{label}: at most {decimals} places after the point.",
  "why.text": "{label}: at most {maximum} bytes; these are {n}.",
  "why.poor": "The deposit is {need} {unit}; this wallet has {have}.",
  "why.token-asking": "Asking the token what you have…",
  "why.token-unread": "{token} could not be asked as a token.",
  "why.address": "{label}: type an address.",
  "why.input": "{label}: from {minimum} to {maximum}.",

  "worth.ether": "{amount} ETH",
  "worth.token": "{amount} {symbol} ({token})",
  "worth.units": "{amount} units of {token}",

  "input.anyone": "anyone",
  "input.ether": "ether",
  "input.eth": "ETH",
  "action.approve": "Allow the deposit",
  "action.link": "Link the session key",
  "action.revoke": "Revoke the session key",
  "action.fund": "Ether for the session key",
  "action.return": "Send back what is left",
  "action.claimTimeout": "Claim the timeout",
  "hint.claimTimeout": "The time of who is to move is over.",

  "unit.mine": "my piece {unit}",
  "unit.other": "piece {unit} of {owner}",
  "unit.out": "lost piece {unit}",

  "feed.MatchCreated": "{player} opened the match",
  "feed.MatchCreated-for": "{player} opened the match for {opponent}",
  "feed.PlayerJoined": "{player} joined",
  "feed.MatchStarted": "The match begins",
  "feed.MatchEnded-won": "{player} won",
  "feed.MatchEnded-draw": "A draw",
  "feed.MatchEnded-resigned": "{player} won: the other gave up",
  "feed.MatchEnded-timeout": "{player} won on time",
  "feed.MatchEnded-timeout-none": "The time ran out; nobody won",
  "feed.MatchEnded-cheating": "{player} won: cheating was proved",
  "feed.MatchEnded-cheating-none": "Cheating was proved; nobody won",
  "feed.MatchEnded-cancelled": "Cancelled",
  "feed.MatchEnded": "The match is over",
  "feed.more": "{n} more",
  "feed.other": "{name}",

  "error.other": "The contract refused this.",
  "error.ReentrancyGuardReentrantCall": "The contract was called again from inside a call.",
  "error.Unknown": "The contract refused this without a reason that this page knows.",
  "error.Error": "The contract refused this.",
  "error.Panic": "The contract stopped on a fault of its own.",
  "error.NoSuchMatch": "There is no match {matchId}.",
  "error.WrongStatus": "The match is not in the right state for this any more.",
  "error.StaleMove": "The match has moved on: it is at move {current}, yours was for move {given}.",
  "error.NotAPlayer": "You do not play in this match.",
  "error.NotExpired": "There is still time for the move.",
  "error.SamePlayer": "Both sides can't be one player's.",
  "error.NotInvited": "The other side is for {invited} only.",
  "error.NotYourTurn": "It is the other's turn.",
  "error.BadClock": "A clock of {given} seconds is not possible here: from {minimum} to {maximum}.",
  "error.NoClock": "This match has no clock.",
  "error.Expired": "The session key's time is over.",
  "error.NotLinked": "The session key is not allowed to play this game.",
  "error.KeyTaken": "The key {key} serves another account already.",
  "error.BadKey": "{key} can't be a session key.",
  "error.BadSignature": "The signature is not {account}'s for exactly this.",
  "error.NoOffer": "No such offer is waiting.",
  "error.TooManyGames": "At most {allowed} games a session key; these are {given}.",

  "node.funds": "This wallet has too little ether for the transaction.",
  "node.funds-missing": "This may cost up to {need} ETH; the wallet has {have}: about {missing} ETH are missing.",
  "node.said": "{text}",
  "node.wallet-locked": "Your wallet gave this page no account. Unlock it, and allow this page in it.",
  "node.wallet-gone": "Your wallet has lost its line to the chain. Look in the wallet, then try again.",
  "node.wallet-asks": "Your wallet is waiting for an answer already: open it, and answer there.",
  "node.wallet-nonce": "Your wallet counts its transactions otherwise than this chain, which was started anew maybe. Clear the wallet's activity data for this network (in MetaMask: Settings, Advanced, Clear activity tab data), then try again.",
  "node.wallet-refused": "Your wallet refused this.",
  "node.declined": "You declined it in your wallet.",
  "node.nonce": "Another program used this key at the same moment. Try again.",
  "node.underpriced": "The chain asks a higher fee just now. Try again.",
  "node.busy": "The server is busy. Try again in a moment.",
  "node.refused": "The node refused this.",
};

/** @type {Record<string, Record<string, string>>} */
export const languages = { en };
const language = "en";

/**
 * Adds the texts of a game. Each of its keys begins with its slug, so that no game speaks for another one or for the page.
 * @param {string} slug @param {Record<string, Record<string, string>>} words a table per language
 */
export function addGame(slug, words) {
  const foreign = Object.values(words).flatMap(Object.keys).filter((key) => !key.startsWith(`${slug}.`));
  if (foreign.length) throw new Error(`${slug} can't name the texts ${foreign.join(", ")}`);
  for (const [name, table] of Object.entries(words)) languages[name] = { ...languages[name], ...table };
}

/** @param {string} key */
export const has = (key) => Object.hasOwn(languages[language], key);

/**
 * A text. An unknown key shows itself, so that it is seen.
 * @param {string} key @param {Json} [args]
 */
export function t(key, args = {}) {
  const template = has(key) ? languages[language][key] : key;
  return template.replace(/\{(\w+)(?:\|([^|}]*)\|([^}]*))?\}/g, (_, name, one, many) => {
    if (one === undefined) return String(args[name] ?? "");
    return Number(args[name]) === 1 ? one : many;
  });
}

/** @param {Phrase} phrase */
export const say = ({ key, args }) => t(key, args);

/** The first of these texts that there is; the last argument stands in when there is none. @param {string[]} keys @param {string} otherwise */
export function either(keys, otherwise) {
  const key = keys.find(has);
  return key ? t(key) : otherwise;
}

/** The key of a game's own text, if it has one; else of the shared one. @param {string} slug @param {string} key */
export const ofGame = (slug, key) => (has(`${slug}.${key}`) ? `${slug}.${key}` : key);

/** `0x70…c8`, as people tell addresses apart. @param {string} address */
export const short = (address) => `${address.slice(0, 4)}…${address.slice(-2)}`;

/** @param {number} seconds */
export function age(seconds) {
  if (seconds < 60) return t("age.seconds", { n: Math.max(0, Math.round(seconds)) });
  if (seconds < 3600) return t("age.minutes", { n: Math.floor(seconds / 60) });
  if (seconds < 172_800) return t("age.hours", { n: Math.floor(seconds / 3600) });
  return t("age.days", { n: Math.floor(seconds / 86_400) });
}

/** A clock's length as one chooses it. @param {number} seconds */
export function span(seconds) {
  if (seconds === 0) return t("clock.none");
  if (seconds % 86_400 === 0) return t("clock.whole-days", { n: seconds / 86_400 });
  if (seconds % 3600 === 0) return t("clock.hours", { n: seconds / 3600 });
  return seconds % 60 === 0 ? t("clock.minutes", { n: seconds / 60 }) : t("age.seconds", { n: seconds });
}
