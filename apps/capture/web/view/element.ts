/** A few lines in place of a framework: elements are made anew from the state, and what differs is carried over into the page. */
type Child = Node | string | null | false | undefined | readonly Child[];
type Attributes = Readonly<Record<string, string | number | boolean | null | undefined>>;

const SVG = 'http://www.w3.org/2000/svg';

function append(parent: Element, child: Child): void {
  if (child === null || child === false || child === undefined) return;
  if (typeof child === 'string') parent.append(child);
  else if (child instanceof Node) parent.append(child);
  else for (const one of child) append(parent, one);
}

function filled<T extends Element>(element: T, attributes: Attributes, children: readonly Child[]): T {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    element.setAttribute(name, value === true ? '' : String(value));
  }
  append(element, children);
  return element;
}

export const h = <K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] => filled(document.createElement(tag), attributes, children);

export const svg = (tag: string, attributes: Attributes = {}, ...children: Child[]): SVGElement =>
  filled(document.createElementNS(SVG, tag), attributes, children) as SVGElement;

const keyOf = (node: Node): string | null => (node instanceof Element ? node.getAttribute('data-key') : null);

/** Whether a node can become the other one. A key keeps one slot's button from becoming another's, which would move the focus along. */
const isAlike = (a: Node, b: Node): boolean => a.nodeName === b.nodeName && keyOf(a) === keyOf(b);

function takeAttributes(current: Element, wanted: Element): void {
  for (const name of current.getAttributeNames()) if (!wanted.hasAttribute(name)) current.removeAttribute(name);
  for (const name of wanted.getAttributeNames()) {
    const value = wanted.getAttribute(name)!;
    if (current.getAttribute(name) !== value) current.setAttribute(name, value);
  }
}

/** Changes the page where it differs. Focus, scroll position and what a screen reader is reading stay. */
export function morph(current: Element, wanted: Element): void {
  takeAttributes(current, wanted);
  const nodes = [...wanted.childNodes];
  for (const [index, node] of nodes.entries()) {
    const there = current.childNodes[index];
    if (!there) current.append(node);
    else if (!isAlike(there, node)) there.replaceWith(node);
    else if (there instanceof Element) morph(there, node as Element);
    else if (there.nodeValue !== node.nodeValue) there.nodeValue = node.nodeValue;
  }
  while (current.childNodes.length > nodes.length) current.lastChild!.remove();
}
