/**
 * Sends and shows emotes, which are six signs that players can send to each other during a match.
 * The gateway forwards them to everyone who is watching the match. They aren't stored on the chain.
 */

import { WalletRejection, reasonOf } from "../../chain/wallet/eip1193.js";
import { signAs } from "../../chain/wallet/sign.js";
import { hasEnded } from "../../lib/board.js";
import { chainboardDomain } from "../../lib/ethereum/domain.js";
import { readText, writeText } from "../../lib/storage.js";
import { computers } from "../../names/computers.js";
import { problemText } from "../../server/rest.js";

/** @import { ServerState } from "../server-state.js" */
/** @import { Accounts } from "../../chain/wallet/accounts.js" */
/** @import { I18nText, Json } from "../../types.js" */
/** @typedef {{accounts: Accounts, redraw: () => void, server: ServerState}} Uses */
/**
 * The speech bubble next to a player's name. It shows the player's emote or, if the player's own
 * emote wasn't sent, the reason. @typedef {{emote: string, why?: I18nText}} Bubble
 */

export const EMOTES = ["well-played", "nice-shot", "oops", "thinking", "hurry", "hello"];
const TYPES = {
  Emotes: [
    { name: "account", type: "address" },
    { name: "until", type: "uint48" },
  ],
};
const BUBBLE_MS = 4000;
/**
 * The time for which a signed statement is valid, in seconds. It is so long that a wallet usually
 * asks its user only once per match.
 */
const VALID = 12 * 3600;
const STORAGE = "chainboard.emotes";

export class Emotes {
  /** @param {Uses} app */
  constructor(app) {
    this.app = app;
    /** The match in which the player has opened the row of emotes, or "" if the row is closed. */
    this.open = "";
    this.isMuted = readText(STORAGE) === "off";
    /** @type {Map<string, Bubble>} */
    this.bubbles = new Map();
    /** For each account, the signed statement that the page sends with the account's emotes. @type {Map<string, Json>} */
    this.statements = new Map();
    this.isSigning = false;
  }

  /**
   * Return true if the page offers emotes in a match. The account in use must have a seat, and its
   * opponent must be a person with another browser. After the end of the match, somebody else must
   * be watching. @param {string} match
   */
  isOffered(match) {
    const { accounts, server } = this.app;
    const board = server.board(match) ?? {};
    const { players = {} } = board;
    const hasOpponent = Object.keys(players).some((one) => !accounts.find(one) && !computers.has(one));
    const isAlone = hasEnded(board) && (server.presence.get(match)?.watchers ?? 0) < 2;
    return Boolean(players[accounts.me] && hasOpponent && !isAlone);
  }

  /** Open the row of emotes, or close it. @param {string} [match] if omitted, any open row is closed */
  toggle(match = "") {
    this.open = this.open !== match && this.isOffered(match) ? match : "";
    this.app.redraw();
  }

  /** Hide other players' emotes, or show them again. */
  mute() {
    this.isMuted = !this.isMuted;
    writeText(STORAGE, this.isMuted ? "off" : "on");
    if (this.isMuted) this.bubbles.clear();
    this.app.redraw();
  }

  /** @param {string} match @param {string} emote */
  async send(match, emote) {
    const { accounts, server } = this.app;
    const { me } = accounts;
    this.open = "";
    this.app.redraw();
    if (this.isSigning) return;
    this.isSigning = true;
    try {
      const statement = await this.statement(me);
      if (server.connection !== "live") throw new WalletRejection({ key: "why.no-server" });
      server.socket.send({ t: "emote", match, emote, ...statement });
    } catch (error) {
      this.show(match, me, { emote: "", why: reasonOf(error).sentence });
    }
    this.isSigning = false;
  }

  /**
   * Return the signed statement that proves to the gateway who sends an account's emotes. If the
   * last statement doesn't expire soon, reuse it.
   * @param {string} account @returns {Promise<Json>} Throws WalletRejection.
   */
  async statement(account) {
    const { health } = this.app.server;
    const now = Math.floor(Date.now() / 1000);
    const known = this.statements.get(account);
    if (known && known.until > now + 60) return known;
    const signer = this.app.accounts.find(account);
    if (!signer || !health) throw new WalletRejection({ key: "why.no-server" });
    const message = { account, until: now + VALID };
    const domain = chainboardDomain(health.chainId);
    const signature = await signAs(signer, health, { domain, types: TYPES, primaryType: "Emotes", message });
    const statement = { ...message, signature };
    this.statements.set(account, statement);
    return statement;
  }

  /** @param {Json} message the gateway's message about another player's emote */
  onMessage({ match, account, emote }) {
    if (!EMOTES.includes(emote) || (this.isMuted && !this.app.accounts.find(account))) return;
    this.show(match, account, { emote });
  }

  /** Show the reason why the gateway has rejected the player's emote. @param {Json} error */
  onError(error) {
    if (!String(error.key).startsWith("emote.")) return;
    const { me } = this.app.accounts;
    const isTooFast = error.key === "emote.too-often";
    if (!isTooFast) this.statements.delete(me);
    this.show(error.match, me, { emote: "", why: isTooFast ? { key: "emote.too-fast" } : problemText(error) });
  }

  /** @param {string} match @param {string} account */
  bubbleOf(match, account) {
    return this.bubbles.get(`${match} ${account}`);
  }

  /** @param {string} match @param {string} account @param {Bubble} bubble */
  show(match, account, bubble) {
    const key = `${match} ${account}`;
    this.bubbles.set(key, bubble);
    setTimeout(() => {
      if (this.bubbles.get(key) !== bubble) return;
      this.bubbles.delete(key);
      this.app.redraw();
    }, BUBBLE_MS);
    this.app.redraw();
  }

  /**
   * Forget the emotes and the signed statements, because they are valid on only one chain. Called
   * when the chain changes.
   */
  reset() {
    this.open = "";
    this.bubbles.clear();
    this.statements.clear();
  }
}
