/** Another chain answers: what the page held says nothing any more, and nothing of it may be used on the new one. */

import { Tokens } from "../chain/wallet/tokens.js";

/** @import { App } from "./app.js" */
/** @import { Json } from "../types.js" */

/** A chain id alone does not tell two development chains apart. @param {Json} told a hello or health */
export const identityOf = ({ chainId, genesis }) => `${chainId} ${genesis}`;

/** Games, too: their contracts stand at other addresses, and are asked for again. @param {App} app */
export function beginAnew(app) {
  app.health = app.head = app.going = app.refused = null;
  app.socket.forget();
  app.transactions.forget(app.identity);
  app.sessions.forget();
  app.ghosts.forget();
  app.past.close();
  for (const held of [app.lastSeenBy, app.games, app.feeds, app.missing, app.balances, app.filling]) held.clear();
  for (const place of app.desks.keys()) if (place.includes("/")) app.desks.delete(place); // those of matches
  app.tokens = new Tokens(app.redraw);
  app.automatic.beginAnew();
  app.witness.beginAnew();
  app.finality.beginAnew();
}
