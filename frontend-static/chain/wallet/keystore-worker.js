/** Opens and locks keystore files beside the page, which would stand still for the seconds that it takes. A worker, and how it is asked. */

import { BadKey, lock, unlock } from "./keystore.js";

/** @typedef {{work: "lock"|"unlock", content: any, password: string}} Job */

/** @param {(answer: {part?: number, done?: string, wrong?: any}) => void} post @param {Job} job */
async function serve(post, { work, content, password }) {
  const progress = (/** @type {number} */ part) => post({ part });
  try {
    post({ done: await (work === "lock" ? lock(content, password, progress) : unlock(content, password, progress)) });
  } catch (error) {
    if (!(error instanceof BadKey)) throw error;
    post({ wrong: error.text });
  }
}

const inside = typeof document === "undefined";
if (inside && "postMessage" in globalThis)
  globalThis.onmessage = ({ data }) => void serve((answer) => globalThis.postMessage(answer), data);

/**
 * @param {Job} job `content`: an account's address and key, or the text of a file
 * @param {(part: number) => void} progress from 0 to 1 @returns {Promise<string>} a keystore file, or a key. Throws BadKey.
 */
export function runInWorker(job, progress) {
  const worker = new Worker(new URL("chain/wallet/keystore-worker.js", document.baseURI), { type: "module" });
  return new Promise((done, failed) => {
    worker.onmessage = ({ data: { part, done: text, wrong } }) => {
      if (part !== undefined) progress(part);
      else if (wrong) failed(new BadKey(wrong.key, wrong.args));
      else done(text);
    };
    worker.onerror = (event) => failed(new Error(event.message));
    worker.postMessage(job);
  }).finally(() => worker.terminate());
}
