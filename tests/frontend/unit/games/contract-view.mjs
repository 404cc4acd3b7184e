// Reads moments of matches from stdin. For each moment, prints the page's conversions of the board
// and of the contract's view.
import { text } from "node:stream/consumers";

import { decodeResult, leafDifferences } from "../../../../frontend-static/chain/verify/decode.js";

const { slug, abi, moments } = JSON.parse(await text(process.stdin));
const { fromBoard, fromContract } = await import(`../../../../frontend-static/games/${slug}/renderer.js`);

const judged = moments.map(({ board, answer }) => {
  const [mine, theirs] = [fromBoard(board), fromContract(decodeResult(abi, "board", answer))];
  return { fromBoard: mine, fromContract: theirs, differences: leafDifferences(mine, theirs) };
});
process.stdout.write(JSON.stringify(judged));
