/** What a player says to the gateway who waits for an opponent: for which game and time, signed by the account. */

import { WalletRefusal } from "../../chain/wallet/eip1193.js";
import { signAs } from "../../chain/wallet/sign.js";
import { isStaked } from "../../games/shared/terms.js";
import { hasEnded } from "../../lib/board.js";
import { chainboardDomain } from "../../lib/ethereum/domain.js";

/** @import { GameInfo, Json, Tx } from "../../types.js" */
/** @typedef {{accounts: import("../../chain/wallet/accounts.js").Accounts, server: import("../server-state.js").ServerState}} Needs What it uses of the page. */

/** How it is searched. `asks`: this player is asked first, as a computer is played meanwhile. `isQuiet`: begun by *Play*, and not shown until somebody comes. `isBrief`: the computer plays where nobody comes at once. @typedef {{asks?: boolean, isQuiet?: boolean, isBrief?: boolean}} SearchOptions */
/**
 * @typedef {object} Search
 * @property {string} slug
 * @property {number} clock seconds for a move
 * @property {string} account
 * @property {number} startedAt milliseconds since 1970: the gateway heard of it then; 0: it has not yet
 * @property {boolean} asks
 * @property {boolean} isQuiet
 * @property {boolean} isBrief
 * @property {"waiting"|"asked"|"opening"|"opened"} state as the gateway tells it
 * @property {Json|null} request what was signed
 * @property {string} rival
 * @property {string} asked who is asked by the gateway whether to play
 * @property {boolean} opens whether this player opens the match
 * @property {string} match that was opened
 * @property {number} lost how many rivals left before the match began
 * @property {boolean} isOpening whether the page is about to open it
 * @property {number} endsAt milliseconds since 1970: then the board must show both; 0: no such time
 * @property {boolean} joins whether the page is about to join it
 * @property {Tx|null} tx what opens it
 */

const SEEK_TYPES = {
  Seek: [
    { name: "account", type: "address" },
    { name: "game", type: "string" },
    { name: "clock", type: "uint32" },
    { name: "until", type: "uint48" },
  ],
};
/** How many seconds a signature is valid, and how long before its end the page signs again. */
const [VALID, RENEWED] = [1800, 300];
/** The seconds for a move in which nobody is in a hurry; undefined: from an older server. @param {GameInfo} game */
export const casual = ({ presets }) => presets?.at(-1);

/** @param {string} slug @param {number} clock @param {string} account @param {SearchOptions} how @returns {Search} */
export const newSearch = (slug, clock, account, { asks = false, isQuiet = false, isBrief = false }) => ({
  slug,
  clock,
  account,
  startedAt: 0,
  asks,
  isQuiet,
  isBrief,
  state: "waiting",
  request: null,
  rival: "",
  asked: "",
  opens: false,
  match: "",
  lost: 0,
  isOpening: false,
  endsAt: 0,
  joins: false,
  tx: null,
});

/** Its signed request; the last one while that is valid for long enough. @param {Needs} app @param {Search} search @returns {Promise<Json>} Throws WalletRefusal. */
export async function signSeek({ accounts, server: { health } }, { slug, clock, account, request }) {
  if (request && request.until > Date.now() / 1000 + RENEWED) return request;
  const signer = accounts.find(account);
  if (!signer || !health) throw new WalletRefusal({ key: "why.no-server" });
  const message = { account, game: slug, clock, until: Math.floor(Date.now() / 1000) + VALID };
  const domain = chainboardDomain(health.chainId);
  const signature = await signAs(signer, health, { domain, types: SEEK_TYPES, primaryType: "Seek", message });
  return { ...message, signature };
}

/** Whether a match is what a pair has agreed to: for the two alone, with this clock, and nothing at stake. @param {Search} search @param {Json} board */
export function isAgreed({ account, clock, rival }, board) {
  const seated = Object.keys(board.players);
  return (
    board.status === "open" &&
    (board.seatCount ?? 2) === 2 &&
    !isStaked(board) &&
    (board.clock ?? 0) === clock &&
    (!seated.length || seated.includes(rival)) &&
    [undefined, account].includes(board.opponent)
  );
}

/** Whether the match of a pair has begun. @param {Search} search @param {Json|null} board */
export const areSeated = ({ account, rival }, board) =>
  Boolean(board?.players[account] && board.players[rival]) && !hasEnded(/** @type {Json} */ (board));
