// The report's data as the page uses it: types of the contract, and a reader that trusts nothing.
// Whatever is wrong with one element drops that element and is told as a problem; only a file that
// is no report at all is an error.

export type Vec3 = [number, number, number];
export type Kind = "piercing" | "protruding" | "contained" | "duplicate" | "touching" | "clearance";
export const KINDS: readonly Kind[] = ["piercing", "protruding", "contained", "duplicate", "touching", "clearance"];

export interface MeshData {
  vertices: number;
  triangles: number;
  origin: Vec3;
  scale: Vec3;
  positions: string;
  indices: string;
}
export interface Pose {
  translation: Vec3;
  /** Unit quaternion x, y, z, w. */
  rotation: [number, number, number, number];
}
export interface Part {
  name: string;
  /** The name without the assemblies of its path, where it begins with them. */
  short: string;
  path: string[];
  group: string | null;
  colour: Vec3 | null;
  /** Index of the mesh; −1 where there is none to draw. */
  mesh: number;
  pose: Pose;
}
export interface Interval {
  lower: number;
  upper: number;
}
export interface Finding {
  id: string;
  kind: Kind;
  a: number;
  b: number;
  distance: number;
  lower: number;
  upper: number;
  required: number | null;
  points: [Vec3, Vec3] | null;
  normal: Vec3 | null;
  features: [string, string] | null;
  curve: number[][];
  box: { min: Vec3; max: Vec3 } | null;
  volume: Interval | null;
  time: number | null;
  intervals: [number, number][];
  first_contact: Interval | null;
  group: string | null;
}
export interface PairClearance {
  a: number;
  b: number;
  time: number;
  distance: number;
  lower: number;
  upper: number;
  /** Time, lower bound, upper bound. */
  samples: [number, number, number][];
}
export interface MotionData {
  start: number;
  end: number;
  unit: string;
  times: number[];
  moving: { part: number; poses: string }[];
}
export interface Summary {
  pairs_tested: number | null;
  pairs_possible: number | null;
  by_kind: Partial<Record<Kind, number>>;
  seconds: number | null;
}
export interface Report {
  title: string;
  generator: string;
  unit: string | null;
  up: "y" | "z";
  meshes: MeshData[];
  parts: Part[];
  findings: Finding[];
  clearances: PairClearance[];
  motion: MotionData | null;
  summary: Summary;
  problems: string[];
}

/** Told where the text is not a report this page can read. */
export class ReportError extends Error {}

type Json = Record<string, unknown>;

const isObject = (x: unknown): x is Json => typeof x === "object" && x !== null && !Array.isArray(x);
const list = (x: unknown): unknown[] => (Array.isArray(x) ? x : []);
const text = (x: unknown, otherwise = ""): string => (typeof x === "string" ? x : otherwise);
const textOrNull = (x: unknown): string | null => (typeof x === "string" ? x : null);
const isNumber = (x: unknown): x is number => typeof x === "number" && Number.isFinite(x);
const number = (x: unknown, otherwise = NaN): number => (isNumber(x) ? x : otherwise);
const numberOrNull = (x: unknown): number | null => (isNumber(x) ? x : null);
const index = (x: unknown, below: number): number => (isNumber(x) && Number.isInteger(x) && x >= 0 && x < below ? x : -1);

function vec3(x: unknown): Vec3 | null {
  const v = list(x);
  return v.length === 3 && v.every(isNumber) ? (v as Vec3) : null;
}

function pose(x: unknown): Pose {
  const o = isObject(x) ? x : {};
  const r = list(o.rotation);
  const length = r.length === 4 && r.every(isNumber) ? Math.hypot(...(r as number[])) : 0;
  const rotation = length > 0 ? (r as number[]).map((c) => c / length) : [0, 0, 0, 1];
  return { translation: vec3(o.translation) ?? [0, 0, 0], rotation: rotation as Pose["rotation"] };
}

function interval(x: unknown): Interval | null {
  if (!isObject(x) || !isNumber(x.lower) || !isNumber(x.upper)) return null;
  return { lower: x.lower, upper: x.upper };
}

function mesh(x: unknown): MeshData {
  const o = isObject(x) ? x : {};
  return {
    vertices: index(o.vertices, 2 ** 32),
    triangles: index(o.triangles, 2 ** 32),
    origin: vec3(o.origin) ?? [0, 0, 0],
    scale: vec3(o.scale) ?? [0, 0, 0],
    positions: text(o.positions),
    indices: text(o.indices),
  };
}

function part(x: unknown, i: number, meshes: number, problems: string[]): Part {
  const o = isObject(x) ? x : {};
  const m = index(o.mesh, meshes);
  const name = text(o.name, `part ${i}`);
  if (m < 0) problems.push(`Part “${name}” refers to a mesh that is not in the report; it is listed but not drawn.`);
  const path = list(o.path).filter((s): s is string => typeof s === "string");
  const prefix = `${path.join("/")}/`;
  return {
    name,
    short: name.startsWith(prefix) && name.length > prefix.length ? name.slice(prefix.length) : name,
    path,
    group: textOrNull(o.group),
    colour: colour(o.colour),
    mesh: m,
    pose: pose(o.pose),
  };
}

/** Components in 0..1; larger ones are taken as 0..255. */
function colour(x: unknown): Vec3 | null {
  const c = vec3(x);
  if (!c) return null;
  const whole = Math.max(...c) > 1 ? 255 : 1;
  return c.map((v) => Math.min(1, Math.max(0, v / whole))) as Vec3;
}

function points(x: unknown): [Vec3, Vec3] | null {
  const [a, b] = list(x).map(vec3);
  return a && b ? [a, b] : null;
}

function polyline(x: unknown): number[] {
  const flat = list(x);
  return flat.length >= 6 && flat.length % 3 === 0 && flat.every(isNumber) ? (flat as number[]) : [];
}

function box(x: unknown): Finding["box"] {
  if (!isObject(x)) return null;
  const min = vec3(x.min);
  const max = vec3(x.max);
  return min && max ? { min, max } : null;
}

function spans(x: unknown): [number, number][] {
  return list(x)
    .map(list)
    .filter((s) => s.length === 2 && s.every(isNumber)) as [number, number][];
}

function finding(x: unknown, i: number, parts: number, problems: string[]): Finding | null {
  const o = isObject(x) ? x : {};
  const a = index(o.a, parts);
  const b = index(o.b, parts);
  const kind = KINDS.find((k) => k === o.kind);
  const id = text(o.id, `#${i}`);
  if (a < 0 || b < 0 || !kind) {
    problems.push(`Finding ${id} has an unknown kind or part; it is left out.`);
    return null;
  }
  const features = list(o.features);
  return {
    id, kind, a, b,
    distance: number(o.distance),
    lower: number(o.lower),
    upper: number(o.upper),
    required: numberOrNull(o.required),
    points: points(o.points),
    normal: vec3(o.normal),
    features: features.length === 2 ? [text(features[0]), text(features[1])] : null,
    curve: list(o.curve).map(polyline).filter((l) => l.length > 0),
    box: box(o.box),
    volume: interval(o.volume),
    time: numberOrNull(o.time),
    intervals: spans(o.intervals),
    first_contact: interval(o.first_contact),
    group: textOrNull(o.group),
  };
}

function clearance(x: unknown, i: number, parts: number, problems: string[]): PairClearance | null {
  const o = isObject(x) ? x : {};
  const a = index(o.a, parts);
  const b = index(o.b, parts);
  if (a < 0 || b < 0) {
    problems.push(`Clearance ${i} has an unknown part; it is left out.`);
    return null;
  }
  const samples = list(o.samples)
    .map(list)
    .filter((s) => s.length === 3 && s.every(isNumber)) as [number, number, number][];
  samples.sort((p, q) => p[0] - q[0]);
  return { a, b, time: number(o.time), distance: number(o.distance), lower: number(o.lower), upper: number(o.upper), samples };
}

function motion(x: unknown, parts: number, problems: string[]): MotionData | null {
  if (!isObject(x)) return null;
  const times = list(x.times).filter(isNumber);
  const rising = times.every((t, i) => i === 0 || t >= times[i - 1]);
  const start = number(x.start, times[0]);
  const end = number(x.end, times[times.length - 1]);
  if (!rising || !isNumber(start) || !isNumber(end) || end <= start) {
    problems.push("The motion's times are not in order; the scene is shown at rest.");
    return null;
  }
  const moving = list(x.moving)
    .filter(isObject)
    .map((m) => ({ part: index(m.part, parts), poses: text(m.poses) }))
    .filter((m) => m.part >= 0);
  return { start, end, unit: text(x.unit), times, moving };
}

function summary(x: unknown): Summary {
  const o = isObject(x) ? x : {};
  const counts = isObject(o.by_kind) ? o.by_kind : {};
  const by_kind: Summary["by_kind"] = {};
  for (const kind of KINDS) if (isNumber(counts[kind])) by_kind[kind] = counts[kind];
  return {
    pairs_tested: numberOrNull(o.pairs_tested),
    pairs_possible: numberOrNull(o.pairs_possible),
    by_kind,
    seconds: numberOrNull(o.seconds),
  };
}

const kept = <T>(x: T | null): x is T => x !== null;

/** The report in `json`; a `ReportError` where it is none. */
export function parseReport(json: string): Report {
  let o: unknown;
  try {
    o = JSON.parse(json);
  } catch (error) {
    throw new ReportError(`The report's data is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (!isObject(o) || o.format !== "clearance-report") throw new ReportError("This file holds no clearance report.");
  if (o.version !== 1) throw new ReportError(`The report has version ${String(o.version)}; this page reads version 1.`);
  const problems = list(o.problems).filter((s): s is string => typeof s === "string");
  const meshes = list(o.meshes).map(mesh);
  const parts = list(o.parts).map((p, i) => part(p, i, meshes.length, problems));
  return {
    title: text(o.title, "Report"),
    generator: text(o.generator),
    unit: textOrNull(o.unit),
    up: o.up === "y" ? "y" : "z",
    meshes,
    parts,
    findings: list(o.findings).map((f, i) => finding(f, i, parts.length, problems)).filter(kept),
    clearances: list(o.clearances).map((c, i) => clearance(c, i, parts.length, problems)).filter(kept),
    motion: motion(o.motion, parts.length, problems),
    summary: summary(o.summary),
    problems,
  };
}
