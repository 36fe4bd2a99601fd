// Tools over the 3D view: standard views, what is done with the other parts, and the section plane.

import { numberText } from "../data/format";
import type { Axis, Others, Store } from "../store";
import type { SceneBounds } from "../view/bounds";
import { AXES } from "../view/section";
import type { Side } from "../view/camera";
import { button, h, icon, set } from "./dom";
import { ICONS } from "./icons";

export interface ToolbarActions {
  frame(): void;
  lookFrom(side: Side): void;
  /** Whether the side of an axis away from the camera is that of larger coordinates. */
  far(axis: Axis): boolean;
}

const SIDES: [Side, string, string][] = [["iso", "Iso", "1"], ["front", "Front", "2"], ["right", "Right", "3"], ["top", "Top", "4"]];
const OTHERS: [Others, string, string][] = [["ghost", "Ghost", "Other parts as ghosts"], ["hide", "Hide", "Other parts hidden"], ["show", "Show", "Other parts as they are"]];

/** The section through the middle of the scene, the side near the camera cut away. */
function sectionOn(store: Store, bounds: SceneBounds, axis: Axis, far: ToolbarActions["far"]): void {
  const i = AXES.indexOf(axis);
  store.setSection({ axis, offset: (bounds.min[i] + bounds.max[i]) / 2, flipped: far(axis) });
}

/** Steps through no section and the three axes. */
export function nextSection(store: Store, bounds: SceneBounds, far: ToolbarActions["far"]): void {
  const at = store.section ? AXES.indexOf(store.section.axis) : -1;
  if (at + 1 < AXES.length) sectionOn(store, bounds, AXES[at + 1], far);
  else store.setSection(null);
}

function othersGroup(store: Store): HTMLElement {
  const buttons = OTHERS.map(([value, label, title]) => button({ class: "segment", title, "data-others": value }, () => store.setOthers(value), label));
  const update = (): void => OTHERS.forEach(([value], i) => set(buttons[i], { "aria-pressed": String(store.others === value) }));
  store.on(["look"], update);
  update();
  return h("div", { class: "tool-group", role: "group", "aria-label": "Other parts while a finding is shown" }, h("span", { class: "tool-label" }, "Others"), h("span", { class: "segments" }, ...buttons));
}

function sectionGroup(store: Store, bounds: SceneBounds, far: ToolbarActions["far"]): HTMLElement {
  const off = button({ class: "segment", title: "No section" }, () => store.setSection(null), "Off");
  const axes = AXES.map((axis) => button({ class: "segment", title: `Section across ${axis}`, "data-axis": axis }, () => sectionOn(store, bounds, axis, far), axis.toUpperCase()));
  const slider = h("input", { type: "range", id: "section-offset", min: "0", max: "1000", step: "1", "aria-label": "Section offset" });
  const exact = h("input", { type: "number", id: "section-exact", step: "any", "aria-label": "Section offset in the scene's unit" });
  const flip = button({ class: "tool", title: "Keep the other side", "aria-label": "Keep the other side" }, () => {
    if (store.section) store.setSection({ ...store.section, flipped: !store.section.flipped });
  }, icon(ICONS.flip));
  const controls = h("span", { class: "section-controls", hidden: true }, slider, exact, flip);
  const range = (): [number, number] => {
    const i = AXES.indexOf(store.section?.axis ?? "x");
    return [bounds.min[i], bounds.max[i]];
  };
  slider.addEventListener("input", () => {
    const [lo, hi] = range();
    if (store.section) store.setSection({ ...store.section, offset: lo + ((hi - lo) * Number(slider.value)) / 1000 });
  });
  exact.addEventListener("change", () => {
    const offset = exact.valueAsNumber;
    if (store.section && Number.isFinite(offset)) store.setSection({ ...store.section, offset });
  });
  const update = (): void => {
    const { section } = store;
    set(off, { "aria-pressed": String(section === null) });
    AXES.forEach((axis, i) => set(axes[i], { "aria-pressed": String(section?.axis === axis) }));
    controls.hidden = section === null;
    if (!section) return;
    const [lo, hi] = range();
    slider.value = String(hi > lo ? Math.round(((section.offset - lo) / (hi - lo)) * 1000) : 0);
    set(slider, { "aria-valuetext": `${section.axis} = ${numberText(section.offset)}` });
    if (document.activeElement !== exact) exact.value = String(Number(section.offset.toPrecision(6)));
  };
  store.on(["section"], update);
  update();
  return h("div", { class: "tool-group", role: "group", "aria-label": "Section plane" },
    h("span", { class: "tool-label" }, "Section"), h("span", { class: "segments" }, off, ...axes), controls);
}

export function makeToolbar(store: Store, bounds: SceneBounds, actions: ToolbarActions): HTMLElement {
  const xray = button({ class: "tool", title: "See through the parts (x)" }, () => store.setXray(!store.xray), icon(ICONS.xray), "X-ray");
  const update = (): void => set(xray, { "aria-pressed": String(store.xray) });
  store.on(["look"], update);
  update();
  const group = h("div", { class: "tool-group", role: "group", "aria-label": "Views" },
    button({ class: "tool", title: "Frame the selection or all (f)" }, () => actions.frame(), icon(ICONS.fit), "Frame"),
    h("span", { class: "segments" }, ...SIDES.map(([side, label, key]) => button({ class: "segment", title: `${label} view (${key})` }, () => actions.lookFrom(side), label))));
  return h("div", { class: "toolbar", role: "toolbar", "aria-label": "View tools" }, group, xray, othersGroup(store), sectionGroup(store, bounds, actions.far));
}
