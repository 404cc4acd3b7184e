// Reads moments of matches from stdin, prints what the page makes of each: the board's side and the contract's.
import { text } from "node:stream/consumers";

import { read, unequal } from "../../../../frontend-static/chain/verify/decode.js";

const { slug, abi, moments } = JSON.parse(await text(process.stdin));
const { told, viewed } = await import(`../../../../frontend-static/games/${slug}.js`);

const judged = moments.map(({ board, answer }) => {
  const [mine, theirs] = [told(board), viewed(read(abi, "board", answer))];
  return { told: mine, viewed: theirs, unequal: unequal(mine, theirs) };
});
process.stdout.write(JSON.stringify(judged));
