/**
 * A small virtual DOM, whose trees are plain values. It sets styles through the CSSOM, because the
 * page's CSP forbids style attributes.
 */

const SVG = "http://www.w3.org/2000/svg";

/**
 * @typedef {{[MADE]?: true, tag: string, props: Record<string, any>, children: Child[]}} Tree
 * @typedef {Tree|string} Child
 * @typedef {Element & {drawnProps?: Record<string, any>, tree?: Tree}} DrawnElement
 */

/**
 * Marks the trees that `h` has made. JSON from the server can have the form of a tree, for example
 * that of a script where a text should be, but JSON can't contain a symbol.
 */
const MADE = Symbol("made by h");

/**
 * @param {string} tag @param {Record<string, any>|null} [props] the element's attributes, and
 * special properties. `key` or `id`: identifies the element, so that the next drawing reuses it.
 * `vars`: style properties. `drawn`: called with the element after each drawing. `on…`: event
 * listeners. @param {...any} children @returns {Tree}
 */
export function h(tag, props, ...children) {
  const kept = children
    .flat(Infinity)
    .filter((child) => child !== null && child !== undefined && child !== false && child !== "");
  return {
    [MADE]: true,
    tag,
    props: props ?? {},
    children: kept.map((child) => (child[MADE] ? child : String(child))),
  };
}

/**
 * Change the child nodes of `parent`, so that they show the trees in `children`. Reuse the existing
 * nodes if possible. @param {Element} parent @param {Child[]} children
 */
export function draw(parent, children) {
  const old = new Map();
  const spare = new Set(parent.childNodes);
  for (const node of spare) if (keyOf(node)) old.set(keyOf(node), node);
  const loose = [...spare].filter((node) => !keyOf(node));
  let next = parent.firstChild;
  for (const child of children) {
    const node = reuse(child, old, loose) ?? make(child, parent);
    spare.delete(node);
    if (node === next) next = next.nextSibling;
    else {
      // Don't move this node, because it would lose the focus. Remove the nodes before it instead.
      while (next && next !== node && isRemoved(next, children)) next = removeNode(next);
      if (node === next) next = next.nextSibling;
      else parent.insertBefore(node, next);
    }
    update(node, child);
  }
  for (const node of spare) if (node.parentNode === parent) node.remove();
}

/** @param {ChildNode} node */
function removeNode(node) {
  const following = node.nextSibling;
  node.remove();
  return following;
}

/** @param {Node} node @param {Child[]} children */
const isRemoved = (node, children) =>
  Boolean(keyOf(node)) && !children.some((child) => typeof child !== "string" && key(child.props) === keyOf(node));

/** @param {Record<string, any>|undefined} props @returns {any} */
const key = (props) => props?.key ?? props?.id;

/** @param {Node} node @returns {any} */
const keyOf = (node) => key(/** @type {DrawnElement} */ (node).drawnProps);

/** @param {Child} child @param {Map<any, ChildNode>} old @param {ChildNode[]} loose @returns {ChildNode|undefined} */
function reuse(child, old, loose) {
  if (typeof child !== "string" && key(child.props)) {
    const node = old.get(key(child.props));
    return node && node.nodeName.toLowerCase() === child.tag ? node : undefined;
  }
  const name = typeof child === "string" ? "#text" : child.tag;
  const found = loose.findIndex((node) => node.nodeName.toLowerCase() === name);
  return found < 0 ? undefined : loose.splice(found, 1)[0];
}

/** @param {Child} child @param {Element} parent @returns {ChildNode} */
function make(child, parent) {
  if (typeof child === "string") return document.createTextNode(child);
  const inSvg = child.tag === "svg" || (parent.namespaceURI === SVG && parent.nodeName !== "foreignObject");
  return inSvg ? document.createElementNS(SVG, child.tag) : document.createElement(child.tag);
}

/** @param {ChildNode} node @param {Child} child */
function update(node, child) {
  if (typeof child === "string") {
    if (node.nodeValue !== child) node.nodeValue = child;
    return;
  }
  const element = /** @type {DrawnElement} */ (node);
  if (element.tree === child) return; // a view has returned the same cached tree as before, so nothing has changed
  const before = element.drawnProps ?? {};
  element.tree = child;
  element.drawnProps = child.props;
  for (const name of Object.keys(before)) if (!(name in child.props)) assign(element, name, undefined);
  for (const [name, value] of Object.entries(child.props)) {
    if (name === "vars") style(element, value, before.vars);
    else if (value !== before[name] || name === "value") assign(element, name, value);
  }
  if (!child.props.opaque) draw(element, child.children);
  child.props.drawn?.(element);
}

const PROPERTIES = new Set(["value", "checked", "indeterminate"]);
const OWN = new Set(["key", "drawn", "opaque", "vars"]);

/**
 * Set the style properties that have changed. Skip the others, because each write makes the browser
 * compute styles again. @param {any} element @param {Record<string, any>} vars @param {Record<string, any>} [before]
 */
function style(element, vars, before) {
  for (const [key, item] of Object.entries(vars ?? {}))
    if (item !== before?.[key]) element.style.setProperty(key, String(item));
}

/** @param {any} element @param {string} name @param {any} value */
function assign(element, name, value) {
  if (OWN.has(name)) return;
  if (name.startsWith("on")) element[name] = value ?? null;
  else if (PROPERTIES.has(name)) {
    if (element[name] !== value) element[name] = value ?? "";
  } else if (value === undefined || value === null || value === false) element.removeAttribute(name);
  else element.setAttribute(name, value === true ? "" : String(value));
}
