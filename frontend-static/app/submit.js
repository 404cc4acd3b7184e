/** Turns a player's action into a transaction, or returns the reason why it would fail. */

import { ZERO_ADDRESS } from "../lib/ethereum/address.js";
import { formatUnits } from "../lib/ethereum/ether.js";
import { CLAIM, whyClaim, whyPending } from "../games/shared/duel.js";
import { callDataWords } from "../lib/ethereum/abi.js";
import { hasEnded } from "../lib/board.js";
import { about } from "../chain/tx/l1-fees.js";
import { contractOf } from "../chain/verify/known-contracts.js";
import { encode, functionOf } from "../chain/verify/known-functions.js";
import { missingFunds } from "../chain/wallet/funds.js";
import { NOTHING, inputsOf, valuesOf, whyInputs } from "./inputs.js";
import { isDelayed, isDone } from "../chain/tx/states.js";
import { approval } from "../chain/wallet/tokens.js";
import { decimal } from "../i18n/quantities.js";

/** @import { ServerState } from "./server-state.js" */
/** @import { Ui } from "./ui.js" */
/** @import { Sessions } from "../chain/sessions/sessions.js" */
/** @import { TransactionManager } from "../chain/tx/manager.js" */
/** @import { Accounts } from "../chain/wallet/accounts.js" */
/** @import { Tokens } from "../chain/wallet/tokens.js" */
/** @import { TxRequest } from "../chain/tx/model.js" */
/** @import { MatchContext } from "../history/match-context.js" */
/** @import { Action, GameInfo, I18nText, Json, RenderContext, Renderer, Tx } from "../types.js" */
/** @typedef {{accounts: Accounts, live: Pick<MatchContext, "renderContext">, server: ServerState, sessions: Sessions, tokens: Tokens, transactions: TransactionManager, ui: Ui}} Uses */

const APPROVAL_GAS = 150_000n;

/** @typedef {{request: TxRequest, token: string, amount: bigint}} Prepared `token`: the deposit's token, or "" for ether. `amount`: the deposit, in wei or in the token's units. */

/** Return the transaction that sends an action, with its deposit. The typed values must be valid. @param {Uses} app @param {string} slug @param {Action} action @param {string} match the match, or "" if the action opens one @param {Json} values the ABI arguments that are already known @param {string} account the account that acts @param {number} [cell] the clicked cell @returns {Prepared} */
export function prepare(app, slug, action, match, values, account, cell) {
  const game = /** @type {GameInfo} */ (app.server.games.get(slug));
  const renderer = /** @type {Renderer} */ (app.server.renderers.get(slug));
  const id = Number(match.split("/")[1] ?? 0);
  const context = app.live.renderContext(match, account, slug);
  /** @type {Json} */
  const known = { ...valuesOf(app, game, action, match, account), ...values, matchId: id };
  /** @type {Json} */
  const args = { ...known, ...renderer.args?.(context, action, known) };
  const from = senderOf(app, slug, action, match, account);
  const { token, amount } = deposit(app, game, action, match, account, values);
  const request = {
    account: from,
    ...(from === account ? {} : { seat: account }),
    match,
    game: slug,
    to: contractOf(game, id),
    data: encode(renderer, action, (name) => args[name]),
    value: token ? 0n : amount,
    gasCap: capOf(action, context.board),
    action: actionId(renderer, action),
    cell,
  };
  return { request, token, amount };
}

/** Return the transaction without its deposit. Used if the player hasn't seen the deposit's sum. @param {Prepared} prepared @returns {Prepared} */
export const withoutDeposit = ({ request, token }) => ({ request: { ...request, value: 0n }, token, amount: 0n });

/** Send a transaction and return it. If it deposits a token, first send the token approval. @param {Uses} app @param {Prepared} prepared @returns {Tx} */
export function send(app, { request, token, amount }) {
  if (token && amount) approveToken(app, request, token, amount);
  return app.transactions.submit(request);
}

/** Return the ID of an action, which is used in elements' IDs, texts and transactions. @param {Renderer|undefined} renderer @param {Action} action */
export const actionId = (renderer, action) => renderer?.actionId?.(action) ?? action.name;

/** Return a gas limit for an action. It is high enough for any state of the match. @param {Action} action @param {Json} board */
function capOf({ gas: { base, each = 0, of } }, board) {
  const counted = of ? (board[of] ?? 0) : 0;
  return BigInt(base + each * (typeof counted === "object" ? Object.keys(counted).length : counted));
}

/**
 * Return the address of the key that sends an account's action. This is a session key in this
 * browser if the game allows session keys and the action neither deposits nor pays out money.
 * Otherwise, it is the account's own key.
 * @param {Uses} app @param {string} slug @param {Action} action @param {string} match @param {string} account @returns {string} an address
 */
export function senderOf(app, slug, action, match, account) {
  const game = app.server.games.get(slug);
  const renderer = app.server.renderers.get(slug);
  const isAccountOnly = renderer?.accountOnly?.includes(actionId(renderer, action));
  if (!game || isAccountOnly || hasDeposit(app, game, action, match, account)) return account;
  const id = Number(match.split("/")[1] ?? 0);
  return (
    app.sessions.keyFor(account, contractOf(game, id), capOf(action, app.server.board(match) ?? {}))?.key ?? account
  );
}

/** Return true if an action makes a deposit, even if the typed amount isn't valid yet. @param {Uses} app @param {GameInfo} game @param {Action} action @param {string} match @param {string} account */
function hasDeposit(app, game, action, match, account) {
  if (!action.pays) return false;
  const { amount } = action.pays;
  const typed = inputsOf(app, game.slug, action, match, account);
  return !NOTHING.test(String(amount in typed ? typed[amount] : (app.server.board(match)?.[amount] ?? 0)));
}

/**
 * Return the account for which a transaction acts. It is the transaction's `seat` if a session key
 * sent the transaction. @param {Tx} tx
 */
export const seatOf = ({ account, seat }) => seat ?? account;

/**
 * Return a transaction in the form that games expect. Its `account` is the player's account, even
 * if a session key sent the transaction, because games don't know session keys. @param {Tx} tx @returns {Tx}
 */
export const asSeat = (tx) => (tx.seat ? { ...tx, account: tx.seat } : tx);

/**
 * Return the token of an action's deposit, or "" for ether. It is the token that the player has
 * typed or the token on the board. @param {Omit<Uses, "sessions">} app @param {GameInfo} game @param {Action} action @param {string} match @param {string} account @param {Json} [values] values that replace the typed ones @returns {string}
 */
export function depositToken(app, { slug }, action, match, account, values = {}) {
  const name = action.pays?.token ?? "";
  const token =
    values[name] ?? inputsOf(app, slug, action, match, account)[name] ?? app.server.board(match)?.[name] ?? "";
  return token === ZERO_ADDRESS ? "" : token;
}

/** Return the chain's fee for an action's data, in wei, or 0 if the chain has no fee for data. @param {Pick<Uses, "server">} app @param {Action} action */
const dataFeeOf = ({ server }, { signature, gas }) => about(server.dataFee, gas.words || callDataWords(signature));

/** Return the likely cost of an action in wei, without its deposit. Return null if it isn't known. @param {Pick<Uses, "server">} app @param {Action} action */
export function costOf(app, action) {
  const { usual = 0 } = action.gas;
  return usual && app.server.price ? BigInt(usual) * app.server.price + dataFeeOf(app, action) : null;
}

/** Return the amount and the token of an action's deposit. The token is "" for ether. @param {Omit<Uses, "sessions">} app @param {GameInfo} game @param {Action} action @param {string} match @param {string} account @param {Json} [values] values that replace the typed ones */
export function deposit(app, game, action, match, account, values = {}) {
  if (!action.pays) return { token: "", amount: 0n };
  const { amount: amountName } = action.pays;
  const board = app.server.board(match) ?? {};
  const typed = inputsOf(app, game.slug, action, match, account);
  const amount =
    amountName in typed && !(amountName in values)
      ? valuesOf(app, game, action, match, account)[amountName]
      : BigInt(values[amountName] ?? board[amountName] ?? 0);
  return { token: depositToken(app, game, action, match, account, values), amount };
}

/**
 * Approve exactly the deposit. If there is a smaller allowance, first reset it to zero, because
 * some tokens don't allow any other change.
 * @param {Uses} app @param {Pick<Tx, "account"|"match"|"game"|"to">} request @param {string} token @param {bigint} amount
 */
function approveToken(app, request, token, amount) {
  const allowed = app.tokens.holding(token, request.account, request.to)?.allowance ?? 0n;
  if (allowed >= amount) return;
  for (const sum of allowed > 0n ? [0n, amount] : [amount]) {
    app.transactions.submit({
      ...request,
      cell: undefined,
      to: token,
      data: approval(request.to, sum),
      value: 0n,
      gasCap: APPROVAL_GAS,
      action: "approve",
    });
  }
}

/**
 * Return the reason why an action can't be sent, as far as the page can find out without the node.
 * The page checks the match's state, the game's rules, the typed values and the cost.
 * @param {Uses} app @param {string} slug @param {Action} action @param {string} match @param {Json} values @param {string} account @returns {I18nText|null}
 */
export function whyChecked(app, slug, action, match, values, account) {
  const game = /** @type {GameInfo} */ (app.server.games.get(slug));
  const renderer = app.server.renderers.get(slug);
  const context = app.live.renderContext(match, account, slug);
  const id = actionId(renderer, action);
  const payer = senderOf(app, slug, action, match, account);
  const inputs = action.inputs.filter(({ name }) => renderer?.hasInput?.(context, id, name) ?? true);
  return (
    (renderer && !functionOf(renderer, action) ? { key: "why.unknown-function" } : null) ??
    whyNoGas(app, payer, action, context.board) ??
    (match ? whyEnded(context.board, renderer, id) : whyOpening(app, slug, account)) ??
    (renderer?.why
      ? renderer.why(context, action, { ...inputsOf(app, slug, action, match, account), ...values })
      : whyShared(context, action, id)) ??
    whyInputs(app, slug, { ...action, inputs }, values, match, account) ??
    renderer?.whyTyped?.(context, action, { ...valuesOf(app, game, action, match, account), ...values }) ??
    whyCantPay(app, game, action, match, values, account, payer)
  );
}

/** Return the account's latest transaction in this visit that opens a match of this game. @param {Pick<Uses, "transactions">} app @param {string} slug @param {string} account @returns {Tx|undefined} */
export const lastOpening = ({ transactions }, slug, account) =>
  transactions.list.findLast(
    (tx) => tx.match === "" && tx.game === slug && seatOf(tx) === account && transactions.isCurrent(tx),
  );

/**
 * If the opening of another match is pending, return the reason why the player can't open a match.
 * Otherwise, return null. A pending opening from an earlier visit counts, but not an opening in
 * another open tab.
 * @param {Pick<Uses, "transactions">} app @param {string} slug @param {string} account @returns {I18nText|null}
 */
export function whyOpening({ transactions }, slug, account) {
  const { journal, list, startedAt } = transactions;
  const isOwn = (/** @type {Tx} */ { tab, at }) => tab === journal.tab || at < startedAt;
  return list.some(
    (tx) => tx.match === "" && tx.game === slug && seatOf(tx) === account && !isDone(tx.state) && isOwn(tx),
  )
    ? { key: "why.on-its-way" }
    : null;
}

/**
 * Return the reason why an action can't be sent, or null. These checks are the same in all games:
 * pending transactions and the clock. @param {RenderContext} context @param {Action} action @param {string} id @returns {I18nText|null}
 */
const whyShared = (context, { name }, id) => whyPending(context, id) ?? (name === CLAIM ? whyClaim(context) : null);

/** @param {Json} board @param {Renderer|undefined} renderer @param {string} id @returns {I18nText|null} */
function whyEnded({ status = "none" }, renderer, id) {
  if (status === "none") return { key: "why.not-opened" };
  if (renderer?.anyTime?.includes(id)) return null;
  const afterEnd = renderer?.afterEnd?.includes(id) ?? false;
  const over = hasEnded({ status });
  if (over && !afterEnd) return { key: "why.over" };
  return !over && afterEnd ? { key: "why.not-over" } : null;
}

/** Return the reason why the page can't send any transaction now, or null if it can. @param {Pick<Uses, "accounts"|"server">} app @param {string} [account] the account that pays for gas @returns {I18nText|null} */
export function whyCantSend({ accounts, server: { connection, health } }, account = accounts.me) {
  if (connection !== "live") return { key: "why.no-server" };
  const balance = accounts.balances.get(account);
  if (balance === undefined && health?.state === "node-lost") return { key: "why.no-node" };
  if (!balance) {
    // the page might know the balance before it has asked the faucet
    const isAskedSoon = account === accounts.me && !accounts.fundRequests.has(account);
    const isFilling = balance === undefined || isAskedSoon || accounts.filling.has(account);
    if (isFilling) return { key: accounts.unfunded ? "why.faucet-busy" : "why.filling" };
    return { key: "why.no-funds" };
  }
  return accounts.find(account)?.trouble ?? null;
}

/**
 * Return true if a reason is likely to disappear soon. The page announces this reason only to
 * screen readers, so that nothing on the page moves. @param {Pick<Uses, "server"|"transactions">} app @param {I18nText|null|undefined} why
 */
export function isTemporary({ server, transactions }, why) {
  if (why?.key === "why.on-its-way") return !transactions.pending().some(isDelayed);
  return why?.key === "why.filling" || (why?.key === "why.no-server" && server.connection === "connecting");
}

/**
 * Return the reason why an account can't pay for gas, or null. The reason states the missing amount
 * if it is known. @param {Uses} app @param {string} payer @param {Action} action @param {Json} board @returns {I18nText|null}
 */
function whyNoGas(app, payer, action, board) {
  const why = whyCantSend(app, payer);
  return why?.key === "why.no-funds"
    ? (missingFunds(app.accounts, app.server.fee, payer, 0n, capOf(action, board), dataFeeOf(app, action)) ?? why)
    : why;
}

/**
 * Return the reason why an account can't pay for an action, or null. If an account's key has no
 * backup, the account can't stake money, because the stake would be lost with the key. @param {Uses} app @param {GameInfo} game @param {Action} action @param {string} match @param {Json} values @param {string} account @param {string} payer the account that pays for gas @returns {I18nText|null}
 */
function whyCantPay(app, game, action, match, values, account, payer) {
  const { token, amount } = deposit(app, game, action, match, account, values);
  const cap = capOf(action, app.server.board(match) ?? {});
  const contract = contractOf(game, Number(match.split("/")[1] ?? 0));
  const own = app.accounts.find(account);
  return (
    (token && amount ? whyNotHeld(app, token, amount, account, contract) : null) ??
    missingFunds(app.accounts, app.server.fee, payer, token ? 0n : amount, cap, dataFeeOf(app, action)) ??
    (amount && own?.kind === "browser" && !own.backedUp ? { key: "why.backup" } : null)
  );
}

/** @param {Uses} app @param {string} token @param {bigint} amount @param {string} owner @param {string} spender @returns {I18nText|null} */
function whyNotHeld({ tokens }, token, amount, owner, spender) {
  const info = tokens.info(token);
  if (info && info.decimals === undefined) return { key: "why.token-unread", args: { token } };
  const holding = tokens.holding(token, owner, spender);
  if (!info || !holding) return { key: "why.token-asking" };
  if (holding.balance >= amount) return null;
  const [need, have] = [amount, holding.balance].map((sum) => decimal(formatUnits(sum, info.decimals)));
  return { key: "why.poor", args: { need, have, unit: info.symbol } };
}
