/** Resets the page when another chain answers: nothing that it holds may be used on the new one. */

import { Tokens } from "../chain/wallet/tokens.js";

/** @import { App } from "./app.js" */
/** @import { Json } from "../types.js" */

/** A chain id alone does not tell two development chains apart. @param {Json} told a hello or health */
export const identityOf = ({ chainId, genesis }) => `${chainId} ${genesis}`;

/** Games, too: their contracts stand at other addresses, and are asked for again. @param {App} app */
export function resetForChain(app) {
  app.health = app.head = app.going = app.refused = null;
  app.socket.forget();
  app.transactions.forget(app.identity);
  app.sessions.forget();
  app.orphans.forget();
  app.playback.close();
  for (const held of [app.lastSeenBy, app.games, app.feeds, app.missing, app.balances, app.filling]) held.clear();
  for (const key of app.drafts.keys()) if (key.includes("/")) app.drafts.delete(key); // those of matches
  app.tokens = new Tokens(app.redraw);
  app.autoMoves.reset();
  app.refusals.reset();
  app.boardChecker.reset();
  app.finalityChecker.reset();
}
