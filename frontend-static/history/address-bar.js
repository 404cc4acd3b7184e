/**
 * Writes the displayed event's address to the address bar, without adding entries to the browser's
 * history.
 */

/**
 * The minimum time between two changes of the address, because some browsers allow only 100 changes
 * in 30 seconds.
 */
const APART_MS = 400;

/** @returns {(address: string) => void} */
export function addressBar() {
  let pending = "";
  let waiting = false;
  const write = () => {
    const here = pending.split("@")[0] === location.hash.split("@")[0]; // true if the player is still on the page to which the pending address belongs
    if (here && pending !== location.hash) history.replaceState(history.state, "", pending);
    pending = "";
  };
  // Write the pending address before a click or the Enter key can open another page, so that the
  // Back button returns to the displayed event.
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
