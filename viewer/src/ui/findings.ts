// The list of findings: filter by kind, search, sort; findings of one cause under one row.

import { boundsText, columnDecimals, countText, findingWord, fixedText, KIND_TEXT, numberText, timeText } from "../data/format";
import { type Finding, type Kind, KINDS } from "../data/report";
import type { Store } from "../store";
import { button, h, icon, nameOf, say, set } from "./dom";
import { ICONS, KIND_ICONS } from "./icons";

export type SortKey = "kind" | "parts" | "distance" | "time";

interface Row {
  index: number;
  /** Findings of the same cause that this row stands for, itself not counted. */
  similar: number[];
  /** Whether this row is one of the similar ones of a row above. */
  nested: boolean;
}

/** Rows put into the page at first, and by each press of "more". */
const PAGE = 400;
const COLUMNS: { key: SortKey; label: string; className: string }[] = [
  { key: "kind", label: "Kind", className: "c-kind" },
  { key: "parts", label: "Parts", className: "c-parts" },
  { key: "distance", label: "Distance", className: "c-distance" },
  { key: "time", label: "At", className: "c-time" },
];

export class FindingList {
  readonly element: HTMLElement;
  readonly search = h("input", { type: "search", id: "search", placeholder: "Search parts, groups, ids", autocomplete: "off", spellcheck: "false", "aria-label": "Search findings" });
  readonly kinds = new Set<Kind>();
  onKinds: () => void = () => undefined;
  private sort: { key: SortKey; down: boolean } = { key: "kind", down: false };
  private rows: Row[] = [];
  private shown = PAGE;
  private readonly open = new Set<string>();
  private readonly body = h("tbody");
  private readonly heads = new Map<SortKey, HTMLElement>();
  private readonly status = h("p", { class: "list-status", "aria-live": "polite" });
  private readonly more = button({ class: "more" }, () => {
    this.shown += PAGE;
    this.draw();
  });
  private readonly texts: string[];
  private readonly decimals: number;
  private readonly elements = new Map<number, HTMLTableRowElement>();

  constructor(
    private readonly store: Store,
    private readonly pick: (index: number) => void,
  ) {
    this.decimals = columnDecimals(store.report.findings.map((f) => f.distance));
    this.texts = store.report.findings.map((f) => this.textOf(f));
    this.search.addEventListener("input", () => this.update());
    const table = h("table", { class: "findings" },
      h("caption", { class: "unseen" }, "Findings. Choose one to see it in the 3D view."),
      h("thead", {}, this.headRow()), this.body);
    this.element = h("div", { class: "list" },
      h("div", { class: "list-tools" }, h("label", { class: "search" }, icon(ICONS.search), this.search)),
      this.status, h("div", { class: "scroll" }, table, this.more));
    store.on(["selection"], () => this.mark());
    this.update();
  }

  private textOf(f: Finding): string {
    const parts = [f.a, f.b].flatMap((p) => {
      const { name, path, group } = this.store.report.parts[p];
      return [name, ...path, group ?? ""];
    });
    return [f.id, f.kind, KIND_TEXT[f.kind].label, f.group ?? "", ...(f.features ?? []), ...parts].join("\n").toLowerCase();
  }

  private headRow(): HTMLTableRowElement {
    const row = h("tr");
    for (const { key, label, className } of COLUMNS) {
      if (key === "time" && !this.store.motion) continue;
      const th = h("th", { scope: "col", class: className, "data-sort": key });
      th.append(button({ class: "sort" }, () => this.sortBy(key), label));
      this.heads.set(key, th);
      row.append(th);
    }
    return row;
  }

  sortBy(key: SortKey): void {
    this.sort = { key, down: this.sort.key === key ? !this.sort.down : false };
    this.update();
    say(`Sorted by ${key}, ${this.sort.down ? "descending" : "ascending"}`);
  }

  toggleKind(kind: Kind): void {
    if (!this.kinds.delete(kind)) this.kinds.add(kind);
    this.update();
    this.onKinds();
  }

  clearFilters(): void {
    this.kinds.clear();
    this.search.value = "";
    this.update();
    this.onKinds();
  }

  private compare(i: number, j: number): number {
    const { findings, parts } = this.store.report;
    const [f, g] = [findings[i], findings[j]];
    const byKind = KINDS.indexOf(f.kind) - KINDS.indexOf(g.kind);
    const byDistance = order(f.distance, g.distance);
    let by = 0;
    if (this.sort.key === "kind") by = byKind;
    else if (this.sort.key === "parts") by = compareText(parts[f.a].short, parts[g.a].short) || compareText(parts[f.b].short, parts[g.b].short);
    else if (this.sort.key === "time") by = order(f.time ?? Infinity, g.time ?? Infinity);
    else by = byDistance;
    return (this.sort.down ? -by : by) || byDistance || i - j;
  }

  /** Filters, sorts and draws anew. */
  update(): void {
    const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const { findings } = this.store.report;
    const listed = findings.map((_, i) => i).filter((i) => {
      if (this.kinds.size > 0 && !this.kinds.has(findings[i].kind)) return false;
      return words.every((w) => this.texts[i].includes(w));
    });
    listed.sort((i, j) => this.compare(i, j));
    this.rows = this.grouped(listed);
    this.shown = PAGE;
    this.draw();
    const all = findings.length;
    const filtered = listed.length !== all;
    this.status.replaceChildren(all === 0 ? "Nothing was found." : filtered ? `${countText(listed.length)} of ${countText(all)} findings ` : "");
    this.status.hidden = all > 0 && !filtered;
    if (filtered) this.status.append(button({ class: "link" }, () => this.clearFilters(), "Show all"));
  }

  /** Rows with those of one cause under the first of them. */
  private grouped(listed: number[]): Row[] {
    const { findings } = this.store.report;
    const members = new Map<string, number[]>();
    for (const i of listed) {
      const { group } = findings[i];
      if (group === null) continue;
      const same = members.get(group);
      if (same) same.push(i);
      else members.set(group, [i]);
    }
    const rows: Row[] = [];
    for (const i of listed) {
      const { group } = findings[i];
      const same = group === null ? [i] : (members.get(group) ?? [i]);
      if (same[0] !== i) continue;
      rows.push({ index: i, similar: same.slice(1), nested: false });
      if (group !== null && this.open.has(group)) for (const j of same.slice(1)) rows.push({ index: j, similar: [], nested: true });
    }
    return rows;
  }

  private draw(): void {
    this.elements.clear();
    this.body.replaceChildren(...this.rows.slice(0, this.shown).map((row) => this.rowElement(row)));
    this.more.hidden = this.rows.length <= this.shown;
    this.more.textContent = `Show more (${countText(this.rows.length - this.shown)} left)`;
    for (const [key, th] of this.heads) {
      const now = this.sort.key === key;
      set(th, { "aria-sort": now ? (this.sort.down ? "descending" : "ascending") : "none" });
      th.querySelector("svg")?.remove();
      th.firstElementChild?.append(icon(now ? (this.sort.down ? ICONS.descending : ICONS.ascending) : ICONS.sort, "icon sort-icon"));
    }
    this.mark(false);
  }

  private rowElement(row: Row): HTMLTableRowElement {
    const { report, motion } = this.store;
    const f = report.findings[row.index];
    const { label } = KIND_TEXT[f.kind];
    const said = `${label}: ${report.parts[f.a].name} and ${report.parts[f.b].name}, ${findingWord(f)} ${fixedText(Math.abs(f.distance), this.decimals)} ${report.unit ?? ""}`;
    const choose = h("button", { type: "button", class: "row-button", tabindex: "-1", "data-row": row.index, "aria-label": said.slice(0, 400) },
      icon(KIND_ICONS[f.kind], "icon kind-icon"), h("span", {}, label));
    const names = h("td", { class: "c-parts" }, this.partLine("a", f.a), this.partLine("b", f.b));
    if (row.similar.length > 0 && f.group !== null) names.append(this.groupButton(f.group, row.similar.length));
    const tr = h("tr", { class: `kind-${f.kind}${row.nested ? " nested" : ""}`, "data-index": row.index },
      h("td", { class: "c-kind" }, choose), names, this.distanceCell(f));
    if (motion) tr.append(h("td", { class: "c-time" }, f.time === null ? "–" : timeText(f.time, motion.unit)));
    tr.addEventListener("click", (e) => {
      if ((e.target as Element).closest(".similar")) return;
      choose.focus({ preventScroll: true, focusVisible: false } as FocusOptions);
      this.pick(row.index);
    });
    this.elements.set(row.index, tr);
    return tr;
  }

  private partLine(role: "a" | "b", part: number): HTMLElement {
    return h("div", { class: `part-line role-${role}` }, nameOf(this.store.report.parts[part].short, this.store.report.parts[part].name));
  }

  private groupButton(group: string, count: number): HTMLElement {
    const open = this.open.has(group);
    return button({ class: "similar link", "aria-expanded": String(open) }, () => {
      if (!this.open.delete(group)) this.open.add(group);
      this.update();
    }, open ? "Hide similar" : `+ ${countText(count)} similar`);
  }

  private distanceCell(f: Finding): HTMLElement {
    const { unit } = this.store.report;
    const word = findingWord(f);
    const number = fixedText(Math.abs(f.distance), this.decimals);
    const value = h("div", { class: `value ${word}` }, h("span", { class: "unseen" }, `${word} `), unit ? `${number}\u00a0${unit}` : number);
    const under = f.required !== null && f.kind === "clearance" ? `of ${numberText(f.required)} required` : word;
    return h("td", { class: "c-distance", title: `${word} ${boundsText(f)}` }, value, h("div", { class: "under" }, under));
  }

  /** Marks the selected row and brings it into sight. */
  private mark(reveal = true): void {
    const { selection } = this.store;
    const chosen = selection?.type === "finding" ? selection.index : -1;
    const first = this.rows[0]?.index;
    for (const [index, tr] of this.elements) {
      const now = index === chosen;
      set(tr, { "aria-current": now ? "true" : null });
      const b = tr.querySelector(".row-button");
      if (b) set(b, { tabindex: now || (!this.elements.has(chosen) && index === first) ? "0" : "-1" });
    }
    if (reveal) this.elements.get(chosen)?.scrollIntoView({ block: "nearest" });
  }

  /** Indices of the listed findings in order. */
  get order(): number[] {
    return this.rows.map((r) => r.index);
  }

  /** Goes to the next or the previous finding of the list. */
  step(by: 1 | -1): void {
    const order = this.order;
    if (order.length === 0) return;
    const { selection } = this.store;
    const at = selection?.type === "finding" ? order.indexOf(selection.index) : -1;
    const to = at < 0 ? (by > 0 ? 0 : order.length - 1) : Math.min(order.length - 1, Math.max(0, at + by));
    if (to >= this.shown) {
      this.shown = to + PAGE;
      this.draw();
    }
    const focused = this.body.contains(document.activeElement);
    this.pick(order[to]);
    if (focused) this.elements.get(order[to])?.querySelector<HTMLElement>(".row-button")?.focus({ preventScroll: true });
  }
}

/** Numbers in order, unknown ones last. */
function order(x: number, y: number): number {
  if (x === y || (Number.isNaN(x) && Number.isNaN(y))) return 0;
  if (Number.isNaN(x)) return 1;
  if (Number.isNaN(y)) return -1;
  return x - y;
}

const COLLATOR = new Intl.Collator("en", { numeric: true });
const compareText = (x: string, y: string): number => COLLATOR.compare(x, y);
