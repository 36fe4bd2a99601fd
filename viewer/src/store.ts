// What the page shows: the one place its parts read from and write to.

import type { Motion } from "./data/motion";
import type { Finding, Kind, PairClearance, Report } from "./data/report";

export type Selection =
  | { type: "finding"; index: number }
  | { type: "clearance"; index: number }
  | { type: "part"; index: number };
export type Others = "ghost" | "hide" | "show";
export type Axis = "x" | "y" | "z";
export type Theme = "auto" | "light" | "dark";
export interface Section {
  axis: Axis;
  /** In world coordinates along the axis. */
  offset: number;
  /** Keeps the side of larger coordinates where set. */
  flipped: boolean;
}

export type Topic = "selection" | "time" | "playing" | "look" | "section" | "theme" | "plot";

export class Store {
  selection: Selection | null = null;
  time: number;
  playing = false;
  speed = 1;
  others: Others = "ghost";
  xray = false;
  section: Section | null = null;
  theme: Theme = "auto";
  readonly visible: Uint8Array;
  readonly opacity: Float32Array;
  /** The pair whose clearance is plotted where no selection says so; null for the least of all. */
  plotted: number | null = null;
  private readonly listeners = new Map<Topic, (() => void)[]>();
  private readonly clearanceOf = new Map<string, number>();

  constructor(
    readonly report: Report,
    readonly motion: Motion | null,
  ) {
    this.time = motion?.start ?? 0;
    this.visible = new Uint8Array(report.parts.length).fill(1);
    this.opacity = new Float32Array(report.parts.length).fill(1);
    report.clearances.forEach((c, i) => this.clearanceOf.set(pairKey(c.a, c.b), i));
  }

  on(topics: Topic[], listener: () => void): void {
    for (const topic of topics) this.listeners.set(topic, [...(this.listeners.get(topic) ?? []), listener]);
  }

  private tell(topic: Topic): void {
    for (const listener of this.listeners.get(topic) ?? []) listener();
  }

  get finding(): Finding | null {
    return this.selection?.type === "finding" ? this.report.findings[this.selection.index] : null;
  }

  /** The clearance over time of the selected pair, or of the one chosen for the plot. */
  get clearance(): PairClearance | null {
    const pair = this.pair;
    const index = pair ? this.clearanceOf.get(pairKey(...pair)) : this.plotted;
    return index === null || index === undefined ? null : this.report.clearances[index];
  }

  /** The two parts of the selection, where it has two. */
  get pair(): [number, number] | null {
    if (this.selection?.type === "finding") {
      const f = this.report.findings[this.selection.index];
      return [f.a, f.b];
    }
    if (this.selection?.type === "clearance") {
      const c = this.report.clearances[this.selection.index];
      return [c.a, c.b];
    }
    return null;
  }

  select(selection: Selection | null): void {
    const { selection: now } = this;
    if (now?.type === selection?.type && now?.index === selection?.index && selection === null) return;
    this.selection = selection;
    const at = this.worstTime();
    if (at !== null) {
      this.setPlaying(false);
      this.setTime(at);
    }
    this.tell("selection");
    this.tell("look");
    this.tell("plot");
  }

  /** The moment the selection is about. */
  worstTime(): number | null {
    if (!this.motion) return null;
    if (this.selection?.type === "finding") return this.report.findings[this.selection.index].time;
    if (this.selection?.type === "clearance") {
      const { time } = this.report.clearances[this.selection.index];
      return Number.isFinite(time) ? time : null;
    }
    return null;
  }

  /** Whether the markers of the selected finding belong to the moment shown. */
  get atWorst(): boolean {
    const worst = this.worstTime();
    if (worst === null || !this.motion) return true;
    return Math.abs(this.time - worst) <= (this.motion.end - this.motion.start) * 1e-6;
  }

  setTime(time: number): void {
    if (!this.motion) return;
    const t = Math.min(this.motion.end, Math.max(this.motion.start, time));
    if (t === this.time) return;
    this.time = t;
    this.tell("time");
  }

  setPlaying(playing: boolean): void {
    if (!this.motion || playing === this.playing) return;
    if (playing && this.time >= this.motion.end) this.setTime(this.motion.start);
    this.playing = playing;
    this.tell("playing");
  }

  setSpeed(speed: number): void {
    this.speed = speed;
    this.tell("playing");
  }

  setOthers(others: Others): void {
    this.others = others;
    this.tell("look");
  }

  setXray(xray: boolean): void {
    this.xray = xray;
    this.tell("look");
  }

  setSection(section: Section | null): void {
    this.section = section;
    this.tell("section");
  }

  setTheme(theme: Theme): void {
    this.theme = theme;
    this.tell("theme");
  }

  setPlotted(index: number | null): void {
    this.plotted = index;
    this.tell("plot");
  }

  setVisible(parts: Iterable<number>, visible: boolean): void {
    for (const p of parts) this.visible[p] = visible ? 1 : 0;
    this.tell("look");
  }

  setOpacity(parts: Iterable<number>, opacity: number): void {
    for (const p of parts) this.opacity[p] = opacity;
    this.tell("look");
  }

  /** Findings of each kind in the report. */
  counts(): Record<Kind, number> {
    const out: Record<Kind, number> = { piercing: 0, protruding: 0, contained: 0, duplicate: 0, touching: 0, clearance: 0 };
    for (const f of this.report.findings) out[f.kind]++;
    return out;
  }
}

const pairKey = (a: number, b: number): string => (a < b ? `${a} ${b}` : `${b} ${a}`);
