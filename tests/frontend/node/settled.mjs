/**
 * Wait until all pending promise callbacks have run, and only timers and I/O are left. Node runs
 * these callbacks before the next turn of the event loop.
 */
export const settled = () => new Promise((done) => setImmediate(done));
