// Replaces global variables in tests, and restores them, because all test files share one process
// (all.mjs).
import { after, before } from "node:test";

/** Replace global variables. Return a function that restores them. */
export function replaceGlobals(fakes) {
  const kept = Object.keys(fakes).map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)]);
  for (const [name, fake] of Object.entries(Object.getOwnPropertyDescriptors(fakes)))
    Object.defineProperty(globalThis, name, { ...fake, configurable: true });
  return () => {
    for (const [name, descriptor] of kept)
      if (descriptor) Object.defineProperty(globalThis, name, descriptor);
      else delete globalThis[name];
  };
}

/**
 * Replace global variables while the calling file's tests run. A test may assign other values to
 * them.
 */
export function useGlobals(fakes) {
  let restore;
  before(() => {
    restore = replaceGlobals(fakes);
  });
  after(() => restore());
}

/** Return a replacement for a browser's storage. The replacement keeps its entries in a map. */
export const storageOf = (entries) => ({
  getItem: (key) => entries.get(key) ?? null,
  setItem: (key, text) => void entries.set(key, text),
  removeItem: (key) => void entries.delete(key),
});
