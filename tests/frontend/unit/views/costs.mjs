// Reads games from stdin, as JSON from the server. Prints the page's text for the cost of each
// action.
import { readFileSync } from "node:fs";

import { costOf } from "../../../../frontend-static/app/submit.js";
import { costText } from "../../../../frontend-static/views/parts/terms-and-costs.js";
import "../../node/texts.mjs";

const { games, price, dataFee } = JSON.parse(readFileSync(0, "utf8"));
const server = {
  price: BigInt(price),
  dataFee: { base: BigInt(dataFee.base), word: BigInt(dataFee.word) },
  health: { rate: { currency: "EUR", price: 2500 } },
};
const found = {};
for (const { slug, actions } of games) {
  const { press, pressAction } = await import(`../../../../frontend-static/games/${slug}/renderer.js`);
  const costs = actions.map((action) => [
    action.signature,
    { wei: String(costOf({ server }, action)), text: costText({ server }, action) },
  ]);
  found[slug] = { costs: Object.fromEntries(costs), press: typeof press, pressAction: pressAction ?? "" };
}
console.log(JSON.stringify(found));
