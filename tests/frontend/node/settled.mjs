/**
 * Wait until only timers and I/O are left. Before the event loop's next turn, Node runs all promise
 * callbacks that are pending.
 */
export const settled = () => new Promise((done) => setImmediate(done));
