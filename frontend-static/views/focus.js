/**
 * Moves the keyboard focus when its element is removed. The focus never falls back to the body,
 * from where every element is many key presses away.
 */

/** Dialogs over the page, and the buttons that open them. */
const OPENERS = { help: "help-button", drawer: "account-button" };

/** @typedef {keyof typeof OPENERS} Opened */

export class Focus {
  constructor() {
    /** The element that had the focus before a dialog was opened. @type {Map<Opened, Element|null>} */
    this.before = new Map();
    /** The ID of the element to focus once it is drawn, unless the focus is elsewhere by then. */
    this.awaited = "";
  }

  /** Draw, and keep the focus on an element if one had it before. @param {Record<Opened, boolean>} open the open dialogs @param {() => void} draw */
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

/** True if no usable element has the focus. Disabled and hidden elements are about to lose it. */
function isNobodys() {
  const { activeElement } = document;
  return (
    !activeElement ||
    activeElement === document.body ||
    activeElement.matches(":disabled") ||
    activeElement.checkVisibility?.() === false
  );
}

/** The ID of the element to focus if this element goes away. A board is replaced by the next board. @param {Element} element */
const nextOf = (element) =>
  element.id === "board" ? "board" : element.closest("[data-then]")?.getAttribute("data-then");

/** Candidates for the focus if an element goes away: its `data-then`, its ancestors, the main part. @param {Element} element */
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

/** Focus an element. Return true if that worked. @param {Element|string|null|undefined} to an element, or its id */
function take(to) {
  const element = typeof to === "string" ? document.getElementById(to) : to;
  if (!(element instanceof HTMLElement) || element.matches(":disabled")) return false;
  element.focus({ preventScroll: true });
  return document.activeElement === element;
}
