/** Wait until nothing is left that only waits for promises: Node runs all of that before its next turn. No time passes. */
export const settled = () => new Promise((done) => setImmediate(done));
