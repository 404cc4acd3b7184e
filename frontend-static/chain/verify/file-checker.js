/** Compares a replay file's events with the logs on the chain, and its boards with the server's. */

import { interfaceOf } from "../../lib/ethereum/abi.js";
import { toQuantity } from "../../lib/ethereum/bytes.js";
import { Offline, Problem, get } from "../../server/rest.js";
import { leafDifferences, plain } from "./decode.js";
import { contractOf } from "./known-contracts.js";
import { Unverifiable, currentSeq, whyNoAnswer } from "./query.js";

/** @import { BoardChecker, CheckerServer } from "./checker.js" */
/** @import { Difference } from "./decode.js" */
/** @import { RpcSource } from "./sources.js" */
/** @import { GameInfo, I18nText, Json } from "../../types.js" */
/** @typedef {Difference & {seq: number}} FileDifference A difference in event `seq` between a replay file and the chain or the server. If `seq` is 0, the difference is in the part of the file before the events. */
/**
 * @typedef {{state: "asking"|"same"|"differs"|"unanswered", source?: RpcSource, differences: FileDifference[], by?: "chain"|"server", boards?: boolean, count?: number, why?: I18nText}} FileCheck
 * `by`: the source that differs from the file. `boards`: true if the boards were
 * compared, too. `count`: the number of the match's events on the chain.
 */
/** @typedef {{match: string, chain: {chainId: number, genesis: string}, deployment: Json, game: Json, start: Json, events: Json[]}} ReplayParts */

/** The maximum number of blocks in a request for logs, because nodes limit this number. */
const SPAN = 1000;

/** @type {FileCheck} */
const ASKING = { state: "asking", differences: [] };

export class FileChecker {
  /** @param {{boardChecker: BoardChecker, redraw: () => void, server: CheckerServer}} app @param {ReplayParts} replay */
  constructor(app, replay) {
    this.app = app;
    this.replay = replay;
    this.result = ASKING;
  }

  async run() {
    this.result = ASKING;
    this.app.redraw();
    const { source } = this.app.boardChecker;
    this.result = { source, ...(await this.check(source)) };
    this.app.redraw();
  }

  /** @param {RpcSource} source @returns {Promise<FileCheck>} */
  async check(source) {
    try {
      const game = this.game();
      await this.app.boardChecker.requireSameChain(source);
      const result = await checkEvents(source, game, this.replay);
      return result.state === "same" ? { ...result, ...(await checkBoards(this.replay)) } : result;
    } catch (error) {
      return { state: "unanswered", differences: [], why: whyNoAnswer(error) ?? { key: "replay.unreadable-logs" } };
    }
  }

  /**
   * Return the server's game to which the file's match belongs. Throws Unverifiable if the match is
   * on a different chain or in a different contract.
   */
  game() {
    const { identity, games } = this.app.server;
    const { match, chain, deployment } = this.replay;
    const [slug, id] = match.split("/");
    if (!identity) throw new Unverifiable("why.no-server");
    if (identity !== `${chain.chainId} ${chain.genesis}`) throw new Unverifiable("replay.other-chain");
    const game = games.get(slug);
    if (!game?.abi || contractOf(game, Number(id)) !== deployment.address)
      throw new Unverifiable("replay.other-contract", { address: deployment.address });
    return { ...game, abi: game.abi };
  }
}

/**
 * Compare each event in the file with the log that has the same event number. This finds events
 * that were changed or invented. @param {RpcSource} source @param {GameInfo & {abi: readonly any[]}} game @param {ReplayParts} replay @returns {Promise<FileCheck>}
 */
export async function checkEvents(source, game, { match, deployment, events }) {
  const head = Number(await source.request("eth_blockNumber", []));
  const beyond = events.find(({ block }) => block > head);
  if (beyond) throw new Unverifiable("checked.not-there", { height: beyond.block });
  for (const [from, to] of spansOf(events.map(({ block }) => block))) {
    const known = await chainEvents(source, game.abi, deployment.address, match, from, to);
    const differences = events
      .filter(({ block }) => block >= from && block <= to)
      .flatMap((event) => eventDifferences(event, known.get(event.seq)));
    if (differences.length) return { state: "differs", by: "chain", differences };
  }
  return { state: "same", differences: [], count: await currentSeq(source, game, match) };
}

/** Return ranges of blocks that together contain all these blocks. Each range is [first, last]. @param {number[]} blocks */
function spansOf(blocks) {
  /** @type {[number, number][]} */
  const spans = [];
  for (const block of blocks.toSorted((a, b) => a - b)) {
    const last = spans.at(-1);
    if (last && block < last[0] + SPAN) last[1] = block;
    else spans.push([block, block]);
  }
  return spans;
}

/** Ask a node for a match's events in a range of blocks. The key is the event's number. @param {RpcSource} source @param {readonly any[]} abi @param {string} address @param {string} match @param {number} from @param {number} to @returns {Promise<Map<number, Json>>} */
async function chainEvents(source, abi, address, match, from, to) {
  const topics = [null, `0x${BigInt(match.split("/")[1]).toString(16).padStart(64, "0")}`];
  const filter = { address, topics, fromBlock: toQuantity(from), toBlock: toQuantity(to) };
  const known = new Map();
  for (const log of await source.request("eth_getLogs", [filter])) {
    const event = eventOf(log, abi);
    known.set(event.seq, { ...event, time: Number(log.blockTimestamp ?? (await timeOf(source, log))) });
  }
  return known;
}

/** Convert a log to the format of the events in a replay file. @param {any} log @param {readonly any[]} abi */
function eventOf(log, abi) {
  const decoded = interfaceOf(abi).parseLog(log);
  if (!decoded) throw new Unverifiable("replay.unreadable-logs");
  const { seq, ...args } = plain(decoded.args);
  delete args.matchId;
  const [block, logIndex] = [Number(log.blockNumber), Number(log.logIndex)];
  return { seq, name: decoded.name, args, block, hash: log.blockHash, tx: log.transactionHash, logIndex };
}

/** Request the time of a log's block, for nodes that don't include the time in their logs. @param {RpcSource} source @param {any} log @returns {Promise<string>} */
const timeOf = async (source, { blockHash }) =>
  (await source.request("eth_getBlockByHash", [blockHash, false])).timestamp;

/** @param {Json} event the event in the file @param {Json|undefined} known the event on the chain with the same number @returns {FileDifference[]} */
const eventDifferences = (event, known) =>
  firstOf(
    event.seq,
    event.name === known?.name ? leafDifferences({ ...event, patch: undefined }, known) : [nameOf(event, known)],
  );

/** @param {Json} event @param {Json|undefined} known @returns {Difference} */
const nameOf = (event, known) => ({ path: "name", claimed: event.name, actual: known?.name });

/** Return only the first difference of an event, because many of its values can differ. @param {number} seq @param {Difference[]} differences @returns {FileDifference[]} */
const firstOf = (seq, differences) => differences.slice(0, 1).map((one) => ({ ...one, seq }));

/**
 * Compare the file's boards with the server's. It is enough to compare the first board and the
 * patches, from which all other boards follow (history/replay-parser.js). @param {ReplayParts} replay @returns {Promise<Partial<FileCheck>>}
 */
async function checkBoards(replay) {
  try {
    return compareRecords(replay, await get(`/matches/${replay.match}/replay`));
  } catch (error) {
    if (!(error instanceof Offline || error instanceof Problem)) throw error;
    return { boards: false };
  }
}

/**
 * Compare a file with the server's replay of the match. The caller has already compared the file's
 * events with the chain. @param {ReplayParts} replay @param {ReplayParts} record @returns {Partial<FileCheck>}
 */
export function compareRecords(replay, record) {
  if (replay.events.some(({ hash }, i) => record.events[i]?.hash !== hash)) return { boards: false }; // the server lags behind the chain, so the boards can't be compared
  const differences = [
    ...leafDifferences(preamble(replay), preamble(record)).map((one) => ({ ...one, seq: 0 })),
    ...replay.events.flatMap(({ seq, patch }, i) =>
      firstOf(seq, leafDifferences({ patch }, { patch: record.events[i].patch })),
    ),
  ];
  return differences.length ? { state: "differs", by: "server", differences } : { boards: true };
}

/** @param {ReplayParts} replay */
const preamble = ({ game, deployment, start }) => ({ game, deployment, start });
