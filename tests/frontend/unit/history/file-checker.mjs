// Reads replay files of a game from stdin. Compares each file with a node and with the match's true
// record, and prints the differences.
import { text } from "node:stream/consumers";

import { checkEvents, compareRecords } from "../../../../frontend-static/chain/verify/file-checker.js";
import { whyNoAnswer } from "../../../../frontend-static/chain/verify/query.js";
import { typedNode } from "../../../../frontend-static/chain/verify/sources.js";

const { url, game, record, files, lacks } = JSON.parse(await text(process.stdin));
const node = typedNode(url);
/** Remove the fields that some nodes omit from a log. */
const without = (log) => Object.fromEntries(Object.entries(log).filter(([name]) => !lacks.includes(name)));
const source = {
  ...node,
  request: async (method, params) => {
    const answer = await node.request(method, params);
    return method === "eth_getLogs" ? answer.map(without) : answer;
  },
};

/**
 * Check a file as the page's FileChecker does, but compare the file with the record that the test
 * provides.
 */
async function check(file) {
  try {
    const result = await checkEvents(source, game, file);
    return result.state === "same" ? { ...result, ...compareRecords(file, record) } : result;
  } catch (error) {
    const why = whyNoAnswer(error);
    if (!why) throw error;
    return { state: "unanswered", why };
  }
}

const found = [];
for (const file of files) found.push(await check(file));
process.stdout.write(JSON.stringify(found));
