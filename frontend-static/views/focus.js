/**
 * Moves the keyboard focus when its element is removed. The focus never falls back to the body,
 * from where every element is many key presses away.
 */

/** Dialogs over the page, and the buttons that open them. */
const OPENERS = { help: "help-button", drawer: "account-button" };

/** @typedef {keyof typeof OPENERS} DialogName */

export class FocusManager {
  constructor() {
    /** The element that had the focus before a dialog was opened. @type {Map<DialogName, Element|null>} */
    this.focusedBefore = new Map();
    /** The ID of the element to focus once it is drawn, unless the focus is elsewhere by then. */
    this.awaitedId = "";
  }

  /** Draw, and keep the focus on an element if one had it before. @param {Record<DialogName, boolean>} open the open dialogs @param {() => void} draw */
  drawKeepingFocus(open, draw) {
    const focused = isFocusLost() ? null : document.activeElement;
    const others = focused ? candidatesAfter(focused) : [];
    const names = /** @type {DialogName[]} */ (Object.keys(OPENERS));
    for (const name of names) if (open[name] && !this.focusedBefore.has(name)) this.focusedBefore.set(name, focused);
    draw();
    for (const name of names) if (!open[name] && this.focusedBefore.has(name)) this.restore(name);
    if (focused && isFocusLost()) {
      const named = successorIdOf(focused);
      this.awaitedId = named && !document.getElementById(named) ? named : "";
      others.find(tryFocus);
    } else if (this.awaitedId && ((focused && focused.id !== "main") || tryFocus(this.awaitedId))) this.awaitedId = "";
  }

  /** Return the focus to the element that had it before a dialog was opened. @param {DialogName} name */
  restore(name) {
    const before = this.focusedBefore.get(name);
    this.focusedBefore.delete(name);
    if (isFocusLost()) [before, OPENERS[name], "board", "main"].find(tryFocus);
  }
}

/** True if no usable element has the focus. Disabled and hidden elements are about to lose it. */
function isFocusLost() {
  const { activeElement } = document;
  return (
    !activeElement ||
    activeElement === document.body ||
    activeElement.matches(":disabled") ||
    activeElement.checkVisibility?.() === false
  );
}

/** The ID of the element to focus if this element goes away. A board is replaced by the next board. @param {Element} element */
const successorIdOf = (element) =>
  element.id === "board" ? "board" : element.closest("[data-then]")?.getAttribute("data-then");

/** Candidates for the focus if an element goes away: its `data-then`, its ancestors, the main part. @param {Element} element */
function candidatesAfter(element) {
  const named = successorIdOf(element);
  /** @type {(Element|string|null|undefined)[]} */
  const candidates = [named];
  for (
    let ancestor = element.parentElement?.closest("[tabindex]");
    ancestor;
    ancestor = ancestor.parentElement?.closest("[tabindex]")
  )
    candidates.push(ancestor);
  return [...candidates, "main"];
}

/** Focus an element. Return true if that worked. @param {Element|string|null|undefined} to an element, or its id */
function tryFocus(to) {
  const element = typeof to === "string" ? document.getElementById(to) : to;
  if (!(element instanceof HTMLElement) || element.matches(":disabled")) return false;
  element.focus({ preventScroll: true });
  return document.activeElement === element;
}
