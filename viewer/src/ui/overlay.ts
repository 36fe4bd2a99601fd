// Over the 3D view: labels of the witness points and the axes' directions.

import { Vector3 } from "three";
import { findingWord, lengthText } from "../data/format";
import type { Store } from "../store";
import type { View } from "../view/view";
import { h } from "./dom";

/** Labels that follow the markers. */
export function makeLabels(store: Store, view: View): HTMLElement {
  const labels = { a: h("span", { class: "mark role-a" }, "A"), b: h("span", { class: "mark role-b" }, "B"), value: h("span", { class: "mark value-mark" }) };
  const element = h("div", { class: "marks", "aria-hidden": "true" }, ...Object.values(labels));
  store.on(["selection"], () => {
    const f = store.finding;
    if (f) labels.value.textContent = `${findingWord(f)} ${lengthText(Math.abs(f.distance), store.report.unit)}`;
  });
  view.onFrame.push(() => {
    for (const label of Object.values(labels)) label.hidden = true;
    const at = new Map(view.anchors.map(({ role, at: point }) => [role, view.project(point)]));
    const [a, b] = [at.get("a"), at.get("b")];
    const [dx, dy] = a && b ? [b[0] - a[0], b[1] - a[1]] : [0, 0];
    const away = Math.hypot(dx, dy);
    // The letters stand beyond their points; side by side where the points are one on the screen.
    const [ux, uy] = away > 6 ? [dx / away, dy / away] : [1, 0];
    const put = (label: HTMLElement, p: [number, number] | null | undefined, x: number, y: number): void => {
      if (!p) return;
      label.hidden = false;
      label.style.transform = `translate(${(p[0] + x).toFixed(1)}px, ${(p[1] + y).toFixed(1)}px) translate(-50%, -50%)`;
    };
    put(labels.a, a, -17 * ux, -17 * uy);
    put(labels.b, b, 17 * ux, 17 * uy);
    put(labels.value, at.get("value"), 0, 34 + Math.abs(dy) / 2);
  });
  return element;
}

const SVG = "http://www.w3.org/2000/svg";

/** A small triad of the axes in the corner of the view. */
export function makeTriad(view: View): SVGSVGElement {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("class", "triad");
  svg.setAttribute("viewBox", "-36 -36 72 72");
  svg.setAttribute("aria-hidden", "true");
  const axes = ["x", "y", "z"].map((name, i) => {
    const g = document.createElementNS(SVG, "g");
    const line = document.createElementNS(SVG, "line");
    const text = document.createElementNS(SVG, "text");
    g.setAttribute("class", `axis-${name}`);
    text.textContent = name.toUpperCase();
    g.append(line, text);
    svg.append(g);
    return { g, line, text, direction: new Vector3().setComponent(i, 1) };
  });
  view.onFrame.push(() => {
    const turned = axes.map((axis) => ({ ...axis, to: axis.direction.clone().transformDirection(view.camera.matrixWorldInverse) }));
    turned.sort((p, q) => p.to.z - q.to.z);
    for (const { g, line, text, to } of turned) {
      svg.append(g);
      line.setAttribute("x2", (to.x * 22).toFixed(1));
      line.setAttribute("y2", (-to.y * 22).toFixed(1));
      text.setAttribute("x", (to.x * 29).toFixed(1));
      text.setAttribute("y", (-to.y * 29).toFixed(1));
    }
  });
  return svg;
}
