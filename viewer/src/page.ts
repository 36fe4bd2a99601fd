// The page put together: header, lists, view, timeline, and what they do to each other.

import type { Axis, Store, Theme } from "./store";
import { makeClearances } from "./ui/clearances";
import { Details } from "./ui/details";
import { helpDialog, problemsDialog } from "./ui/dialogs";
import { button, h, say, set } from "./ui/dom";
import { FindingList } from "./ui/findings";
import { makeHeader, nextTheme } from "./ui/header";
import { listenToKeys, NEXT_OTHERS } from "./ui/keys";
import { makeLabels, makeTriad } from "./ui/overlay";
import { Timeline } from "./ui/timeline";
import { makeToolbar, nextSection } from "./ui/toolbar";
import { PartTree } from "./ui/tree";
import { KIND_TEXT } from "./data/format";
import type { SceneBounds } from "./view/bounds";
import type { Parts } from "./view/parts";
import { AXES } from "./view/section";
import { View } from "./view/view";

export interface Page {
  view: View | null;
  list: FindingList;
}

/** Panels of which one is shown, with their tabs. */
function tabs(panels: [id: string, label: string, content: HTMLElement][]): { element: HTMLElement; show(id: string): void } {
  const bar = h("div", { role: "tablist", class: "tabs", "aria-label": "Lists" });
  const element = h("aside", { class: "side", "aria-label": "Lists" }, bar);
  const buttons = panels.map(([id, label, content]) => {
    const tab = button({ role: "tab", id: `tab-${id}`, "aria-controls": `panel-${id}` }, () => show(id), label);
    bar.append(tab);
    element.append(h("div", { role: "tabpanel", id: `panel-${id}`, "aria-labelledby": `tab-${id}`, class: "panel" }, content));
    return tab;
  });
  const show = (id: string): void => panels.forEach(([other], i) => {
    set(buttons[i], { "aria-selected": String(other === id), tabindex: other === id ? "0" : "-1" });
    const panel = element.children[i + 1] as HTMLElement;
    panel.hidden = other !== id;
  });
  bar.addEventListener("keydown", (e) => {
    const by = e.key === "ArrowRight" ? 1 : e.key === "ArrowLeft" ? -1 : 0;
    if (by === 0) return;
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
    const to = (at + by + buttons.length) % buttons.length;
    show(panels[to][0]);
    buttons[to].focus();
    e.preventDefault();
    e.stopPropagation();
  });
  show(panels[0][0]);
  return { element, show };
}

/** Where the card of the selection lies under the view rather than beside it. */
const NARROW = window.matchMedia("(max-width: 820px)");
const THEME_KEY = "clearance-report-theme";

/** Keeps the page's colours in step with the store and the system. */
function followTheme(store: Store, apply: (dark: boolean) => void): void {
  const system = window.matchMedia("(prefers-color-scheme: dark)");
  try {
    const kept = localStorage.getItem(THEME_KEY);
    if (kept === "light" || kept === "dark") store.theme = kept;
  } catch {
    // A page opened from a file may have no storage; the theme is then the system's.
  }
  const update = (): void => {
    const dark = store.theme === "dark" || (store.theme === "auto" && system.matches);
    document.documentElement.dataset.theme = dark ? "dark" : "light";
    apply(dark);
  };
  const keep = (theme: Theme): void => {
    try {
      localStorage.setItem(THEME_KEY, theme);
    } catch {
      // As above.
    }
  };
  system.addEventListener("change", () => store.setTheme(store.theme));
  update();
  store.on(["theme"], () => {
    keep(store.theme);
    update();
  });
}

/** The 3D view; null where the browser has no WebGL, which the page then says. */
function makeView(host: HTMLElement, store: Store, parts: Parts, bounds: SceneBounds): View | null {
  try {
    const view = new View(host, store, parts, bounds);
    view.dark = document.documentElement.dataset.theme === "dark";
    view.restyle();
    set(view.renderer.domElement, { tabindex: "0", role: "img", "aria-label": "3D view of the parts. Shift and arrow keys turn it, plus and minus zoom." });
    host.append(makeLabels(store, view), makeTriad(view));
    view.onPick = (index) => store.select(index >= 0 ? { type: "part", index } : null);
    return view;
  } catch (error) {
    console.warn("No 3D view:", error);
    host.append(h("p", { class: "no-view" }, "This browser cannot show the 3D view (WebGL 2 is not available). The lists and figures are complete."));
    return null;
  }
}

/** The address of the page names the selected finding, so that a link can open it. */
function followAddress(store: Store, pick: (index: number) => void): void {
  store.on(["selection"], () => {
    try {
      history.replaceState(null, "", store.finding ? `#${encodeURIComponent(store.finding.id)}` : location.pathname + location.search);
    } catch {
      // Some browsers keep the address of a file as it is.
    }
  });
  const open = (): void => {
    let id = location.hash.slice(1);
    try {
      id = decodeURIComponent(id);
    } catch {
      // Not written by this page; taken as it is.
    }
    const index = store.report.findings.findIndex((f) => f.id === id);
    if (index >= 0) pick(index);
  };
  window.addEventListener("hashchange", open);
  open();
}

/** What the page is made of, while it is put together. */
interface Made {
  store: Store;
  bounds: SceneBounds;
  view: View | null;
  list: FindingList;
  showFindings(): void;
  help: HTMLDialogElement;
  timeline: Timeline | null;
}

/** Shows a finding or the least clearance of a pair, and flies there. */
function show(store: Store, view: View | null, type: "finding" | "clearance", index: number): void {
  store.select({ type, index });
  const { finding, report } = store;
  if (finding) say(`${KIND_TEXT[finding.kind].label}: ${report.parts[finding.a].name} and ${report.parts[finding.b].name}`);
  view?.frameSelection();
}

function makeDetails({ store, bounds, view, list }: Pick<Made, "store" | "bounds" | "view" | "list">): HTMLElement {
  const size = Math.hypot(...bounds.max.map((x, i) => x - bounds.min[i]));
  const { element } = new Details(store, {
    frame: () => view?.frameAgain(),
    pickFinding: (index) => show(store, view, "finding", index),
    pickPart: (index) => store.select({ type: "part", index }),
    step: (by) => list.step(by),
    clear: () => store.select(null),
    cutAt: (point) => {
      const axis = store.section?.axis ?? facing(view);
      store.setSection({ axis, offset: point[AXES.indexOf(axis)], flipped: keepsFar(view, axis) });
    },
  }, size);
  store.on(["selection"], () => view?.rig.setInset(element.offsetWidth > 0 && !NARROW.matches ? element.offsetWidth + 10 : 0));
  return element;
}

/** The lists at the side: findings, clearances where there are any, parts. */
function makeSide(store: Store, view: View | null, list: FindingList): { element: HTMLElement; show(id: string): void } {
  const { findings, clearances, parts } = store.report;
  const tree = new PartTree(store, (index) => store.select({ type: "part", index }));
  const panels: [string, string, HTMLElement][] = [["findings", `Findings ${findings.length}`, list.element]];
  if (clearances.length > 0) panels.push(["clearances", `Clearances ${clearances.length}`, makeClearances(store, (index) => show(store, view, "clearance", index))]);
  panels.push(["parts", `Parts ${parts.length}`, tree.element]);
  const side = tabs(panels);
  if (findings.length === 0) side.show("parts");
  return side;
}

function bindKeys({ store, bounds, view, list, showFindings, help, timeline }: Made): void {
  listenToKeys({
    step: (by) => list.step(by),
    time: timeline ? (by) => timeline.nudge(by) : null,
    play: store.motion ? () => store.setPlaying(!store.playing) : null,
    frame: () => view?.frameAgain(),
    frameAll: () => view?.frameAll(),
    side: (i) => view?.lookFrom((["iso", "front", "right", "top"] as const)[i]),
    orbit: (x, y) => view?.rig.orbit(x, y),
    zoom: (factor) => view?.rig.zoom(factor),
    clear: () => store.select(null),
    others: () => store.setOthers(NEXT_OTHERS[store.others]),
    xray: () => store.setXray(!store.xray),
    section: () => nextSection(store, bounds, (axis) => keepsFar(view, axis)),
    search: () => {
      showFindings();
      list.search.focus();
    },
    theme: () => nextTheme(store),
    help: () => help.showModal(),
  });
}

export function makePage(root: HTMLElement, store: Store, parts: Parts, bounds: SceneBounds): Page {
  const host = h("div", { class: "canvas-host" });
  let view: View | null = null;
  followTheme(store, (dark) => {
    if (view) view.dark = dark;
  });
  view = makeView(host, store, parts, bounds);
  const list = new FindingList(store, (index) => show(store, view, "finding", index));
  const side = makeSide(store, view, list);
  const [help, problems] = [helpDialog(), problemsDialog(store)];
  const header = makeHeader(store, parts.triangles, {
    toggleKind: (kind) => {
      side.show("findings");
      list.toggleKind(kind);
    },
    help: () => help.showModal(),
    problems: () => problems.showModal(),
  });
  list.onKinds = () => header.setKinds(list.kinds);
  const details = makeDetails({ store, bounds, view, list });
  const timeline = store.motion ? new Timeline(store, store.motion) : null;
  const toolbar = makeToolbar(store, bounds, { frame: () => view?.frameAgain(), lookFrom: (s) => view?.lookFrom(s), far: (axis) => keepsFar(view, axis) });
  const stage = h("main", { class: "stage" }, toolbar, h("div", { class: "view" }, host, details), timeline?.element ?? null);
  root.replaceChildren(header.element, side.element, stage, help, problems, h("p", { class: "unseen", id: "said", role: "status", "aria-live": "polite" }));
  followAddress(store, (index) => show(store, view, "finding", index));
  bindKeys({ store, bounds, view, list, help, timeline, showFindings: () => side.show("findings") });
  return { view, list };
}

/** The axis nearest to the line of sight. */
function facing(view: View | null): Axis {
  if (!view) return "x";
  const d = view.rig.direction;
  const sizes = [Math.abs(d.x), Math.abs(d.y), Math.abs(d.z)];
  return AXES[sizes.indexOf(Math.max(...sizes))];
}

/** Whether the side away from the camera is that of larger coordinates: the near side is cut away. */
function keepsFar(view: View | null, axis: Axis): boolean {
  return view !== null && view.rig.direction[axis] < 0;
}
