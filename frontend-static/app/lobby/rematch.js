/**
 * Opens a rematch, which is another match between the same players with the same settings. If the
 * opponent has already opened a rematch, joins that match.
 */

import { formatUnits } from "../../lib/ethereum/ether.js";
import { contractOf } from "../../chain/verify/known-contracts.js";
import { isStaked } from "../../games/shared/terms.js";
import { hasEnded } from "../../lib/board.js";
import { isDone } from "../../chain/tx/states.js";
import { inputKey } from "../inputs.js";
import { invites } from "./opponents.js";
import { listed } from "./rows.js";

/** @import { Actions } from "../actions.js" */
/** @import { TransactionManager } from "../../chain/tx/manager.js" */
/** @import { Opponents } from "./opponents.js" */
/** @import { Pairing } from "./pairing.js" */
/** @import { QuickPlay } from "./quick-play.js" */
/** @import { ServerState } from "../server-state.js" */
/** @import { Ui } from "../ui.js" */
/** @import { Accounts } from "../../chain/wallet/accounts.js" */
/** @import { Tokens } from "../../chain/wallet/tokens.js" */
/** @import { MatchContext } from "../../history/match-context.js" */
/** @import { Action, GameInfo, I18nText, Input, Json, Summary, Tx } from "../../types.js" */
/** @typedef {{accounts: Accounts, actions: Actions, live: Pick<MatchContext, "renderContext">, opponents: Opponents, server: ServerState, tokens: Tokens, ui: Ui}} Uses */
/** @typedef {Uses & {quickPlay: QuickPlay}} Opens */
/** @typedef {Pick<Uses, "accounts"|"server">} Reads */

/**
 * The match that the two players of a finished match play next. `by`: the opponent who is waiting
 * in that match, or "" if nobody is waiting. @typedef {{match: string, by: string}} NextMatch
 */

const ETHER = 18;

/** @param {Json} board @param {string} me */
const otherThan = ({ players = {} }, me) => Object.keys(players).find((address) => address !== me) ?? "";

/**
 * Return the values that a player would type to open a match with this board's settings. The keys
 * are the names of the inputs. @param {Uses} app @param {GameInfo} game @param {Action} create @param {Json} board @returns {Json}
 */
export function settingsOf(app, game, create, board) {
  const own = app.server.renderers.get(game.slug)?.settingsOf?.(board) ?? {};
  /** @type {Record<string, (input: Input) => any>} */
  const values = {
    opponent: () => otherThan(board, app.accounts.me),
    token: () => board.token ?? "",
    amount: ({ name }) => amountText(app, board, board[name] ?? "0"),
  };
  const known = create.inputs.map((input) => [
    input.name,
    values[input.kind]?.(input) ?? own[input.name] ?? board[input.name],
  ]);
  return Object.fromEntries(known.filter(([, value]) => value !== undefined));
}

/** Return an amount as a player would type it. `amount` is in wei or in the token's units. @param {Uses} app @param {Json} board @param {string} amount */
function amountText(app, { token }, amount) {
  const decimals = token ? app.tokens.info(token)?.decimals : ETHER;
  return decimals === undefined ? "0" : formatUnits(BigInt(amount), decimals);
}

/**
 * Return true if a rematch needs more than one click. The player might have to prepare the match,
 * for example by placing ships, or to confirm a stake. @param {Uses} app @param {GameInfo} game @param {Json} board
 */
const needsPreparation = (app, game, board) => app.opponents.needsPreparation(game) || isStaked(board);

/** @param {GameInfo} game @returns {Action|undefined} */
const opening = (game) => game.actions.find(({ opens }) => opens);

/**
 * Return true if the game has a newer contract than this match's contract. The server doesn't index
 * matches that are opened in an old contract. @param {GameInfo} game @param {string} match
 */
export const isSuperseded = (game, match) => contractOf(game, Number(match.split("/")[1])) !== game.address;

/**
 * Return the reason why the player can't open a rematch now. Return null if there is no reason or
 * if the player must first fill in a form. @param {Uses} app @param {GameInfo} game @param {Json} board @returns {I18nText|null|undefined}
 */
export function whyNoRematch(app, game, board) {
  const create = opening(game);
  if (!create || needsPreparation(app, game, board)) return null;
  return app.actions.why("", create, settingsOf(app, game, create, board), app.accounts.me, game.slug);
}

/**
 * Open a rematch and go to it. If the match needs preparation, fill in and show the form for new
 * matches.
 * @param {Opens} app @param {GameInfo} game @param {string} match the finished match @param {Json} board
 */
export function rematch(app, game, match, board) {
  const create = opening(game);
  if (!create || app.ui.openingTx) return;
  const next = nextMatch(app, match, board); // the opponent's invitation might have arrived since the button was drawn
  if (next && (!next.by || app.server.board(next.match))) return accept(app, game, board, next);
  if (whyNoRematch(app, game, board)) return;
  const { slug } = game;
  for (const [name, value] of Object.entries(settingsOf(app, game, create, board)))
    app.ui.typed[inputKey(slug, name, "", "")] = value;
  if (needsPreparation(app, game, board)) {
    const { me } = app.accounts;
    const { opponents } = app.live.renderContext(match, me, slug);
    const draft = app.server.renderers.get(slug)?.rematchDraft?.(board, me, opponents ?? []);
    Object.assign(app.ui.draftFor(slug, me).state, draft);
    location.hash = `#/new/${slug}`;
    return;
  }
  const tx = app.actions.submit(slug, create, "", { rematchOf: Number(match.split("/")[1]) });
  app.ui.openingTx = tx;
  const computer = app.opponents.inMatch(slug, board);
  if (!computer) return;
  app.opponents.opening = { tx, computer: invites(create) ? "" : computer.name };
  app.quickPlay.opening = tx; // in some games, the player who opens a match must also join it
}

/** @param {string} match */
const numberOf = (match) => Number(match.split("/")[1]);

/** Return the open matches that the player `by` has opened for the player `to`. @param {Reads} app @param {string} slug @param {string} by @param {string} to */
const invitations = (app, slug, by, to) =>
  listed(app).filter(
    ({ game, status, opponent, players }) => game === slug && status === "open" && opponent === to && players[0] === by,
  );

/** Return the opponent's invitation to the account in use, if it is newer than this match. @param {Reads} app @param {string} match @param {Json} board @returns {Summary|undefined} */
export function offeredRematch(app, match, board) {
  const { me } = app.accounts;
  if (!board.players?.[me]) return undefined;
  return Object.keys(board.players)
    .flatMap((other) => invitations(app, match.split("/")[0], other, me))
    .find(({ id }) => id > numberOf(match));
}

/** Return the rematch that the game's contract has opened, or "" if there is none. @param {string} match @param {Json} board */
const repeatOf = (match, { rematch }) => (rematch === undefined ? "" : `${match.split("/")[0]}/${rematch}`);

/** Return a finished match's rematch, or null if there is none or it was closed before it began. @param {Reads} app @param {string} match @param {Json} board @returns {NextMatch|null} */
export function nextMatch(app, match, board) {
  const { me } = app.accounts;
  const offered = offeredRematch(app, match, board);
  if (offered) return { match: offered.match, by: offered.players[0] };
  const repeat = repeatOf(match, board);
  const there = app.server.board(repeat);
  if (repeat && there?.status !== "cancelled")
    return { match: repeat, by: there?.status === "open" && there.opponent === me ? there.creator : "" };
  if (!board.players?.[me]) return null;
  const own = invitations(app, match.split("/")[0], me, otherThan(board, me)).find(({ id }) => id > numberOf(match));
  return own ? { match: own.match, by: "" } : null;
}

/**
 * Return true if the player can join the rematch with one click. The rematch must have the same
 * settings, no stake and nothing to prepare. @param {Uses} app @param {GameInfo} game @param {Json} board @param {NextMatch} next
 */
export function isSameAgain(app, game, board, next) {
  const create = opening(game);
  const there = app.server.board(next.match);
  if (!create || !there || !next.by || needsPreparation(app, game, there)) return false;
  const [before, now] = [board, there].map((one) => JSON.stringify(settingsOf(app, game, create, one)));
  return before === now;
}

/** Go to the rematch. If its settings are those of the finished match, also join the rematch. @param {Opens} app @param {GameInfo} game @param {Json} board the board of the finished match @param {NextMatch} next */
export function accept(app, game, board, next) {
  if (isSameAgain(app, game, board, next)) app.quickPlay.join(next.match, () => undefined);
  else location.hash = `#/match/${next.match}`;
}

/**
 * Return the match to which a transaction leads. Normally, this is the match that the transaction
 * opened. If the opponent opened the rematch first, return the opponent's rematch. Its number is on
 * the board or in the transaction's error. @param {Pick<Uses, "server">} app @param {Tx} tx @returns {string|undefined}
 */
export function openedBy({ server }, tx) {
  if (!tx.match || tx.action !== server.renderer(tx.match)?.rematchAction || !isDone(tx.state)) return tx.opened;
  const rematch = server.board(tx.match)?.rematch ?? tx.reason?.sentence.args?.rematch;
  return repeatOf(tx.match, { rematch }) || tx.opened;
}

/**
 * If both players have pressed *Rematch*, there are two open matches. In that case, return the
 * opponent's match if it is the earlier one and the opponent is online (`attended`).
 * @param {Reads} app @param {string} match @returns {Summary|undefined}
 */
function earlierInvitation(app, match) {
  const board = app.server.board(match);
  const { me } = app.accounts;
  if (board?.status !== "open" || board.creator !== me || !board.opponent) return undefined;
  return invitations(app, match.split("/")[0], board.opponent, me).find(
    ({ id, attended }) => attended && id < numberOf(match),
  );
}

/** If each player has invited the other, join the earlier match and close the later one. @param {Opens & {pairing: Pairing, transactions: TransactionManager}} app @param {string} match the match on display */
export function resolveDuplicateRematch(app, match) {
  const earlier = earlierInvitation(app, match);
  const tx = earlier && app.transactions.list.find(({ opened }) => opened === match);
  const game = app.server.games.get(match.split("/")[0]);
  const board = app.server.board(match);
  if (!earlier || !tx || !game || !board) return;
  const next = { match: earlier.match, by: earlier.players[0] };
  if (!isSameAgain(app, game, asPlayed(board), next)) return;
  app.pairing.unjoined.add(tx, app.accounts.me);
  app.quickPlay.join(earlier.match, () => undefined);
}

/**
 * Return a copy of the board that includes the invited player among the players, because
 * `settingsOf` looks for the opponent there. @param {Json} board
 */
const asPlayed = (board) => ({ ...board, players: { ...board.players, [board.opponent]: {} } });

/** Return the rematches that the page must follow while it shows this match. @param {Reads} app @param {string} match the match on display @returns {string[]} */
export function rematchesOf(app, match) {
  const board = app.server.board(match);
  if (!board) return [];
  const found = hasEnded(board)
    ? [repeatOf(match, board), offeredRematch(app, match, board)?.match]
    : [earlierInvitation(app, match)?.match];
  return found.filter((one) => one !== undefined && one !== "").map(String);
}
