/** Moves the keyboard's focus when its element is removed: never to the body, from which every way is the longest. */

/** Opened over the page, and the button that opens it. */
const OPENERS = { help: "help-button", drawer: "account-button" };

/** @typedef {keyof typeof OPENERS} Opened */

export class Focus {
  constructor() {
    /** The focused element before something was opened. @type {Map<Opened, Element|null>} */
    this.before = new Map();
    /** The id of the element that takes the focus once it is drawn, unless something else has the focus by then. */
    this.awaited = "";
  }

  /** Draws, and sees to it that something has the focus then, if something had. @param {Record<Opened, boolean>} open what is open now @param {() => void} draw */
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

  /** To what had it before something was opened, which is closed now. @param {Opened} name */
  giveBack(name) {
    const before = this.before.get(name);
    this.before.delete(name);
    if (isNobodys()) [before, OPENERS[name], "board", "main"].find(take);
  }
}

/** What can't be pressed any more, or is hidden, loses it at the browser's next look. */
function isNobodys() {
  const { activeElement } = document;
  return (
    !activeElement ||
    activeElement === document.body ||
    activeElement.matches(":disabled") ||
    activeElement.checkVisibility?.() === false
  );
}

/** The id of the element that takes the focus first when this one goes away. A board's place is taken by the next board. @param {Element} element */
const nextOf = (element) =>
  element.id === "board" ? "board" : element.closest("[data-then]")?.getAttribute("data-then");

/** Where it could go from an element that may go away: what `data-then` around it names, what is around it, the main part. @param {Element} element */
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

/** Whether it could be given. @param {Element|string|null|undefined} to an element, or its id */
function take(to) {
  const element = typeof to === "string" ? document.getElementById(to) : to;
  if (!(element instanceof HTMLElement) || element.matches(":disabled")) return false;
  element.focus({ preventScroll: true });
  return document.activeElement === element;
}
