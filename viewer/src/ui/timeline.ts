// The timeline: play, the time as a slider, and the clearance over time that can be clicked and dragged.

import { lengthText, numberText, rangeText, timeText } from "../data/format";
import type { Motion } from "../data/motion";
import type { Store } from "../store";
import { button, h, icon, set } from "./dom";
import { ICONS } from "./icons";
import { boundsAt, leastOf, Plot, type PlotColours, type Series } from "./plot";

/** Seconds that a motion whose unit is not the second takes to play once. */
const PLAY_SECONDS = 8;
/** A motion in seconds plays in real time within these limits. */
const REAL_TIME = [2, 60] as const;
const STEPS = 1000;

export class Timeline {
  readonly element: HTMLElement;
  private readonly canvas = h("canvas", { class: "plot", "aria-hidden": "true" });
  private readonly plot: Plot;
  private readonly slider: HTMLInputElement;
  private readonly now = h("output", { class: "now", for: "time" });
  private readonly value = h("span", { class: "now-value" });
  private readonly playButton: HTMLButtonElement;
  private readonly pairs = h("select", { id: "plotted", "aria-label": "Clearance plotted" });
  private readonly least: Series;
  private lastTick = 0;

  constructor(
    private readonly store: Store,
    private readonly motion: Motion,
  ) {
    this.plot = new Plot(this.canvas, store);
    this.least = leastOf(store.report.clearances, motion.start, motion.end);
    this.slider = h("input", { type: "range", id: "time", min: "0", max: STEPS, step: "1", value: "0", "aria-label": "Time" });
    this.slider.addEventListener("input", () => {
      store.setPlaying(false);
      store.setTime(motion.start + ((motion.end - motion.start) * Number(this.slider.value)) / STEPS);
    });
    this.playButton = button({ class: "tool play", id: "play" }, () => store.setPlaying(!store.playing));
    this.element = h("section", { class: `timeline${this.least.length ? "" : " slim"}`, "aria-label": "Timeline" }, this.controls(), this.canvas);
    this.drags();
    store.on(["time", "selection", "plot", "theme"], () => this.draw());
    store.on(["playing"], () => this.drawPlaying());
    new ResizeObserver(() => this.draw()).observe(this.canvas);
    this.drawPlaying();
  }

  private controls(): HTMLElement {
    const speed = h("select", { id: "speed", "aria-label": "Speed" });
    for (const s of [0.1, 0.25, 0.5, 1, 2, 4]) speed.append(h("option", { value: s, selected: s === 1 }, `${s}×`));
    speed.addEventListener("change", () => this.store.setSpeed(Number(speed.value)));
    const worst = button({ class: "tool", id: "worst", title: "To the worst moment of the selection" }, () => this.toWorst(), "Worst moment");
    this.store.on(["selection"], () => set(worst, { disabled: this.store.worstTime() === null }));
    set(worst, { disabled: true });
    return h("div", { class: "time-tools" }, this.playButton, speed, this.slider, this.now, this.value, h("span", { class: "spring" }), this.hasWorst && worst, this.pairChoice());
  }

  /** Whether anything can be selected that has a worst moment. */
  private get hasWorst(): boolean {
    const { findings, clearances } = this.store.report;
    return clearances.length > 0 || findings.some((f) => f.time !== null);
  }

  private toWorst(): void {
    const at = this.store.worstTime();
    this.store.setPlaying(false);
    if (at !== null) this.store.setTime(at);
  }

  /** The pairs whose clearance can be plotted. */
  private pairChoice(): HTMLElement | null {
    const { report } = this.store;
    if (report.clearances.length === 0) return null;
    this.pairs.append(h("option", { value: "-1" }, "Least of all pairs"));
    report.clearances.slice(0, 1000).forEach((c, i) => {
      const option = h("option", { value: i });
      option.textContent = `${report.parts[c.a].short} – ${report.parts[c.b].short}`;
      this.pairs.append(option);
    });
    this.pairs.addEventListener("change", () => {
      const i = Number(this.pairs.value);
      if (i >= 0) this.store.select({ type: "clearance", index: i });
      else this.store.select(null);
    });
    return this.pairs;
  }

  private drags(): void {
    const go = (e: PointerEvent): void => {
      this.store.setPlaying(false);
      this.store.setTime(this.plot.timeAt(e.clientX - this.canvas.getBoundingClientRect().left));
    };
    this.canvas.addEventListener("pointerdown", (e) => {
      this.canvas.setPointerCapture(e.pointerId);
      go(e);
    });
    this.canvas.addEventListener("pointermove", (e) => {
      if (this.canvas.hasPointerCapture(e.pointerId)) go(e);
    });
  }

  /** One step of the slider in either direction, for keys. */
  nudge(by: number): void {
    this.store.setPlaying(false);
    this.store.setTime(this.store.time + ((this.motion.end - this.motion.start) * by) / 200);
  }

  private drawPlaying(): void {
    const { playing } = this.store;
    this.playButton.replaceChildren(icon(playing ? ICONS.pause : ICONS.play));
    set(this.playButton, { title: playing ? "Pause (space)" : "Play (space)", "aria-label": playing ? "Pause" : "Play" });
    this.lastTick = 0;
    if (playing) requestAnimationFrame((t) => this.tick(t));
  }

  private tick(t: number): void {
    const { store, motion } = this;
    if (!store.playing) return;
    const span = motion.end - motion.start;
    const seconds = motion.unit === "s" ? Math.min(REAL_TIME[1], Math.max(REAL_TIME[0], span)) : PLAY_SECONDS;
    const dt = this.lastTick > 0 ? Math.min(0.25, (t - this.lastTick) / 1000) : 0;
    this.lastTick = t;
    const next = store.time + (span * dt * store.speed) / seconds;
    store.setTime(next > motion.end ? motion.start : next);
    requestAnimationFrame((u) => this.tick(u));
  }

  private get series(): Series {
    const pair = this.store.pair;
    const one = this.store.clearance;
    if (one) return one.samples;
    return pair ? [] : this.least;
  }

  draw(): void {
    const { store, motion } = this;
    const series = this.series;
    const required = store.finding?.required ?? null;
    this.plot.draw(series, series.length > 0 ? required : null, colours(this.element));
    this.slider.value = String(Math.round(((store.time - motion.start) / (motion.end - motion.start)) * STEPS));
    const text = timeText(Number(store.time.toPrecision(5)), motion.unit, 5);
    this.now.textContent = text;
    const at = boundsAt(series, store.time);
    const { unit } = store.report;
    const clear = at ? `${store.pair ? "clearance" : "least clearance"} ${at[0] === at[1] ? lengthText(at[0], unit) : rangeText({ lower: at[0], upper: at[1] })}` : "";
    this.value.textContent = clear;
    this.value.classList.toggle("depth", at !== null && at[1] < 0);
    set(this.slider, { "aria-valuetext": clear ? `${text}, ${clear}` : text });
    const chosen = store.clearance ? store.report.clearances.indexOf(store.clearance) : -1;
    this.pairs.value = String(chosen);
    set(this.canvas, { title: series.length ? `Clearance from ${numberText(motion.start)} to ${numberText(motion.end)}` : null });
  }
}

function colours(from: Element): PlotColours {
  const style = getComputedStyle(from);
  const get = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  return {
    band: get("plot-band"), line: get("plot-line"), bad: get("plot-bad"), badSoft: get("plot-bad-soft"),
    grid: get("plot-grid"), text: get("muted"), head: get("text"),
  };
}
