/** Resets the page when another chain answers: nothing that it holds may be used on the new one. */

/** @import { App } from "./app.js" */
/** @import { Json } from "../types.js" */

/** Identifies a chain: two development chains may have the same id. @param {Json} chain a hello or health */
export const identityOf = ({ chainId, genesis }) => `${chainId} ${genesis}`;

/** Games are fetched again, too: their contracts have other addresses. @param {App} app */
export function resetForChain(app) {
  app.server.forget();
  app.ui.forgetMatches();
  app.transactions.forget(app.server.identity);
  app.sessions.forget();
  app.playback.close();
  app.accounts.forget();
  app.tokens.reset();
  app.opponents.reset();
  app.autoMoves.reset();
  app.notices.turns.forget();
  app.series.reset();
  app.hints.reset();
  app.refusals.reset();
  app.boardChecker.reset();
  app.finalityChecker.reset();
}
