/** The same match once more: an invitation with the settings of one that is over, for who played it. */

import { formatUnits } from "../../lib/ethereum/ether.js";
import { contractOf } from "../../chain/verify/known-contracts.js";
import { isStaked } from "../../games/shared/terms.js";
import { inputKey } from "../inputs.js";
import { invites } from "./opponents.js";

/** @import { Actions } from "../actions.js" */
/** @import { Opponents } from "./opponents.js" */
/** @import { ServerState } from "../server-state.js" */
/** @import { Ui } from "../ui.js" */
/** @import { Accounts } from "../../chain/wallet/accounts.js" */
/** @import { Tokens } from "../../chain/wallet/tokens.js" */
/** @import { MatchContext } from "../../history/match-context.js" */
/** @import { Action, GameInfo, I18nText, Input, Json, Summary } from "../../types.js" */
/** @typedef {{accounts: Accounts, actions: Actions, live: Pick<MatchContext, "renderContext">, opponents: Opponents, server: ServerState, tokens: Tokens, ui: Ui}} Needs What it uses of the page. */

const ETHER = 18;

/** @param {Json} board @param {string} me */
const otherThan = ({ players = {} }, me) => Object.keys(players).find((address) => address !== me) ?? "";

/** What its player would type for another one like it, by input. @param {Needs} app @param {GameInfo} game @param {Action} create @param {Json} board @returns {Json} */
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

/** As one types it. @param {Needs} app @param {Json} board @param {string} amount */
function amountText(app, { token }, amount) {
  const decimals = token ? app.tokens.info(token)?.decimals : ETHER;
  return decimals === undefined ? "0" : formatUnits(BigInt(amount), decimals);
}

/** Whether there is more to it than a press: something to lay out, or a stake to look at first. @param {Needs} app @param {GameInfo} game @param {Json} board */
const isPrepared = (app, game, board) => app.opponents.isPrepared(game) || isStaked(board);

/** @param {GameInfo} game @returns {Action|undefined} */
const opening = (game) => game.actions.find(({ opens }) => opens);

/** Whether new matches open by a newer contract than this match's: what its own one opened now, no index would show. @param {GameInfo} game @param {string} match */
export const isSuperseded = (game, match) => contractOf(game, Number(match.split("/")[1])) !== game.address;

/** Why it can't be opened now. @param {Needs} app @param {GameInfo} game @param {Json} board @returns {I18nText|null|undefined} */
export function whyNoRematch(app, game, board) {
  const create = opening(game);
  if (!create || isPrepared(app, game, board)) return null;
  return app.actions.why("", create, settingsOf(app, game, create, board), app.accounts.me, game.slug);
}

/** Opens it and goes there, or goes where it is prepared, with all filled in. @param {Needs} app @param {GameInfo} game @param {string} match that is over @param {Json} board */
export function rematch(app, game, match, board) {
  const create = opening(game);
  if (!create || app.ui.openingTx || whyNoRematch(app, game, board)) return;
  const { slug } = game;
  for (const [name, value] of Object.entries(settingsOf(app, game, create, board)))
    app.ui.typed[inputKey(slug, name, "", "")] = value;
  if (isPrepared(app, game, board)) {
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
  if (computer) app.opponents.opening = { tx, asks: invites(create) ? "" : computer.name };
}

/** The open match to which the other player of one that is over has invited since. @param {Needs} app @param {string} slug @param {Json} board @returns {Summary|undefined} */
export function offeredRematch(app, slug, board) {
  const { me } = app.accounts;
  /** @type {Summary[]} */
  const rows = Object.values(app.server.board("lobby")?.matches ?? {});
  return rows.find(
    ({ game, status, opponent, players }) =>
      game === slug && status === "open" && opponent === me && board.players?.[me] && board.players[players[0]],
  );
}
