/**
 * Changes the address to that of the displayed event, without adding entries to the browser's
 * history.
 */

/**
 * The minimum time between two changes. Browsers limit their rate, some to a hundred per half
 * minute.
 */
const APART_MS = 400;

/** @returns {(address: string) => void} */
export function addressBar() {
  let pending = "";
  let waiting = false;
  const write = () => {
    const here = pending.split("@")[0] === location.hash.split("@")[0]; // false if the player is on a different page now
    if (here && pending !== location.hash) history.replaceState(history.state, "", pending);
    pending = "";
  };
  // A press can lead to a different page, and going back must return to the displayed event. So
  // write the address before the press.
  addEventListener("pointerdown", write, true);
  addEventListener(
    "keydown",
    ({ key }) => {
      if (key === "Enter") write();
    },
    true,
  );
  addEventListener("popstate", () => {
    pending = ""; // the player went back, so a pending address must not replace the new address
  });
  return (address) => {
    pending = address;
    if (waiting) return;
    write();
    waiting = true;
    setTimeout(() => {
      waiting = false;
      write();
    }, APART_MS);
  };
}
