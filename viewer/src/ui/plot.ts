// The clearance over time: the bounds as a band, zero as a line, times of collision as bars.

import { numberText } from "../data/format";
import type { PairClearance } from "../data/report";
import type { Store } from "../store";

/** Samples of time, lower bound and upper bound. */
export type Series = [number, number, number][];

export interface PlotColours {
  band: string;
  line: string;
  bad: string;
  badSoft: string;
  grid: string;
  text: string;
  head: string;
}

export const MARGIN = { left: 52, right: 14, top: 8, bottom: 34 };
const BAR = 7;

function valueAt(samples: Series, t: number, column: 1 | 2): number {
  let [lo, hi] = [0, samples.length - 1];
  if (t < samples[lo][0] || t > samples[hi][0]) return Infinity;
  while (hi - lo > 1) {
    const mid = (lo + hi) >> 1;
    if (samples[mid][0] <= t) lo = mid;
    else hi = mid;
  }
  const [p, q] = [samples[lo], samples[hi]];
  const span = q[0] - p[0];
  return span > 0 ? p[column] + ((q[column] - p[column]) * (t - p[0])) / span : Math.min(p[column], q[column]);
}

/** Points of the curve of least clearance over all pairs. */
const LEAST_POINTS = 361;
const MOST_PAIRS = 500;

/** The least of all pairs over time: of the lower bounds and of the upper bounds. */
export function leastOf(clearances: PairClearance[], start: number, end: number): Series {
  const all = clearances.map((c) => c.samples).filter((s) => s.length > 0).slice(0, MOST_PAIRS);
  if (all.length === 0) return [];
  if (all.length === 1) return all[0];
  const out: Series = [];
  for (let i = 0; i < LEAST_POINTS; i++) {
    const t = start + ((end - start) * i) / (LEAST_POINTS - 1);
    let [lower, upper] = [Infinity, Infinity];
    for (const samples of all) {
      lower = Math.min(lower, valueAt(samples, t, 1));
      upper = Math.min(upper, valueAt(samples, t, 2));
    }
    if (Number.isFinite(lower) && Number.isFinite(upper)) out.push([t, lower, upper]);
  }
  return out;
}

/** The bounds on the clearance at time `t`, or null where the series does not reach. */
export function boundsAt(series: Series, t: number): [number, number] | null {
  if (series.length === 0) return null;
  const [lower, upper] = [valueAt(series, t, 1), valueAt(series, t, 2)];
  return Number.isFinite(lower) && Number.isFinite(upper) ? [lower, upper] : null;
}

/** Steps of 1, 2 or 5 times a power of ten, about `count` over the span. */
export function niceStep(span: number, count: number): number {
  const raw = span / Math.max(1, count);
  const power = 10 ** Math.floor(Math.log10(raw));
  const rest = raw / power;
  return (rest > 5 ? 10 : rest > 2 ? 5 : rest > 1 ? 2 : 1) * power;
}

/** Steps that suit the unit of time: parts of a turn for degrees. */
function timeStep(span: number, count: number, unit: string): number {
  if (unit !== "°" && unit !== "deg" && unit !== "degrees") return niceStep(span, count);
  return [1, 2, 5, 10, 15, 30, 45, 60, 90, 180, 360].find((s) => span / s <= count) ?? niceStep(span, count);
}

/** The same times with those that overlap made one. */
function merged(intervals: [number, number][]): [number, number][] {
  const out: [number, number][] = [];
  for (const [from, to] of [...intervals].sort((p, q) => p[0] - q[0])) {
    const last = out[out.length - 1];
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else out.push([from, to]);
  }
  return out;
}

export class Plot {
  private y: [number, number] = [0, 1];
  private readonly collisions: [number, number][];

  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly store: Store,
  ) {
    this.collisions = merged(store.report.findings.flatMap((f) => f.intervals));
  }

  private get width(): number {
    return this.canvas.clientWidth;
  }
  private get height(): number {
    return this.canvas.clientHeight;
  }

  private x(t: number): number {
    const { start, end } = this.store.motion ?? { start: 0, end: 1 };
    return MARGIN.left + ((t - start) / (end - start)) * (this.width - MARGIN.left - MARGIN.right);
  }

  /** The time at a place across the plot. */
  timeAt(x: number): number {
    const { start, end } = this.store.motion ?? { start: 0, end: 1 };
    return start + ((x - MARGIN.left) / (this.width - MARGIN.left - MARGIN.right)) * (end - start);
  }

  private at(value: number): number {
    const [lo, hi] = this.y;
    return MARGIN.top + (1 - (value - lo) / (hi - lo)) * (this.height - MARGIN.top - MARGIN.bottom);
  }

  draw(series: Series, required: number | null, colours: PlotColours): void {
    const ratio = window.devicePixelRatio || 1;
    const { canvas } = this;
    if (this.width === 0 || this.height === 0) return;
    canvas.width = Math.round(this.width * ratio);
    canvas.height = Math.round(this.height * ratio);
    const g = canvas.getContext("2d");
    if (!g) return;
    g.scale(ratio, ratio);
    g.font = "11px system-ui, sans-serif";
    this.y = rangeOf(series, required);
    this.times(g, colours, series.length > 0);
    if (series.length > 0) {
      this.values(g, colours);
      this.band(g, series, colours);
      if (required !== null) this.level(g, required, colours.bad, [4, 3]);
    }
    this.bars(g, colours);
    this.head(g, colours);
  }

  private times(g: CanvasRenderingContext2D, colours: PlotColours, grid: boolean): void {
    const { motion } = this.store;
    if (!motion) return;
    const bottom = this.height - MARGIN.bottom;
    const step = timeStep(motion.end - motion.start, (this.width - 80) / 70, motion.unit);
    g.fillStyle = colours.text;
    g.strokeStyle = colours.grid;
    g.textBaseline = "top";
    for (let k = Math.ceil(motion.start / step); k * step <= motion.end * (1 + 1e-9); k++) {
      const x = Math.round(this.x(k * step)) + 0.5;
      g.beginPath();
      g.moveTo(x, grid ? MARGIN.top : bottom);
      g.lineTo(x, bottom + 3);
      g.stroke();
      const label = numberText(Number((k * step).toPrecision(10)), 6);
      const w = g.measureText(label).width;
      g.fillText(label, Math.min(this.width - w - 2, Math.max(2, x - w / 2)), bottom + BAR + 12);
    }
  }

  private values(g: CanvasRenderingContext2D, colours: PlotColours): void {
    const [lo, hi] = this.y;
    const step = niceStep(hi - lo, 4);
    g.textBaseline = "middle";
    for (let k = Math.ceil(lo / step); k * step <= hi; k++) {
      const value = Number((k * step).toPrecision(10));
      g.strokeStyle = k === 0 ? colours.text : colours.grid;
      const y = Math.round(this.at(value)) + 0.5;
      g.beginPath();
      g.moveTo(MARGIN.left, y);
      g.lineTo(this.width - MARGIN.right, y);
      g.stroke();
      g.fillStyle = colours.text;
      const label = numberText(value);
      g.fillText(label, MARGIN.left - 7 - g.measureText(label).width, y);
    }
  }

  private band(g: CanvasRenderingContext2D, series: Series, colours: PlotColours): void {
    const top = MARGIN.top, bottom = this.height - MARGIN.bottom, zero = Math.min(bottom, Math.max(top, this.at(0)));
    for (const [from, to, fill, line] of [[top, zero, colours.band, colours.line], [zero, bottom, colours.badSoft, colours.bad]] as const) {
      if (to <= from) continue;
      g.save();
      g.beginPath();
      g.rect(MARGIN.left, from, this.width - MARGIN.left - MARGIN.right, to - from);
      g.clip();
      g.beginPath();
      for (const [t, , upper] of series) g.lineTo(this.x(t), this.at(upper));
      for (const [t, lower] of [...series].reverse()) g.lineTo(this.x(t), this.at(lower));
      g.closePath();
      g.fillStyle = fill;
      g.fill();
      g.strokeStyle = line;
      for (const column of [1, 2] as const) {
        g.lineWidth = column === 2 ? 1.6 : 0.9;
        g.beginPath();
        for (const s of series) g.lineTo(this.x(s[0]), this.at(s[column]));
        g.stroke();
      }
      g.restore();
    }
  }

  private level(g: CanvasRenderingContext2D, value: number, colour: string, dash: number[]): void {
    g.save();
    g.setLineDash(dash);
    g.strokeStyle = colour;
    g.beginPath();
    g.moveTo(MARGIN.left, this.at(value));
    g.lineTo(this.width - MARGIN.right, this.at(value));
    g.stroke();
    g.restore();
  }

  /** Times of collision: of all findings, those of the selected pair stronger. */
  private bars(g: CanvasRenderingContext2D, colours: PlotColours): void {
    const y = this.height - MARGIN.bottom + 4;
    g.fillStyle = colours.grid;
    g.fillRect(MARGIN.left, y, this.width - MARGIN.left - MARGIN.right, BAR);
    const { pair, report } = this.store;
    const draw = (intervals: [number, number][], colour: string): void => {
      g.fillStyle = colour;
      for (const [from, to] of intervals) g.fillRect(this.x(from), y, Math.max(2, this.x(to) - this.x(from)), BAR);
    };
    draw(this.collisions, pair ? colours.badSoft : colours.bad);
    if (pair) for (const f of report.findings) if (pair.includes(f.a) && pair.includes(f.b)) draw(f.intervals, colours.bad);
  }

  private head(g: CanvasRenderingContext2D, colours: PlotColours): void {
    const x = Math.round(this.x(this.store.time)) + 0.5;
    g.strokeStyle = g.fillStyle = colours.head;
    g.lineWidth = 1.5;
    g.beginPath();
    g.moveTo(x, MARGIN.top - 2);
    g.lineTo(x, this.height - MARGIN.bottom + BAR + 6);
    g.stroke();
    g.beginPath();
    g.moveTo(x - 5, 0);
    g.lineTo(x + 5, 0);
    g.lineTo(x, 8);
    g.fill();
  }
}

/** The range of values shown: all of the series, zero and the required clearance. */
function rangeOf(series: Series, required: number | null): [number, number] {
  let [lo, hi] = [Math.min(0, required ?? 0), Math.max(0, required ?? 0)];
  for (const [, lower, upper] of series) {
    lo = Math.min(lo, lower);
    hi = Math.max(hi, upper);
  }
  if (!(hi > lo)) hi = lo + 1;
  return [lo - (lo < 0 ? (hi - lo) * 0.05 : 0), hi + (hi - lo) * 0.06];
}
