/** Let the player download a text as a JSON file. @param {string} name @param {string} text JSON */
export const download = (name, text) => downloadBlob(name, new Blob([text], { type: "application/json" }));

/** @param {string} name @param {Blob} blob */
export function downloadBlob(name, blob) {
  const href = URL.createObjectURL(blob);
  Object.assign(document.createElement("a"), { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), 1000);
}
