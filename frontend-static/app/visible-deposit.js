/**
 * Decides whether a form or the terms of a match show an action's deposit. Only then does a single
 * click agree to the deposit. This module has no side effects.
 */

/** @import { Action, Deposit, Input } from "../types.js" */
/** @typedef {Pick<Input, "name"|"kind"|"token">} ShownInput */

/** The deposit that the terms of a match show. @type {ShownInput[]} */
export const TERMS = [{ name: "stake", kind: "amount", token: "token" }];

/**
 * Return true if one of these inputs shows a deposit's amount in the deposit's coin or token. The
 * server describes inputs and deposits. A dishonest server could describe a deposit in ether that
 * has the amount of a worthless token, or one that has the value of a harmless option. @param {Deposit} pays @param {ShownInput[]} inputs
 */
export const showsDeposit = (pays, inputs) =>
  inputs.some(
    ({ name, kind, token }) => kind === "amount" && name === pays.amount && (token ?? "") === (pays.token ?? ""),
  );

/** Return the action that a button sends. If no input shows the deposit, leave out the deposit. @param {Action} action @param {ShownInput[]} inputs @returns {Action} */
export const withVisibleDeposit = (action, inputs) =>
  action.pays && !showsDeposit(action.pays, inputs) ? { ...action, pays: null } : action;
