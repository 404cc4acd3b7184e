/**
 * A player's search for an opponent. It begins with a request that the player signs and the page
 * sends to the gateway.
 */

import { WalletRejection } from "../../chain/wallet/eip1193.js";
import { signAs } from "../../chain/wallet/sign.js";
import { isStaked } from "../../games/shared/terms.js";
import { hasEnded } from "../../lib/board.js";
import { chainboardDomain } from "../../lib/ethereum/domain.js";

/** @import { GameInfo, Json, Tx } from "../../types.js" */
/** @typedef {{accounts: import("../../chain/wallet/accounts.js").Accounts, server: import("../server-state.js").ServerState}} Uses */

/**
 * The options of a search for an opponent. `confirmsFirst`: the player is playing a computer, so
 * the gateway asks the player before it pairs the player with a person. `hidden`: *Play* started
 * the search, and the page shows nothing until the gateway offers an opponent. `fallsBackSoon`: if
 * the gateway finds nobody within two seconds, the page opens a match against the computer.
 * @typedef {{confirmsFirst?: boolean, hidden?: boolean, fallsBackSoon?: boolean}} SearchOptions
 */
/** @typedef {object} Search @property {string} slug @property {number} clock seconds per move @property {string} account @property {number} startedAt the time when the request was sent, in milliseconds since 1970, or 0 before it is sent @property {boolean} confirmsFirst @property {boolean} hidden @property {boolean} fallsBackSoon @property {"waiting"|"asked"|"opening"|"opened"} state the state of the search, as reported by the gateway @property {Json|null} request the signed request for an opponent @property {string} opponent @property {string} asked the opponent whom the gateway offers, until this player accepts @property {boolean} opens true if this player opens the match @property {string} match the match that either player has opened @property {number} departures the number of opponents who left before the match began @property {boolean} isOpening true while the page is about to open the match @property {number} endsAt the time by which the board must show both players, in milliseconds since 1970; 0 for no deadline @property {boolean} joins true once the page has begun to join the match @property {Tx|null} tx the player's transaction that opens the match */

const SEEK_TYPES = {
  Seek: [
    { name: "account", type: "address" },
    { name: "game", type: "string" },
    { name: "clock", type: "uint32" },
    { name: "until", type: "uint48" },
  ],
};
/**
 * The time for which a signed request is valid, and the remaining time below which the page signs a
 * new request. Both are in seconds.
 */
const [VALID_SECONDS, RENEWAL_SECONDS] = [1800, 300];
/**
 * Return the longest clock with which the gateway pairs players, in seconds per move. Return
 * undefined if the server is older and doesn't report these clocks. @param {GameInfo} game
 */
export const longestClock = ({ presets }) => presets?.at(-1);

/** @param {string} slug @param {number} clock @param {string} account @param {SearchOptions} options @returns {Search} */
export const newSearch = (slug, clock, account, { confirmsFirst = false, hidden = false, fallsBackSoon = false }) => ({
  slug,
  clock,
  account,
  startedAt: 0,
  confirmsFirst,
  hidden,
  fallsBackSoon,
  state: "waiting",
  request: null,
  opponent: "",
  asked: "",
  opens: false,
  match: "",
  departures: 0,
  isOpening: false,
  endsAt: 0,
  joins: false,
  tx: null,
});

/**
 * Return the signed request for a search. If the last signed request doesn't expire soon, reuse it. @param {Uses} app @param {Search} search @returns {Promise<Json>} Throws WalletRejection.
 */
export async function signSeek({ accounts, server: { health } }, { slug, clock, account, request }) {
  if (request && request.until > Date.now() / 1000 + RENEWAL_SECONDS) return request;
  const signer = accounts.find(account);
  if (!signer || !health) throw new WalletRejection({ key: "why.no-server" });
  const message = { account, game: slug, clock, until: Math.floor(Date.now() / 1000) + VALID_SECONDS };
  const domain = chainboardDomain(health.chainId);
  const signature = await signAs(signer, health, { domain, types: SEEK_TYPES, primaryType: "Seek", message });
  return { ...message, signature };
}

/**
 * Return true if a match has the terms on which the two players agreed. The match must have the
 * agreed clock and no stake, and must be for these two players only. @param {Search} search @param {Json} board
 */
export function isAgreed({ account, clock, opponent }, board) {
  const seated = Object.keys(board.players);
  return (
    board.status === "open" &&
    (board.seatCount ?? 2) === 2 &&
    !isStaked(board) &&
    (board.clock ?? 0) === clock &&
    (!seated.length || seated.includes(opponent)) &&
    [undefined, account].includes(board.opponent)
  );
}

/** Return true if both players have a seat in the match and the match has not ended. @param {Search} search @param {Json|null} board */
export const areSeated = ({ account, opponent }, board) =>
  Boolean(board?.players[account] && board.players[opponent]) && !hasEnded(/** @type {Json} */ (board));
