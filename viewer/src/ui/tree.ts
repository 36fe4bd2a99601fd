// The tree of parts: assemblies that open and close, visibility and transparency of each.

import { countText } from "../data/format";
import type { Store } from "../store";
import { button, h, icon, nameOf, set } from "./dom";
import { ICONS } from "./icons";

interface Node {
  name: string;
  /** Index of the part, or −1 for an assembly. */
  part: number;
  children: Node[];
  parent: Node | null;
  depth: number;
  open: boolean;
  /** All parts at and under this node. */
  parts: number[];
}

/** Rows put into the page at first, and by each press of "more". */
const PAGE = 500;

export class PartTree {
  readonly element: HTMLElement;
  private readonly root: Node;
  private readonly search = h("input", { type: "search", id: "part-search", placeholder: "Search parts", autocomplete: "off", spellcheck: "false", "aria-label": "Search parts" });
  private readonly tree = h("div", { role: "tree", class: "tree", "aria-label": "Parts" });
  private readonly more = button({ class: "more" }, () => {
    this.shown += PAGE;
    this.draw();
  });
  private readonly slider = h("input", { type: "range", id: "opacity", min: "0", max: "100", step: "1", value: "100", "aria-label": "Opacity" });
  private readonly sliderText = h("output", { for: "opacity" }, "100 %");
  private readonly target = h("span", { class: "target" });
  private rows: Node[] = [];
  private elements = new Map<Node, HTMLElement>();
  private current: Node;
  private shown = PAGE;

  constructor(
    private readonly store: Store,
    private readonly pick: (part: number) => void,
  ) {
    this.root = build(store);
    this.current = this.root;
    this.search.addEventListener("input", () => {
      this.shown = PAGE;
      this.draw();
    });
    this.tree.addEventListener("keydown", (e) => this.key(e));
    this.slider.addEventListener("input", () => this.store.setOpacity(this.current.parts, Number(this.slider.value) / 100));
    this.element = h("div", { class: "list" }, this.tools(), h("div", { class: "scroll" }, this.tree, this.more), this.opacityBar());
    store.on(["look"], () => this.marks());
    store.on(["selection"], () => this.follow());
    this.draw();
  }

  private tools(): HTMLElement {
    const all = this.store.report.parts.map((_, i) => i);
    return h("div", { class: "list-tools" },
      h("label", { class: "search" }, icon(ICONS.search), this.search),
      button({ class: "tool", title: "Show all parts, opaque" }, () => {
        this.store.setOpacity(all, 1);
        this.store.setVisible(all, true);
      }, "Show all"),
      button({ class: "tool", title: "Hide all but the chosen" }, () => {
        this.store.setVisible(all, false);
        this.store.setVisible(this.current.parts, true);
      }, "Only this"));
  }

  private opacityBar(): HTMLElement {
    return h("div", { class: "opacity-bar" }, h("label", { for: "opacity" }, "Opacity of ", this.target), this.slider, this.sliderText);
  }

  /** Rows to list: the open part of the tree, or what the search finds. */
  private listed(): Node[] {
    const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const out: Node[] = [];
    const walk = (node: Node): void => {
      for (const child of node.children) {
        const found = words.length === 0 || words.every((w) => child.name.toLowerCase().includes(w));
        if (found) out.push(child);
        if (words.length > 0 || child.open) walk(child);
      }
    };
    walk(this.root);
    return out;
  }

  private draw(): void {
    this.rows = this.listed();
    if (!this.rows.includes(this.current)) this.current = this.rows[0] ?? this.root;
    this.elements = new Map(this.rows.slice(0, this.shown).map((node) => [node, this.row(node)]));
    this.tree.replaceChildren(...this.elements.values());
    this.more.hidden = this.rows.length <= this.shown;
    this.more.textContent = `Show more (${countText(this.rows.length - this.shown)} left)`;
    this.marks();
  }

  private row(node: Node): HTMLElement {
    const folder = node.part < 0;
    const caret = h("span", { class: folder ? "caret" : "caret none" }, folder && icon(ICONS.caret));
    const eye = button({ class: "eye", tabindex: "-1" }, (e) => {
      e.stopPropagation();
      this.toggle(node);
    });
    const row = h("div", {
      role: "treeitem", class: "tree-row", "aria-level": node.depth, tabindex: "-1",
      "aria-expanded": folder ? String(node.open) : null, "data-part": node.part >= 0 ? node.part : null,
    }, caret, eye, nameOf(node.name), h("span", { class: "amount" }));
    row.style.setProperty("--depth", String(Math.min(node.depth, 12) - 1));
    row.addEventListener("click", (e) => {
      this.choose(node, false);
      if (folder && (e.target as Element).closest(".caret")) this.fold(node, !node.open);
      else if (!folder) this.pick(node.part);
    });
    row.addEventListener("dblclick", () => folder && this.fold(node, !node.open));
    return row;
  }

  private toggle(node: Node): void {
    this.store.setVisible(node.parts, !node.parts.some((p) => this.store.visible[p]));
  }

  private fold(node: Node, open: boolean): void {
    node.open = open;
    this.draw();
    this.focus();
  }

  private choose(node: Node, focus = true): void {
    this.current = node;
    this.marks();
    if (focus) this.focus();
  }

  private focus(): void {
    this.elements.get(this.current)?.focus();
  }

  /** The chosen part in the view is the chosen row. */
  private follow(): void {
    const { selection } = this.store;
    if (selection?.type !== "part") return;
    const find = (node: Node): Node | null => {
      if (node.part === selection.index) return node;
      for (const child of node.children) {
        if (!child.parts.includes(selection.index)) continue;
        if (child.part < 0 && this.search.value === "") child.open = true;
        return find(child);
      }
      return null;
    };
    const found = find(this.root);
    if (!found) return;
    this.current = found;
    this.draw();
    this.elements.get(found)?.scrollIntoView({ block: "nearest" });
  }

  /** Brings eyes, amounts and the slider up to date. */
  private marks(): void {
    const { visible, opacity } = this.store;
    for (const [node, row] of this.elements) {
      const on = node.parts.reduce((n, p) => n + visible[p], 0);
      const eye = row.querySelector(".eye");
      if (eye) {
        eye.replaceChildren(icon(on ? ICONS.eye : ICONS.eyeOff));
        set(eye, { "aria-label": on ? "Hide" : "Show", "aria-pressed": String(on > 0), title: on ? "Hide (space)" : "Show (space)" });
      }
      row.classList.toggle("off", on === 0);
      row.classList.toggle("partly", on > 0 && on < node.parts.length);
      const alpha = opacity[node.parts[0] ?? 0];
      const amount = row.querySelector(".amount");
      if (amount) amount.textContent = node.part < 0 ? countText(node.parts.length) : alpha < 1 ? `${Math.round(alpha * 100)} %` : "";
      const now = node === this.current;
      set(row, { tabindex: now ? "0" : "-1", "aria-selected": String(now) });
    }
    const alpha = Math.round((opacity[this.current.parts[0]] ?? 1) * 100);
    this.slider.value = String(alpha);
    set(this.slider, { "aria-valuetext": `${alpha} percent` });
    this.sliderText.textContent = `${alpha} %`;
    this.target.replaceChildren(this.current === this.root ? "all" : nameOf(this.current.name));
  }

  private key(e: KeyboardEvent): void {
    const at = this.rows.indexOf(this.current);
    const go = (node: Node | undefined | null): void => {
      if (node && this.elements.has(node)) this.choose(node);
    };
    const node = this.current;
    const folder = node.part < 0;
    switch (e.key) {
      case "ArrowDown": go(this.rows[at + 1]); break;
      case "ArrowUp": go(this.rows[at - 1]); break;
      case "Home": go(this.rows[0]); break;
      case "End": go([...this.elements.keys()].at(-1)); break;
      case "ArrowRight": if (folder && !node.open) this.fold(node, true); else go(node.children[0]); break;
      case "ArrowLeft": if (folder && node.open) this.fold(node, false); else go(node.parent); break;
      case " ": this.toggle(node); break;
      case "Enter": if (folder) this.fold(node, !node.open); else this.pick(node.part); break;
      default: return;
    }
    e.preventDefault();
    e.stopPropagation();
  }
}

/** The tree of assemblies and parts; the outermost are open where there are few parts. */
function build(store: Store): Node {
  const root: Node = { name: "", part: -1, children: [], parent: null, depth: 0, open: true, parts: [] };
  const folders = new Map<Node, Map<string, Node>>([[root, new Map()]]);
  const few = store.report.parts.length <= 60;
  store.report.parts.forEach((part, i) => {
    let at = root;
    root.parts.push(i);
    for (const name of part.path.slice(0, 64)) {
      let next = folders.get(at)?.get(name);
      if (!next) {
        next = { name, part: -1, children: [], parent: at === root ? null : at, depth: at.depth + 1, open: few, parts: [] };
        at.children.push(next);
        folders.get(at)?.set(name, next);
        folders.set(next, new Map());
      }
      at = next;
      at.parts.push(i);
    }
    at.children.push({ name: part.short, part: i, children: [], parent: at === root ? null : at, depth: at.depth + 1, open: false, parts: [i] });
  });
  // A single outermost assembly says nothing while it is closed.
  for (let at = root; at.children.length === 1 && at.children[0].part < 0; at = at.children[0]) at.children[0].open = true;
  return root;
}
