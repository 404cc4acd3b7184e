// Helpers that inspect the trees of elements that views return.

/** Yield all elements in a tree. */
export function* parts(tree) {
  for (const one of [tree].flat(Infinity)) {
    if (!one || typeof one !== "object") continue;
    yield one;
    yield* parts(one.children ?? []);
  }
}

/** Return the elements in a tree whose properties match the given condition. */
export const find = (tree, fits) => [...parts(tree)].filter(({ props }) => props && fits(props));

/** Return the whole text in a tree. */
export const textOf = (tree) =>
  [tree]
    .flat(Infinity)
    .map((one) => (one && typeof one === "object" ? textOf(one.children ?? []) : (one ?? "")))
    .filter((one) => typeof one !== "boolean")
    .join("");
