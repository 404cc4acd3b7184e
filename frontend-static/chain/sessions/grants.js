/** Which keys may act for the account that is used: told by the registry's events, and asked of the registry itself. */

import { accountOf, registryOf, stepsOf } from "./registry.js";
import { NodeLost, NodeRefusal } from "../../server/jsonrpc.js";

/** @import { Host, Session, Sessions } from "./sessions.js" */
/** @import { Step } from "./registry.js" */
/** @typedef {{key: string, games: string[], until: number, state: "live"|"expired"|"revoked"|"begun", session?: Session}} Allowance `begun`: not on the chain yet. `session`: of this browser. */

/** Blocks that a reorg may still take. */
const UNSURE = 128;

export class Allowances {
  /** @param {Host} app @param {Sessions} sessions */
  constructor(app, sessions) {
    this.app = app;
    this.sessions = sessions;
    this.registry = "";
    this.account = "";
    /** @type {Step[]} those of blocks that stay, and up to which block they are known */
    this.steps = [];
    this.known = -1;
    /** @type {Allowance[]|null} the latest first; null until it was looked */
    this.list = null;
    this.looked = -1;
    this.turns = 0;
  }

  /** Looks again when the account or the head is another one. */
  watch() {
    const height = this.app.head?.height ?? 0;
    if (this.account === this.app.me && this.looked === height) return;
    this.looked = height;
    void this.look();
  }

  /** Reads the chain. What can't be read now is read at the next block. */
  async look() {
    const [account, turn] = [this.app.me, ++this.turns];
    if (account !== this.account) Object.assign(this, { account, steps: [], known: -1, list: null });
    try {
      const found = await this.read(account);
      if (account !== this.account || turn !== this.turns) return; // a later look knows more
      this.list = found;
      for (const { session, state } of found) if (session && session.linked !== (state === "live")) await this.mark(session, state === "live");
    } catch (error) {
      if (!(error instanceof NodeLost || error instanceof NodeRefusal)) throw error;
    }
    this.app.redraw();
  }

  /** @param {string} account @returns {Promise<Allowance[]>} */
  async read(account) {
    const [first, newest] = this.range();
    if (!newest) return [];
    this.registry ||= await registryOf(newest);
    const head = this.app.head?.height ?? 0;
    const { steps: before, known } = this; // another look may come between
    const steps = [...before, ...await stepsOf(this.registry, account, Math.max(first, known + 1), head)];
    this.steps = steps.filter(({ block }) => block <= head - UNSURE);
    this.known = Math.max(known, head - UNSURE);
    const begun = this.sessions.list.filter((one) => one.account === account && !steps.some(({ key }) => key === one.key));
    const told = await Promise.all(latest(steps).map((step) => this.judged(account, step)));
    return [...begun.map((session) => ({ key: session.key, games: session.games, until: session.until, state: this.stateOf(session), session })), ...told];
  }

  /** The first block that can hold a link, and a contract that knows the registry. @returns {[number, string|undefined]} */
  range() {
    const all = [...this.app.games.values()].flatMap(({ deployments }) => deployments);
    return [Math.min(...all.map(({ firstBlock }) => firstBlock)), all.at(-1)?.address];
  }

  /** @param {Session} session @returns {"begun"|"expired"} */
  stateOf({ until }) {
    return until > this.app.now() ? "begun" : "expired";
  }

  /** The registry has the last word: events may be old, or of a node that is behind. @param {string} account @param {Step} step @returns {Promise<Allowance>} */
  async judged(account, { key, games, until }) {
    const session = this.sessions.list.find((one) => one.key === key);
    const answers = await Promise.all(games.map((game) => accountOf(this.registry, key, game)));
    const expired = until <= this.app.now() || answers.includes("Expired");
    const live = answers.length > 0 && answers.every((answer) => answer === account);
    return { key, games, until, session, state: live && !expired ? "live" : answers.includes("NotLinked") || !expired ? "revoked" : "expired" };
  }

  /** @param {Session} session @param {boolean} linked */
  async mark(session, linked) {
    session.linked = linked;
    await this.sessions.write(session);
  }
}

/** The last link of each key, the latest first. @param {Step[]} steps */
function latest(steps) {
  const links = new Map();
  for (const step of steps) {
    if (step.name !== "Linked") continue;
    links.delete(step.key);
    links.set(step.key, step);
  }
  return [...links.values()].reverse();
}
