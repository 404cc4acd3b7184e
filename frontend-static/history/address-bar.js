/** Keeps the address at the event that is shown, without an entry in the browser's history for each. */

/** Browsers take only so many changes at a time, some a hundred in half a minute. */
const APART_MS = 400;

/** @returns {(address: string) => void} */
export function addressBar() {
  let pending = "";
  let waiting = false;
  const write = () => {
    const here = pending.split("@")[0] === location.hash.split("@")[0]; // and not at another page by now
    if (here && pending !== location.hash) history.replaceState(history.state, "", pending);
    pending = "";
  };
  // At once when a press may lead elsewhere, or going back would miss where one was.
  addEventListener("pointerdown", write, true);
  addEventListener(
    "keydown",
    ({ key }) => {
      if (key === "Enter") write();
    },
    true,
  );
  addEventListener("popstate", () => {
    pending = ""; // who goes back leads: an address from before would take the place of that one
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
