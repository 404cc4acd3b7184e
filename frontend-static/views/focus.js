/**
 * Moves the keyboard focus to another element when the focused element is removed. Otherwise, the
 * browser would move the focus to the start of the page.
 */

/** The dialogs, each with the ID of the button that opens it. */
const OPENERS = { help: "help-button", drawer: "account-button" };

/** @typedef {keyof typeof OPENERS} DialogName */

export class FocusManager {
  constructor() {
    /** For each open dialog, the element that had the focus before the dialog was opened. @type {Map<DialogName, Element|null>} */
    this.focusedBefore = new Map();
    /**
     * The ID of an element that isn't on the page yet. It gets the focus as soon as it is drawn,
     * unless another element has the focus by then.
     */
    this.awaitedId = "";
  }

  /**
   * Draw the page. If an element had the focus before, make sure that some element has the focus
   * afterwards. @param {Record<DialogName, boolean>} open the open dialogs @param {() => void} draw
   */
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

/**
 * Return true if no usable element has the focus. Disabled and hidden elements don't count, because
 * they are about to lose the focus.
 */
function isFocusLost() {
  const { activeElement } = document;
  return (
    !activeElement ||
    activeElement === document.body ||
    activeElement.matches(":disabled") ||
    activeElement.checkVisibility?.() === false
  );
}

/**
 * Return the ID of the element that should get the focus when this element is removed. For a board,
 * return the ID of the next board.
 * @param {Element} element
 */
const successorIdOf = (element) =>
  element.id === "board" ? "board" : element.closest("[data-then]")?.getAttribute("data-then");

/**
 * Return the elements that can get the focus when this element is removed, the best first. The
 * element's `data-then` attribute names the best one. Then come the element's ancestors, and last,
 * the main element.
 * @param {Element} element
 */
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

/** Focus an element. Return true if the element has the focus afterwards. @param {Element|string|null|undefined} to an element, or its ID */
function tryFocus(to) {
  const element = typeof to === "string" ? document.getElementById(to) : to;
  if (!(element instanceof HTMLElement) || element.matches(":disabled")) return false;
  element.focus({ preventScroll: true });
  return document.activeElement === element;
}
