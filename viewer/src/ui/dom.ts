// Elements made without markup: text from the report only ever becomes a text node or an attribute that holds plain text.

type Child = Node | string | null | false;
type Attributes = Record<string, string | number | boolean | null | undefined>;

const SAFE = /^(class|id|type|title|role|tabindex|for|name|value|min|max|step|placeholder|scope|colspan|hidden|disabled|autocomplete|spellcheck|open|dir|checked|selected|aria-[a-z]+|data-[a-z]+)$/;

function apply(e: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (!SAFE.test(name)) throw new Error(`attribute ${name} is not allowed here`);
    if (value === false || value === null || value === undefined) e.removeAttribute(name);
    else e.setAttribute(name, value === true && !name.startsWith("aria-") ? "" : String(value));
  }
}

/** An element with attributes and children; strings become text nodes. */
export function h<K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Attributes = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const e = document.createElement(tag);
  apply(e, attributes);
  for (const child of children) if (child !== null && child !== false) e.append(child);
  return e;
}

export function set(e: Element, attributes: Attributes): void {
  apply(e, attributes);
}

const SVG = "http://www.w3.org/2000/svg";

/** An icon from constants of this program, never from the report. */
export function icon(paths: readonly string[], className = "icon"): SVGSVGElement {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("class", className);
  svg.setAttribute("aria-hidden", "true");
  svg.setAttribute("focusable", "false");
  for (const d of paths) {
    const path = document.createElementNS(SVG, "path");
    const filled = d.startsWith("!");
    path.setAttribute("d", filled ? d.slice(1) : d);
    path.setAttribute("class", filled ? "fill" : "line");
    svg.append(path);
  }
  return svg;
}

/** A button with an action. */
export function button(attributes: Attributes, action: (event: MouseEvent) => void, ...children: Child[]): HTMLButtonElement {
  const b = h("button", { type: "button", ...attributes }, ...children);
  b.addEventListener("click", action);
  return b;
}

/** A name from the report, kept apart from the text around it in both writing directions; `full` shows under the pointer. */
export function nameOf(text: string, full = text): HTMLElement {
  const cut = (s: string): string => (s.length > 300 ? `${s.slice(0, 300)}…` : s);
  const e = h("bdi", { class: "name", title: cut(full) });
  e.textContent = cut(text) || "(no name)";
  return e;
}

/** A message for screen readers, said when they have finished. */
export function say(text: string): void {
  const region = document.getElementById("said");
  if (region) region.textContent = text;
}
