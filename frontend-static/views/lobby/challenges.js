/** A bar at the top of each page that says who has challenged one of this page's accounts. */

import { nextMatch } from "../../app/lobby/rematch.js";
import { clockText, isStaked, termsText } from "../../games/shared/terms.js";
import { t } from "../../i18n/translate.js";
import { hasEnded } from "../../lib/board.js";
import { h } from "../../lib/dom.js";
import { nameOf } from "../../names/names.js";
import { stripButton } from "./pairing.js";

/** @import { Challenges } from "../../app/lobby/challenges.js" */
/** @import { ServerState } from "../../app/server-state.js" */
/** @import { Ui } from "../../app/ui.js" */
/** @import { Playback } from "../../history/playback.js" */
/** @import { Accounts } from "../../chain/wallet/accounts.js" */
/** @import { Tokens } from "../../chain/wallet/tokens.js" */
/** @import { Summary } from "../../types.js" */
/** @typedef {{accounts: Accounts, challenges: Challenges, playback: Playback, quickPlay: {join: (match: string, otherwise: () => void) => void}, server: ServerState, tokens: Tokens, ui: Ui}} Uses */

/** Return the bar for the newest challenge. @param {Uses} app @param {string} [current] the match that the player is looking at */
export function challengeStrip(app, current) {
  const onPage = [current, rematchAtEnd(app, current)];
  const [first] = app.challenges.waiting().filter(({ match }) => !onPage.includes(match));
  if (!first) return null;
  const { match, game, players } = first;
  const args = {
    name: nameOf(players[0] ?? ""),
    game: app.server.games.get(game)?.title ?? game,
    terms: isStaked(first) ? termsText(first, app.tokens.formatAmount) : clockText(first),
  };
  const play = () => {
    useAccount(app, first);
    if (isStaked(first)) location.hash = `#/match/${match}`;
    else app.quickPlay.join(match, () => undefined); // the match page shows the result of joining
  };
  return h(
    "div",
    { class: "pairing over", id: "challenge", key: `challenge ${match}`, "data-challenge": match },
    h("p", null, sentence(app, first, args)),
    stripButton("challenge-play", isStaked(first) ? "challenge.look" : "challenge.play", play, "loud"),
    stripButton("challenge-later", "challenge.later", () => app.challenges.dismiss()),
  );
}

/** @param {Uses} app @param {Summary} challenge @param {{terms: string}} args */
function sentence({ challenges }, challenge, args) {
  if (challenges.isRematch(challenge)) return t(args.terms ? "challenge.rematch-terms" : "challenge.rematch", args);
  return t(args.terms ? "challenge.came-terms" : "challenge.came", args);
}

/** Return the rematch that the page already offers next to the displayed match's result. @param {Uses} app @param {string} [current] */
function rematchAtEnd(app, current) {
  const board = current && app.server.board(current);
  if (!current || !board || !hasEnded(board) || app.ui.closedEnd === current || app.playback.playhead) return undefined;
  return nextMatch(app, current, board)?.match;
}

/** Switch to the account that was challenged. @param {Uses} app @param {Summary} summary */
function useAccount({ accounts }, { opponent = "" }) {
  const account = accounts.find(opponent);
  if (account && opponent !== accounts.me) accounts.use(account);
}
