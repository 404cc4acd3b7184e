/**
 * Moves the keyboard focus to another element when the focused element is removed. Otherwise, the
 * focus would fall back to the body, from where every element is many key presses away.
 */

/** The dialogs over the page, with the IDs of the buttons that open them. */
const OPENERS = { help: "help-button", drawer: "account-button" };

/** @typedef {keyof typeof OPENERS} Opened */

export class Focus {
  constructor() {
    /** The element that had the focus before a dialog was opened. @type {Map<Opened, Element|null>} */
    this.before = new Map();
    /**
     * The ID of an element to focus as soon as it is drawn, unless another element has the focus by
     * then.
     */
    this.awaited = "";
  }

  /** Draw the page. If an element had the focus before, make sure that some element still has it. @param {Record<Opened, boolean>} open the open dialogs @param {() => void} draw */
  keep(open, draw) {
    const focused = isNobodys() ? null : document.activeElement;
    const others = focused ? waysFrom(focused) : [];
    const names = /** @type {Opened[]} */ (Object.keys(OPENERS));
    for (const name of names) if (open[name] && !this.before.has(name)) this.before.set(name, focused);
    draw();
    for (const name of names) if (!open[name] && this.before.has(name)) this.giveBack(name);
    if (focused && isNobodys()) {
      const named = nextOf(focused);
      this.awaited = named && !document.getElementById(named) ? named : "";
      others.find(take);
    } else if (this.awaited && ((focused && focused.id !== "main") || take(this.awaited))) this.awaited = "";
  }

  /** Return the focus to the element that had it before a dialog was opened. @param {Opened} name */
  giveBack(name) {
    const before = this.before.get(name);
    this.before.delete(name);
    if (isNobodys()) [before, OPENERS[name], "board", "main"].find(take);
  }
}

/**
 * Return true if no usable element has the focus. Disabled and hidden elements don't count, because
 * they are about to lose it.
 */
function isNobodys() {
  const { activeElement } = document;
  return (
    !activeElement ||
    activeElement === document.body ||
    activeElement.matches(":disabled") ||
    activeElement.checkVisibility?.() === false
  );
}

/**
 * Return the ID of the element to focus if this element goes away. For a board, that is the next
 * board.
 * @param {Element} element
 */
const nextOf = (element) =>
  element.id === "board" ? "board" : element.closest("[data-then]")?.getAttribute("data-then");

/**
 * Return the candidates for the focus if an element goes away: its `data-then`, its ancestors and
 * the main part.
 * @param {Element} element
 */
function waysFrom(element) {
  const named = nextOf(element);
  /** @type {(Element|string|null|undefined)[]} */
  const ways = [named];
  for (
    let ancestor = element.parentElement?.closest("[tabindex]");
    ancestor;
    ancestor = ancestor.parentElement?.closest("[tabindex]")
  )
    ways.push(ancestor);
  return [...ways, "main"];
}

/** Focus an element. Return true if that worked. @param {Element|string|null|undefined} to an element, or its ID */
function take(to) {
  const element = typeof to === "string" ? document.getElementById(to) : to;
  if (!(element instanceof HTMLElement) || element.matches(":disabled")) return false;
  element.focus({ preventScroll: true });
  return document.activeElement === element;
}
