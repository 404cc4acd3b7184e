// Looks into the trees that views make.

/** All parts of a tree. */
export function* parts(tree) {
  for (const one of [tree].flat(Infinity)) {
    if (!one || typeof one !== "object") continue;
    yield one;
    yield* parts(one.children ?? []);
  }
}

/** Its elements by their properties. */
export const find = (tree, fits) => [...parts(tree)].filter(({ props }) => props && fits(props));

/** What is read in it. */
export const textOf = (tree) =>
  [tree]
    .flat(Infinity)
    .map((one) => (one && typeof one === "object" ? textOf(one.children ?? []) : (one ?? "")))
    .filter((one) => typeof one !== "boolean")
    .join("");
