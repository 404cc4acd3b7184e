/** A client for the gateway's REST API. */

import { has } from "../i18n/translate.js";
import { siteUrl } from "../lib/site.js";

/** @import { I18nText, Json } from "../types.js" */

/**
 * Return the page's translation of a message from the server. If there is none, return the server's
 * English text. @param {Json} words the server's message: `detail` is its English text, and `key` its message key @returns {I18nText}
 */
export function problemText({ key, args, detail }) {
  const own = `problem.${key}`;
  return has(own) ? { key: own, args } : { key: "node.said", args: { text: detail } };
}

/** An error response of the server, which describes the error in a problem document (RFC 9457). */
export class Problem extends Error {
  /** @param {number} status @param {Json} words */
  constructor(status, words) {
    super(words.detail);
    this.status = status;
    this.text = problemText(words);
  }
}

/** Return the text that explains to the player why a request failed. @param {any} error @returns {I18nText} */
export const whyUnanswered = (error) => (error instanceof Problem ? error.text : { key: "why.no-server" });

/** Thrown if the page could not reach the server. */
export class Offline extends Error {}

const TIMEOUT_MS = 15_000;

/** @param {string} path @param {RequestInit} [options] @param {number} [ms] the time limit for the answer, in milliseconds @returns {Promise<any>} */
async function request(path, options, ms = TIMEOUT_MS) {
  /** @type {Response} */
  let answer;
  try {
    answer = await fetch(siteUrl(path), { ...options, signal: AbortSignal.timeout(ms) });
  } catch (error) {
    throw new Offline(String(error));
  }
  const body = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Problem(answer.status, { detail: answer.statusText, ...body });
  return body;
}

/** @param {string} path the path after `/api` @param {Record<string, string|number|string[]|undefined>} [query] the query parameters; a list becomes a parameter for each of its items */
export function get(path, query = {}) {
  const params = Object.entries(query)
    .filter(([, value]) => value !== undefined)
    .flatMap(([key, value]) => [value].flat().map((one) => [key, String(one)]));
  const search = new URLSearchParams(params).toString();
  return request(`api${path}${search && `?${search}`}`);
}

/** @param {string} path the path after `/api` @param {any} body @param {number} [ms] the time limit for the answer, in milliseconds */
export function post(path, body, ms) {
  const headers = { "content-type": "application/json" };
  return request(`api${path}`, { method: "POST", headers, body: JSON.stringify(body) }, ms);
}
