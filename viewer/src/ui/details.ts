// The card of the selected finding, pair or part: every figure the report has on it.

import { boundsText, countText, directionText, distanceWord, findingWord, KIND_TEXT, lengthText, numberText, placeText, rangeText, timeText, unitSuffix, vectorText } from "../data/format";
import type { Finding, Vec3 } from "../data/report";
import type { Store } from "../store";
import { button, h, icon, nameOf } from "./dom";
import { ICONS, KIND_ICONS } from "./icons";

export interface DetailActions {
  frame(): void;
  step(by: 1 | -1): void;
  clear(): void;
  /** Cuts through a point. */
  cutAt(point: Vec3): void;
  pickFinding(index: number): void;
  pickPart(index: number): void;
}

type Line = [label: string, value: Node | string];

/** Findings listed on the card of a part. */
const MOST_LISTED = 60;

export class Details {
  readonly element = h("section", { class: "details", "aria-label": "Selection", hidden: true });
  private readonly moment = h("p", { class: "moment", hidden: true });

  constructor(
    private readonly store: Store,
    private readonly actions: DetailActions,
    private readonly sceneSize: number,
  ) {
    store.on(["selection"], () => this.draw());
    store.on(["time"], () => this.drawMoment());
  }

  private draw(): void {
    const { selection, report } = this.store;
    this.element.hidden = selection === null;
    if (!selection) return;
    if (selection.type === "finding") this.drawFinding(report.findings[selection.index]);
    else if (selection.type === "clearance") this.drawClearance();
    else this.drawPart(selection.index);
    this.drawMoment();
    this.element.scrollTop = 0;
  }

  private head(title: Node | string, className: string, kind: Node | null): HTMLElement {
    const heading = h("h2", {});
    heading.append(title);
    return h("div", { class: `details-head ${className}` }, kind, heading, h("span", { class: "spring" }),
      kind && button({ class: "tool", title: "Previous (↑)", "aria-label": "Previous finding" }, () => this.actions.step(-1), icon(ICONS.up)),
      kind && button({ class: "tool", title: "Next (↓)", "aria-label": "Next finding" }, () => this.actions.step(1), icon(ICONS.down)),
      button({ class: "tool", title: "Close (Esc)", "aria-label": "Close" }, () => this.actions.clear(), icon(ICONS.close)));
  }

  /** The two parts with their signs in the view. */
  private pair(a: number, b: number): HTMLElement {
    const line = (role: "a" | "b", i: number): HTMLElement => {
      const part = this.store.report.parts[i];
      const where = h("div", { class: "where" });
      part.path.forEach((name, k) => where.append(k > 0 ? " › " : "", nameOf(name)));
      if (part.group) where.append(part.path.length ? " · " : "", nameOf(part.group));
      return h("div", { class: "pair-line" }, h("span", { class: `badge role-${role}`, "aria-hidden": "true" }, role.toUpperCase()),
        h("div", {}, button({ class: "link", title: "Show this part alone" }, () => this.actions.pickPart(i), nameOf(part.short, part.name)), where));
    };
    return h("div", { class: "pair" }, line("a", a), line("b", b));
  }

  private list(lines: (Line | null | false)[]): HTMLElement {
    const dl = h("dl", { class: "figures" });
    for (const line of lines) if (line) dl.append(h("dt", {}, line[0]), h("dd", {}, line[1]));
    return dl;
  }

  private drawFinding(f: Finding): void {
    const { unit } = this.store.report;
    const { label, meaning } = KIND_TEXT[f.kind];
    const word = findingWord(f);
    // "whole" names no feature: the part is one smooth or convex piece there.
    const feature = (i: 0 | 1): Line | null => (f.features && f.features[i] !== "whole" ? [`Feature of ${"AB"[i]}`, nameOf(f.features[i])] : null);
    const middle = f.points ? (f.points[0].map((x, i) => (x + (f.points as [Vec3, Vec3])[1][i]) / 2) as Vec3)
      : f.box ? (f.box.min.map((x, i) => (x + (f.box as { max: Vec3 }).max[i]) / 2) as Vec3) : null;
    this.element.replaceChildren(
      this.head(label, `kind-${f.kind}`, icon(KIND_ICONS[f.kind], "icon kind-icon")),
      h("p", { class: "meaning" }, meaning), this.pair(f.a, f.b),
      h("p", { class: `big ${word}` }, h("span", { class: "big-word" }, word), h("b", {}, lengthText(Math.abs(f.distance), unit)),
        h("span", { class: "big-bounds", title: "The true value is within these bounds" }, `${boundsText(f)}`)),
      this.moment,
      this.list([
        f.required !== null && [f.required < 0 ? "Allowed depth" : "Required clearance", lengthText(Math.abs(f.required), unit)],
        ...this.timeLines(f),
        f.volume && ["Overlap volume", `${rangeText(f.volume)}${unit ? ` ${unit}³` : ""}`],
        f.box && ["Overlap box", vectorText(f.box.max.map((x, i) => x - (f.box as { min: Vec3 }).min[i]) as Vec3)],
        f.curve.length > 0 && ["Intersection", f.curve.length === 1 ? "1 curve" : `${countText(f.curve.length)} curves`],
        feature(0),
        feature(1),
        f.points && ["Point on A", placeText(f.points[0], this.sceneSize)],
        f.points && ["Point on B", placeText(f.points[1], this.sceneSize)],
        f.normal && ["Normal A→B", directionText(f.normal)],
        ["Id", nameOf(f.id)],
      ]),
      h("div", { class: "details-tools" },
        button({ class: "tool", title: "Fly to it: near, and with its parts (f)" }, () => this.actions.frame(), icon(ICONS.fit), "Frame"),
        middle && button({ class: "tool", title: "Section plane through the clash" }, () => this.actions.cutAt(middle), icon(ICONS.cut), "Cut here")));
  }

  private timeLines(f: Finding): (Line | null)[] {
    const { motion } = this.store;
    if (!motion) return [];
    const go = (t: number, text: string): HTMLElement => button({ class: "link", title: "Go there" }, () => this.store.setTime(t), text);
    const spans = h("span", {});
    f.intervals.slice(0, 12).forEach(([from, to], i) => spans.append(i ? ", " : "", go(from, `${timeText(from, motion.unit, 5)} – ${timeText(to, motion.unit, 5)}`)));
    if (f.intervals.length > 12) spans.append(`, and ${countText(f.intervals.length - 12)} more`);
    return [
      f.time !== null ? ["Worst moment", go(f.time, timeText(f.time, motion.unit, 5))] : null,
      f.intervals.length > 0 ? [f.kind === "clearance" ? "Too near" : "In collision", spans] : null,
      f.first_contact ? ["First contact", go(f.first_contact.lower, `${rangeText(f.first_contact)}${unitSuffix(motion.unit)}`)] : null,
    ];
  }

  private drawClearance(): void {
    const { report, motion, clearance: c } = this.store;
    if (!c) return;
    this.element.replaceChildren(
      this.head("Least clearance", "", null), this.pair(c.a, c.b),
      h("p", { class: `big ${distanceWord(c.distance)}` }, h("span", { class: "big-word" }, distanceWord(c.distance)),
        h("b", {}, lengthText(Math.abs(c.distance), report.unit)), h("span", { class: "big-bounds" }, boundsText(c))),
      this.moment,
      this.list([["At", timeText(c.time, motion?.unit ?? "", 5)], ["Samples", countText(c.samples.length)]]),
      h("div", { class: "details-tools" }, button({ class: "tool", title: "Fly to it: near, and with its parts (f)" }, () => this.actions.frame(), icon(ICONS.fit), "Frame")));
  }

  private drawPart(index: number): void {
    const { report } = this.store;
    const part = report.parts[index];
    const mesh = part.mesh >= 0 ? report.meshes[part.mesh] : null;
    const where = h("span", {});
    part.path.forEach((name, k) => where.append(k > 0 ? " › " : "", nameOf(name)));
    const own = report.findings.map((f, i) => ({ f, i })).filter(({ f }) => f.a === index || f.b === index);
    const list = h("ul", { class: "part-findings" });
    for (const { f, i } of own.slice(0, MOST_LISTED)) {
      const other = report.parts[f.a === index ? f.b : f.a];
      list.append(h("li", {}, button({ class: `row-button kind-${f.kind}` }, () => this.actions.pickFinding(i),
        icon(KIND_ICONS[f.kind], "icon kind-icon"), h("span", { class: "unseen" }, KIND_TEXT[f.kind].label), nameOf(other.short, other.name),
        h("span", { class: `value ${distanceWord(f.distance)}` }, lengthText(Math.abs(f.distance), report.unit)))));
    }
    this.element.replaceChildren(
      this.head(nameOf(part.short, part.name), "", null),
      this.list([
        part.path.length > 0 && ["Assembly", where],
        part.group !== null && ["Group", nameOf(part.group)],
        mesh && ["Triangles", countText(Math.max(0, mesh.triangles))],
        ["Position", placeText(part.pose.translation, this.sceneSize)],
        ["Findings", own.length === 0 ? "none" : numberText(own.length)],
      ]),
      own.length > 0 ? list : "",
      h("div", { class: "details-tools" },
        button({ class: "tool", title: "Fly to it: near, and with its parts (f)" }, () => this.actions.frame(), icon(ICONS.fit), "Frame"),
        button({ class: "tool" }, () => this.store.setVisible([index], this.store.visible[index] === 0), icon(ICONS.eye), "Hide / show")));
  }

  /** Says where the figures are those of another moment than the one shown. */
  private drawMoment(): void {
    const { store } = this;
    const worst = store.worstTime();
    this.moment.hidden = store.atWorst || worst === null;
    if (this.moment.hidden || worst === null) return;
    const text = timeText(worst, store.motion?.unit ?? "", 5);
    this.moment.replaceChildren("Figures are those at ", button({ class: "link" }, () => {
      store.setPlaying(false);
      store.setTime(worst);
    }, text), ".");
  }
}
