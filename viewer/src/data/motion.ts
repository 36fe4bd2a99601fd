// Poses of moving parts at any time: straight line and shortest arc between the stored times.

import type { Track } from "./decode";
import type { MotionData, Pose } from "./report";

export class Motion {
  constructor(
    readonly data: MotionData,
    readonly tracks: Track[],
  ) {}

  get start(): number {
    return this.data.start;
  }
  get end(): number {
    return this.data.end;
  }
  get unit(): string {
    return this.data.unit;
  }

  /** Calls `place` with the pose of every moving part at time `t`; the pose is reused between calls. */
  at(t: number, place: (part: number, pose: Pose) => void): void {
    const { times } = this.data;
    if (times.length === 0) return;
    const next = upperBound(times, t);
    const j = Math.min(Math.max(next, 1), times.length - 1);
    const i = Math.max(j - 1, 0);
    const span = times[j] - times[i];
    const s = span > 0 ? Math.min(1, Math.max(0, (t - times[i]) / span)) : 0;
    for (const track of this.tracks) {
      blend(track.poses, 7 * i, 7 * j, s, POSE);
      place(track.part, POSE);
    }
  }
}

const POSE: Pose = { translation: [0, 0, 0], rotation: [0, 0, 0, 1] };

/** The first index whose time is after `t`. */
function upperBound(times: number[], t: number): number {
  let [lo, hi] = [0, times.length];
  while (lo < hi) {
    const mid = (lo + hi) >> 1;
    if (times[mid] <= t) lo = mid + 1;
    else hi = mid;
  }
  return lo;
}

function blend(p: Float32Array, i: number, j: number, s: number, out: Pose): void {
  for (let c = 0; c < 3; c++) out.translation[c] = p[i + c] + (p[j + c] - p[i + c]) * s;
  let dot = 0;
  for (let c = 3; c < 7; c++) dot += p[i + c] * p[j + c];
  const sign = dot < 0 ? -1 : 1;
  const angle = Math.acos(Math.min(1, Math.abs(dot)));
  const sine = Math.sin(angle);
  // Near-equal rotations: the arc and its chord are one to rounding, and the sine is too small to divide by.
  const flat = sine < 1e-4;
  const u = flat ? 1 - s : Math.sin((1 - s) * angle) / sine;
  const v = (flat ? s : Math.sin(s * angle) / sine) * sign;
  let length = 0;
  for (let c = 0; c < 4; c++) {
    out.rotation[c] = u * p[i + 3 + c] + v * p[j + 3 + c];
    length += out.rotation[c] ** 2;
  }
  length = Math.sqrt(length) || 1;
  for (let c = 0; c < 4; c++) out.rotation[c] /= length;
}
