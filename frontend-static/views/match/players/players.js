/**
 * The players' plates above and below the board. A plate shows a player's badge, name, rating,
 * remaining units and clock. If the player is another account in this browser, the plate has a
 * button that switches to that account.
 */

import { clock } from "../../../games/shared/clock.js";
import { bottomSeat } from "../../../games/shared/duel.js";
import { streamedAmount, streamedText } from "../../../games/shared/streams.js";
import { isStaked } from "../../../games/shared/terms.js";
import { h } from "../../../lib/dom.js";
import { badge, hexOf, playerName, ratingText } from "../../parts/labels.js";
import { pressableName } from "../../parts/name-card.js";
import { gameKey, t } from "../../../i18n/translate.js";
import { nameOf } from "../../../names/names.js";

/** @import { MatchContext } from "../../../history/match-context.js" */
/** @import { Json, RenderContext, Renderer, Seat, Stream, Unit } from "../../../types.js" */

/** @typedef {"top"|"bottom"} Half The place of a plate. `bottom` is below the board, for this page's player or, if that player isn't in the match, for the first player. `top` is above the board, for the other players in turn order. */

/**
 * The maximum number of full-size plates above the board. If there are more players, all the plates
 * above are small and in one row.
 */
const MAX_LARGE_PLATES = 2;

/** @param {MatchContext} matchContext @param {string} match @param {Renderer} renderer @param {Half} half @param {(address: string) => any} [beside] returns further content for a player's plate */
export function players(matchContext, match, renderer, half, beside) {
  const [slug] = match.split("/");
  const context = matchContext.renderContext(match);
  const { board, pending } = context;
  const pendingJoins = pending.filter((tx) => tx.action.startsWith(renderer.joinAction));
  const seated = renderer.seats(board, matchContext.me);
  const joining = [...new Set(pendingJoins.map(({ account }) => account))].filter(
    (account) => !seated.some(({ address }) => address === account),
  );
  const { above, below } = aboveAndBelow(context, renderer, seated);
  const isMine = (/** @type {string} */ account) => account === matchContext.me;
  const seats = half === "top" ? above : below;
  const pendingPlayers = joining.filter((account) => (isMine(account) && below.length === 0) === (half === "bottom"));
  const isFree = seats.length + pendingPlayers.length === 0;
  return h(
    "ul",
    {
      key: half,
      class: above.length > MAX_LARGE_PLATES ? `players ${half} many` : `players ${half}`,
      "aria-label": t("match.players"),
    },
    seats.map((seat) => {
      const moves = pendingJoins.filter((tx) => tx.account === seat.address).length;
      return player(matchContext, slug, renderer, seat, moves, board, beside?.(seat.address));
    }),
    pendingPlayers.map((address) =>
      h("li", { key: `coming-${address}`, class: "player dashed" }, joiningText(slug, address)),
    ),
    isFree && h("li", { key: "free", class: "player free" }, freeSeatText(board)),
  );
}

/** @param {RenderContext} context @param {Renderer} renderer @param {Seat[]} seats @returns {{above: Seat[], below: Seat[]}} */
function aboveAndBelow(context, renderer, seats) {
  const { board, ownAccounts } = context;
  // In an open match, reserve space below the board for the viewer's plate, so that nothing moves
  // when the viewer joins.
  const isFree = board.status === "open" && !seats.some(({ address }) => ownAccounts.has(address));
  // Two players can share a page. In a game with secrets, the plate of the account in use is always
  // below the board. In a game without secrets, the plates stay where they are.
  const looks = renderer.hasSecret ? seats.findIndex(({ address }) => address === (context.me || context.viewAs)) : -1;
  const at = isFree ? -1 : looks < 0 ? seats.findIndex(({ seat }) => seat === bottomSeat(context)) : looks;
  return at < 0
    ? { above: seats, below: [] }
    : { above: [...seats.slice(at + 1), ...seats.slice(0, at)], below: [seats[at]] };
}

/** @param {string} slug @param {string} address */
const joiningText = (slug, address) => [
  playerName(address),
  h("span", { class: "hint" }, t(gameKey(slug, "match.placing"))),
];

/** Return the invited player's name, or a note that anyone can take the free seat. @param {Json} board */
function freeSeatText({ status, opponent, players = {} }) {
  if (status !== "open") return "";
  if (opponent && !players[opponent]) return playerName(opponent);
  return h("span", { class: "hint" }, t("match.free-seat"));
}

/** @param {MatchContext} matchContext @param {string} slug @param {Renderer} renderer @param {Seat} seat @param {number} pendingJoins @param {Json} board @param {any} beside */
function player(
  matchContext,
  slug,
  renderer,
  { address, seat, alive, units = [], note, stream },
  pendingJoins,
  board,
  beside,
) {
  const account = matchContext.account(address);
  const label = t("match.hand-over-to", { name: nameOf(address) });
  const own =
    address === matchContext.me
      ? h("span", { class: "tag" }, t("match.you"))
      : account &&
        h(
          "button",
          {
            type: "button",
            key: "hand-over",
            class: "small",
            "data-then": "board",
            "data-hand-over": address,
            "aria-label": label,
            title: label,
            onclick: () => matchContext.use(account),
          },
          t("match.hand-over"),
        );
  return h(
    "li",
    {
      key: address,
      class: alive ? "player" : "player out",
      "data-player": address,
      "data-winner": board.winner === address,
      "data-mover": board.mover === address,
    },
    badge(seat, renderer),
    h(
      "div",
      { class: "who" },
      pressableName(matchContext, address, matchContext.hasServer),
      isStaked(board) && hexOf(address),
      ratingOf(matchContext, address, slug),
      own,
      note && h("span", { class: "hint note" }, note),
      stream && streamTree(matchContext.renderContext(`${slug}/`, "", slug), address, stream),
    ),
    beside,
    units.length + pendingJoins > 0 &&
      h(
        "span",
        { class: "units" },
        units.map((unit) => chip(matchContext, slug, unit, address)),
        Array.from({ length: pendingJoins }, (_, i) => h("span", { class: "unit dashed", key: `placing-${i}` }, "…")),
      ),
    alive && clock(board, matchContext.now(), board.mover === address),
  );
}

/** Return a player's rating, or null before the first rated match. @param {MatchContext} matchContext @param {string} address @param {string} slug */
function ratingOf(matchContext, address, slug) {
  const found = matchContext.ratingOf?.(address, slug);
  if (!found) return null;
  const { rating, rivals } = found;
  return h("span", { class: "rating number", key: "rating", title: t("players.rating") }, ratingText(rating, rivals));
}

/**
 * Return an amount that grows with time, such as a streaming stake. The page increases it between
 * blocks. At the newest block's time, it equals the contract's amount.
 * @param {RenderContext} context @param {string} address @param {Stream} stream
 */
function streamTree({ now, head, formatAmount }, address, stream) {
  const { rate, since, cap } = stream;
  const amount = streamedAmount(stream, now);
  return h(
    "span",
    {
      class: "stream number",
      key: "stream",
      "data-stream": address,
      "data-amount": String(amount),
      "data-settled": String(streamedAmount(stream, head?.time ?? now)),
      "data-block": head?.height,
      "data-flows": since > 0 && rate > 0n && amount < cap,
    },
    h("i", { vars: { "--part": cap ? Number((1000n * amount) / cap) / 1000 : 0 } }),
    h("span", null, streamedText(stream, now, formatAmount)),
  );
}

/**
 * Return the number of a player's unit, such as a ship. For the viewer's own units, it is a button
 * that selects the unit.
 * @param {MatchContext} matchContext @param {string} slug @param {Unit} unit @param {string} owner
 */
function chip(matchContext, slug, { number, alive, id = `unit-${number}` }, owner) {
  const mine = Boolean(matchContext.account(owner)) && alive;
  const label = t(gameKey(slug, alive ? (mine ? "unit.mine" : "unit.other") : "unit.out"), {
    unit: number,
    owner: nameOf(owner),
  });
  const props = { key: `unit-${number}`, class: alive ? "unit" : "unit sunk", title: label, "aria-label": label };
  if (!mine) return h("span", { ...props, role: "img" }, String(number));
  const pick = () => {
    matchContext.ui.selected = matchContext.ui.selected === number ? 0 : number;
    matchContext.redraw();
  };
  return h(
    "button",
    { ...props, id, type: "button", "aria-pressed": String(matchContext.ui.selected === number), onclick: pick },
    String(number),
  );
}
