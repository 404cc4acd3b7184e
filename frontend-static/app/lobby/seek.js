/** A player's signed request to the gateway for an opponent. It names the game and the clock. */

import { WalletRejection } from "../../chain/wallet/eip1193.js";
import { signAs } from "../../chain/wallet/sign.js";
import { isStaked } from "../../games/shared/terms.js";
import { hasEnded } from "../../lib/board.js";
import { chainboardDomain } from "../../lib/ethereum/domain.js";

/** @import { GameInfo, Json, Tx } from "../../types.js" */
/** @typedef {{accounts: import("../../chain/wallet/accounts.js").Accounts, server: import("../server-state.js").ServerState}} Uses */

/**
 * The options of a search. `confirmsFirst`: the player is playing a computer, so the gateway asks
 * them before it pairs them. `hidden`: *Play* started the search, and the page doesn't show it
 * until somebody comes. `fallsBackSoon`: if nobody comes soon, the player plays the computer.
 * @typedef {{confirmsFirst?: boolean, hidden?: boolean, fallsBackSoon?: boolean}} SearchOptions
 */
/** @typedef {object} Search @property {string} slug @property {number} clock seconds per move @property {string} account @property {number} startedAt the time when the request was sent, in milliseconds since 1970, or 0 before it is sent @property {boolean} confirmsFirst @property {boolean} hidden @property {boolean} fallsBackSoon @property {"waiting"|"asked"|"opening"|"opened"} state as reported by the gateway @property {Json|null} request the signed request @property {string} opponent @property {string} asked the opponent whom the gateway offers, until this player accepts @property {boolean} opens true if this player opens the match @property {string} match the opened match @property {number} departures the number of opponents who left before the match began @property {boolean} isOpening true while the page is about to open the match @property {number} endsAt the time by which the board must show both players, in milliseconds since 1970; 0 for no deadline @property {boolean} joins true once the page has begun to join the match @property {Tx|null} tx the transaction that opens the match */

const SEEK_TYPES = {
  Seek: [
    { name: "account", type: "address" },
    { name: "game", type: "string" },
    { name: "clock", type: "uint32" },
    { name: "until", type: "uint48" },
  ],
};
/**
 * The validity of a signature, and the remaining validity below which the page signs again, both in
 * seconds.
 */
const [VALID_SECONDS, RENEWAL_SECONDS] = [1800, 300];
/**
 * Return the longest clock preset, in seconds per move, or undefined if the server is older and
 * reports no presets. @param {GameInfo} game
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

/** Return the signed request for a search. Reuse the last signature unless it expires soon. @param {Uses} app @param {Search} search @returns {Promise<Json>} Throws WalletRejection. */
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
 * Return true if a match has the terms on which the two players agreed. It must be for these two
 * players only, with the agreed clock and no stake. @param {Search} search @param {Json} board
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

/** Return true if the two players' match has begun and has not ended. @param {Search} search @param {Json|null} board */
export const areSeated = ({ account, opponent }, board) =>
  Boolean(board?.players[account] && board.players[opponent]) && !hasEnded(/** @type {Json} */ (board));
