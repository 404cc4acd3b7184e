/** The players: colour and shape, flag and name, pieces; and the switch between one's own accounts. */

import { clock } from "../../../games/shared/clock.js";
import { flowed, flowedText } from "../../../games/shared/streams.js";
import { isStaked } from "../../../games/shared/terms.js";
import { h } from "../../../lib/dom.js";
import { badge, copyAddress, hexOf, playerName } from "../../parts/labels.js";
import { pressableName } from "../../parts/name-card.js";
import { gameKey, t } from "../../../i18n/translate.js";
import { nameOf } from "../../../names/names.js";

/** @import { MatchContext } from "../../../history/match-context.js" */
/** @import { Json, RenderContext, Renderer, Seat, Stream, Unit } from "../../../types.js" */

/** @param {MatchContext} matchContext @param {string} match @param {Renderer} renderer */
export function players(matchContext, match, renderer) {
  const board = matchContext.board(match) ?? {};
  const [slug] = match.split("/");
  const seats = renderer.seats(board);
  const placing = matchContext.renderContext(match).pending.filter((tx) => tx.action.startsWith(renderer.joinAction));
  const rows = seats.map((seat) =>
    row(matchContext, slug, renderer, seat, placing.filter((tx) => tx.account === seat.address).length, board),
  );
  const coming = [...new Set(placing.map(({ account }) => account))].filter(
    (account) => !seats.some(({ address }) => address === account),
  );
  // Players' sockets count, too: only what goes beyond them looks on for sure.
  const rivals = seats.filter(({ address }) => !matchContext.account(address)).length;
  const others = (matchContext.watchers?.(match) ?? 0) - 1 - rivals;
  return h(
    "section",
    { class: "players-box", "aria-labelledby": "players-title" },
    h(
      "div",
      { class: "row" },
      h("h2", { id: "players-title" }, t("match.players")),
      others > 0 &&
        h("span", { id: "watchers", class: "hint", "data-others": others }, t("match.watchers", { n: others })),
    ),
    h(
      "ul",
      { id: "players", class: "players" },
      rows,
      coming.map((address) => comingPlayer(slug, address)),
      rows.length + coming.length === 0 && h("li", { class: "hint" }, t(gameKey(slug, "match.nobody"))),
    ),
  );
}

/** @param {MatchContext} matchContext @param {string} slug @param {Renderer} renderer @param {Seat} seat @param {number} placing @param {Json} board */
function row(matchContext, slug, renderer, { address, seat, alive, units = [], note, stream }, placing, board) {
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
    pressableName(matchContext, address, matchContext.hasServer),
    isStaked(board) && hexOf(address),
    own,
    note && h("span", { class: "hint note" }, note),
    copyAddress(matchContext, address),
    units.length + placing > 0 &&
      h(
        "span",
        { class: "units" },
        units.map((unit) => chip(matchContext, slug, unit, address)),
        Array.from({ length: placing }, (_, i) => h("span", { class: "unit dashed", key: `placing-${i}` }, "…")),
      ),
    board.mover === address && clock(board, matchContext.now()),
    stream && purseTree(matchContext.renderContext(`${slug}/`, "", slug), address, stream),
  );
}

/** An amount that ticks between blocks; at the newest block's time it is the contract's. @param {RenderContext} context @param {string} address @param {Stream} stream */
function purseTree({ now, head, formatAmount }, address, stream) {
  const { rate, since, cap } = stream;
  const amount = flowed(stream, now);
  return h(
    "span",
    {
      class: "purse number",
      key: "purse",
      "data-purse": address,
      "data-amount": String(amount),
      "data-settled": String(flowed(stream, head?.time ?? now)),
      "data-block": head?.height,
      "data-flows": since > 0 && rate > 0n && amount < cap,
    },
    h("i", { vars: { "--part": cap ? Number((1000n * amount) / cap) / 1000 : 0 } }),
    h("span", null, flowedText(stream, now, formatAmount)),
  );
}

/** A piece: my own are buttons that show its map. @param {MatchContext} matchContext @param {string} slug @param {Unit} unit @param {string} owner */
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

/** @param {string} slug @param {string} address */
function comingPlayer(slug, address) {
  return h(
    "li",
    { key: `ghost-${address}`, class: "player dashed" },
    playerName(address),
    h("span", { class: "hint" }, t(gameKey(slug, "match.placing"))),
  );
}
