/** Wait until only timers and I/O are left. Node runs all pending promises before its next turn. */
export const settled = () => new Promise((done) => setImmediate(done));
