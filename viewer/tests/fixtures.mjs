// Reports the tests open, made by construction so that the right answers are known.

import { blob, box, circle, cylinder, encode, encodePoses, prism, tube, turn } from "./shapes.mjs";

const NO_TURN = [0, 0, 0, 1];

/** Collects meshes and parts. */
class Scene {
  meshes = [];
  parts = [];
  mesh(shape) {
    return this.meshes.push(encode(shape)) - 1;
  }
  part(name, mesh, translation, options = {}) {
    const { rotation = NO_TURN, path = [], group = null, colour = null } = options;
    return this.parts.push({ name, path, group, colour, mesh, pose: { translation, rotation } }) - 1;
  }
}

function report(scene, rest) {
  const findings = rest.findings ?? [];
  const by_kind = {};
  for (const f of findings.filter(Boolean)) by_kind[f.kind] = (by_kind[f.kind] ?? 0) + 1;
  const n = scene.parts.length;
  return {
    format: "clearance-report", version: 1, title: "Fixture", generator: "clearance 0.1.0", unit: "mm", up: "z",
    meshes: scene.meshes, parts: scene.parts, clearances: [], motion: null, problems: [],
    summary: { pairs_tested: Math.round(n * 2.5), pairs_possible: (n * (n - 1)) / 2, by_kind, seconds: 0.042 },
    ...rest, findings,
  };
}

function finding(id, kind, a, b, distance, rest = {}) {
  const slack = Math.abs(distance) * 1e-6;
  return {
    id, kind, a, b, distance, lower: distance - slack, upper: distance + slack, required: null, points: null, normal: null, features: null,
    curve: [], box: null, volume: null, time: null, intervals: [], first_contact: null, group: null, ...rest,
  };
}

const closed = (points) => [...points, points[0]].flat();

/** Carcass, doors and shelves of the cabinet. */
function carcass(s) {
  const wood = { path: ["Cabinet", "Carcass"], group: "panels", colour: [0.80, 0.70, 0.55] };
  const side = s.mesh(box(18, 500, 800));
  const flat = s.mesh(box(564, 500, 18));
  const left = s.part("side panel, left", side, [-291, 0, 400], wood);
  const right = s.part("side panel, right", side, [291, 0, 400], wood);
  s.part("bottom", flat, [0, 0, 9], wood);
  s.part("top", flat, [0, 0, 791], wood);
  s.part("back", s.mesh(box(564, 6, 764)), [0, 247, 400], { ...wood, colour: [0.86, 0.80, 0.70] });
  const shelf = s.part("shelf", s.mesh(box(566.5, 440, 18)), [1.25, 20, 420], { ...wood, path: ["Cabinet", "Shelves"] });
  return { left, right, shelf, wood };
}

/** One report with every kind of finding. */
export function cabinet() {
  const s = new Scene();
  const { left, right, shelf } = carcass(s);
  const metal = { path: ["Cabinet", "Fittings"], group: "fittings", colour: [0.62, 0.66, 0.70] };
  const across = turn([0, 1, 0], Math.PI / 2);
  const pin = s.part("hinge pin", s.mesh(cylinder(5, 60, 40)), [-291, -200, 640], { ...metal, rotation: across });
  const block = s.part("hinge block", s.mesh(box(40, 40, 60)), [-240, 150, 600], metal);
  const screw = s.part("forgotten screw", s.mesh(cylinder(3, 22, 24)), [-240, 150, 605], metal);
  const plate = s.mesh(prism([[-30, -12], [30, -12], [30, 12], [-30, 12]], 4));
  const plateA = s.part("bracket", plate, [120, -120, 300], metal);
  const plateB = s.part("bracket (copy)", plate, [120, -120, 300], metal);
  const cleat = s.part("cleat", s.mesh(box(24, 300, 30)), [-270, 20, 396], metal);
  const drawer = s.part("drawer", s.mesh(box(536, 440, 160)), [-8.8, -15, 120], { path: ["Cabinet", "Drawer"], group: "drawer", colour: [0.72, 0.62, 0.48] });
  const rail = s.part("rail", s.mesh(box(12, 420, 40)), [276, 0, 560], metal);
  const bolt = s.mesh(cylinder(4, 20, 24));
  const bolts = [0, 1, 2, 3, 4, 5].map((i) => s.part(`bolt M8 (${i + 1})`, bolt, [268, -150 + 60 * i, 560], { ...metal, path: ["Cabinet", "Fittings", "Bolts"], rotation: across }));
  const ring = (x) => closed(circle(5, 40).map(([u, v]) => [x, -200 + u, 640 + v]));
  const edge = closed([[282, -200, 411], [282, 240, 411], [282, 240, 429], [282, -200, 429]]);
  const findings = [
    finding("P1", "piercing", pin, left, -14, {
      points: [[-305, -200, 640], [-291, -200, 640]], normal: [1, 0, 0], lower: -14.02, upper: -13.98, features: ["curved face 2", "face 4"],
      curve: [ring(-300), ring(-282)], box: { min: [-300, -205, 635], max: [-282, -195, 645] }, volume: { lower: 1410.2, upper: 1413.8 },
    }),
    finding("P2", "protruding", shelf, right, -2.5, {
      points: [[284.5, 20, 420], [282, 20, 420]], normal: [1, 0, 0], features: ["face 6", "face 5"], curve: [edge],
      box: { min: [282, -200, 411], max: [284.5, 240, 429] }, volume: { lower: 19799.9, upper: 19800.1 },
    }),
    finding("C1", "contained", screw, block, -17, { points: [[-240, 150, 613], [-240, 170, 613]], normal: [0, -1, 0], box: { min: [-243, 147, 594], max: [-237, 153, 616] }, volume: { lower: 620, upper: 622.1 } }),
    finding("D1", "duplicate", plateA, plateB, -4, { points: [[120, -120, 302], [120, -120, 298]], normal: [0, 0, 1], box: { min: [90, -132, 298], max: [150, -108, 302] }, volume: { lower: 5760, upper: 5760 } }),
    finding("T1", "touching", shelf, cleat, 0, { lower: -1e-9, upper: 1e-9, points: [[-270, 20, 411], [-270, 20, 411]], normal: [0, 0, -1], features: ["face 1", "face 2"] }),
    finding("K1", "clearance", drawer, left, 5.2, { required: 8, points: [[-276.8, -15, 120], [-282, -15, 120]], normal: [-1, 0, 0] }),
    ...bolts.map((b, i) => finding(`B${i + 1}`, "protruding", b, rail, -8 + 0.1 * i, {
      group: "bolt M8 – rail", points: [[278, -150 + 60 * i, 560], [270, -150 + 60 * i, 560]], normal: [1, 0, 0],
      curve: [closed(circle(4, 24).map(([u, v]) => [270, -150 + 60 * i + u, 560 + v]))], box: { min: [270, -154 + 60 * i, 556], max: [278, -146 + 60 * i, 564] },
    })),
  ];
  const problems = ["rail.stl: 12 triangles of no area were kept", "drawer.obj: the mesh is open at 4 edges; it is treated as a surface"];
  return report(s, { title: "Cabinet with every kind of finding", findings, problems });
}

const CRANK = 50;
const ROD = 150;
/** Half the rod's width and depth, the bore of the cylinder, and the height of its lower rim. */
const HALF = [12, 7];
const BORE = 41.356;
const RIM = 50;

/** Pin and upper end of the rod at an angle in degrees. */
function rodAt(degrees) {
  const q = (degrees * Math.PI) / 180;
  const pin = [CRANK * Math.sin(q), CRANK * Math.cos(q)];
  return { q, pin, top: pin[1] + Math.sqrt(ROD ** 2 - pin[0] ** 2) };
}

/** Poses of crank, rod and head at an angle in degrees. */
function crankAt(degrees) {
  const { q, pin, top } = rodAt(degrees);
  return {
    crank: [0, 0, 0, ...turn([0, 1, 0], q)],
    rod: [pin[0] / 2, 0, (pin[1] + top) / 2, ...turn([0, 1, 0], Math.atan2(-pin[0], top - pin[1]))],
    head: [0, 0, top, ...NO_TURN],
  };
}

/** How far out the rod's outer face is at a height, and the height at which it is so far out. */
function rodFace(degrees) {
  const { pin, top } = rodAt(degrees);
  const slope = Math.abs(pin[0]) / (top - pin[1]);
  const out = HALF[0] * Math.hypot(1, slope);
  return { at: (z) => slope * (top - z) + out, height: (x) => top - (x - out) / slope };
}

/** The gap between rod and lower rim, below zero where they overlap. */
const gapAt = (degrees) => BORE - rodFace(degrees).at(RIM);

/** The finding of the rod in the cylinder's wall, at the angle of most depth. */
function rodClash(rod, wall) {
  const hits = Array.from({ length: 36001 }, (_, i) => i / 100).filter((t) => gapAt(t) < 0);
  const time = hits.filter((t) => t < 180).reduce((m, t) => (gapAt(t) < gapAt(m) ? t : m));
  const span = (from, to) => [hits.find((t) => t > from), hits.findLast((t) => t < to)];
  const { at, height } = rodFace(time);
  const [x, y, z] = [at(RIM), HALF[1], height(BORE)];
  const first = hits[0];
  return finding("rod-cylinder", "piercing", rod, wall, BORE - x, {
    lower: (BORE - x) * 1.04, upper: BORE - x, time, intervals: [span(0, 180), span(180, 360)], first_contact: { lower: Math.round(100 * first - 1) / 100, upper: first },
    normal: [1, 0, 0], features: ["face 2", "rim, edge 1"], points: [[x, 0, RIM], [BORE, 0, RIM]], volume: { lower: 151.2, upper: 168.9 },
    curve: [closed([[BORE, -y, RIM], [x, -y, RIM], [x, y, RIM], [BORE, y, RIM], [BORE, y, z], [BORE, -y, z]])], box: { min: [BORE, -y, RIM], max: [x, y, z] },
  });
}

/** A crank mechanism over one turn: the rod cuts the rim of the cylinder twice. */
export function crank() {
  const s = new Scene();
  const times = Array.from({ length: 181 }, (_, i) => 2 * i);
  const poses = times.map(crankAt);
  const flat = turn([1, 0, 0], Math.PI / 2);
  const arm = box(30, 12, 92);
  arm.vertices = arm.vertices.map(([x, y, z]) => [x, y + 16, z + 26]);
  const crankPart = s.part("crank", s.mesh(arm), [0, 0, 0], { path: ["Engine", "Drive"], colour: [0.55, 0.6, 0.66] });
  const rod = s.part("connecting rod", s.mesh(box(2 * HALF[0], 2 * HALF[1], ROD + 20)), [0, 0, 0], { path: ["Engine", "Drive"], colour: [0.72, 0.64, 0.5] });
  const head = s.part("piston head", s.mesh(cylinder(38, 46, 64)), [0, 0, 200], { path: ["Engine", "Drive"], colour: [0.68, 0.7, 0.72] });
  const wall = s.part("cylinder", s.mesh(tube(BORE, 52, 180, 96)), [0, 0, RIM + 90], { path: ["Engine"], colour: [0.5, 0.58, 0.62] });
  s.part("base plate", s.mesh(box(220, 140, 12)), [0, 0, -90], { path: ["Engine"], colour: [0.62, 0.64, 0.66] });
  s.part("bearing", s.mesh(tube(14, 24, 30)), [0, 40, 0], { path: ["Engine"], rotation: flat, colour: [0.45, 0.48, 0.52] });
  const track = (part, key) => ({ part, poses: encodePoses(poses.map((p) => p[key])) });
  const moving = [track(crankPart, "crank"), track(rod, "rod"), track(head, "head")];
  const samples = (f, slack) => times.map((t) => [t, f(t) - slack(t), f(t)]);
  const wave = (t) => Math.cos((t * Math.PI) / 180);
  const pair = (a, b, time, distance, f, slack = () => 0.02) => ({ a, b, time, distance, lower: distance - 0.001, upper: distance + 0.001, samples: samples(f, slack) });
  const clash = rodClash(rod, wall);
  const clearances = [
    pair(rod, wall, clash.time, clash.distance, gapAt, (t) => (gapAt(t) < 0 ? 0.2 - 0.3 * gapAt(t) : 0.2)),
    pair(head, wall, 120, 3.356, (t) => 3.356 + 0.4 * (1 - Math.cos(((t - 120) * Math.PI) / 90))),
    pair(crankPart, rod, 36, 4.425, (t) => 4.425 + 0.8 * (1 - Math.cos(((t - 36) * Math.PI) / 180))),
    pair(rod, head, 0, 4.613, (t) => 4.613 + 0.3 * (1 - wave(t))),
    pair(crankPart, wall, 180, 250.7, (t) => 250.7 + 40 * (1 + wave(t))),
  ];
  const z = crankAt(120).head[2];
  const near = finding("head-cylinder", "clearance", head, wall, 3.356, { time: 120, required: 4, intervals: [[92, 148]], normal: [1, 0, 0], points: [[38, 0, z], [BORE, 0, z]] });
  return report(s, { title: "Crank mechanism over one turn", findings: [clash, near], clearances, motion: { start: 0, end: 360, unit: "°", times, moving } });
}

/** A seeded sequence of numbers in 0..1. */
function random(seed) {
  let x = seed >>> 0;
  return () => {
    x = (Math.imul(x, 1664525) + 1013904223) >>> 0;
    return x / 2 ** 32;
  };
}

/** A played simulation: many moving parts, no findings, y up. */
export function simulated() {
  const s = new Scene();
  const r = random(5);
  const meshes = [box(1, 1, 1), cylinder(0.5, 1, 32), blob(12, 20, () => 0.6)].map((m) => s.mesh(m));
  const ground = s.part("ground", s.mesh(box(40, 1, 40)), [0, -0.5, 0], { path: ["World"] });
  const times = Array.from({ length: 151 }, (_, i) => i / 30);
  const moving = [];
  for (let i = 0; i < 160; i++) {
    const [x, z, h, vx, vz, spin] = [12 * (r() - 0.5), 12 * (r() - 0.5), 3 + 14 * r(), 2 * (r() - 0.5), 2 * (r() - 0.5), 4 * (r() - 0.5)];
    const shape = i % 3;
    const part = s.part(`${["box", "drum", "ball"][shape]} ${i}`, meshes[shape], [x, h, z], { path: ["World", ["Boxes", "Drums", "Balls"][shape]] });
    const poses = times.map((t) => [x + vx * t, bounce(h, t), z + vz * t, ...turn([1, 0.4, 0.2], spin * t)]);
    moving.push({ part, poses: encodePoses(poses) });
  }
  const summary = { pairs_tested: 0, pairs_possible: 0, by_kind: {} };
  return { ...report(s, { title: "Falling bodies, simulated", unit: "m", up: "y", motion: { start: 0, end: 5, unit: "s", times, moving } }), summary, ground };
}

/** Height of a ball dropped from `h`, half of its speed kept at each bounce. */
function bounce(h, t) {
  let [speed, left] = [Math.sqrt(2 * 9.81 * h), t - Math.sqrt((2 * h) / 9.81)];
  if (left < 0) return 0.6 + h - (9.81 * t * t) / 2;
  for (let i = 0; i < 8; i++) {
    speed /= 2;
    const flight = (2 * speed) / 9.81;
    if (left < flight) return 0.6 + speed * left - (9.81 * left * left) / 2;
    left -= flight;
  }
  return 0.6;
}

/** 1,000 parts and 1,000,000 triangles: 500 different meshes, each used twice; 300 findings. */
export function big() {
  const s = new Scene();
  const r = random(11);
  const parts = [];
  for (let i = 0; i < 500; i++) {
    const [p, q, d] = [2 + Math.floor(3 * r()), 2 + Math.floor(4 * r()), 0.1 + 0.25 * r()];
    const mesh = s.mesh(blob(26, 20, (phi, theta) => 0.52 * (1 + d * Math.sin(p * phi) * Math.cos(q * theta))));
    for (let k = 0; k < 2; k++) {
      const n = 2 * i + k;
      const at = [n % 10, Math.floor(n / 10) % 10, Math.floor(n / 100)];
      parts.push(s.part(`vessel ${n}`, mesh, at, { path: ["Plant", `Level ${at[2]}`, `Row ${at[1]}`], rotation: turn([1, r(), r()], 6 * r()) }));
    }
  }
  const kinds = ["piercing", "protruding", "touching", "clearance"];
  const findings = Array.from({ length: 300 }, (_, i) => {
    const a = parts[3 * i];
    const b = parts[3 * i + 1];
    const middle = s.parts[a].pose.translation.map((x, c) => (x + s.parts[b].pose.translation[c]) / 2);
    const distance = [-0.05, -0.02, 0, 0.03][i % 4] * (1 + i / 300);
    const points = [middle, [middle[0] + distance, middle[1], middle[2]]];
    return finding(`F${i}`, kinds[i % 4], a, b, distance, { points, normal: [1, 0, 0], required: i % 4 === 3 ? 0.1 : null, group: i % 10 === 0 ? "row of vessels" : null });
  });
  return report(s, { title: "Plant of 1,000 parts and 1,000,000 triangles", unit: "m", findings });
}

/** Names and numbers meant to break the page, 10^6 away from the origin. */
export function hostile() {
  const s = new Scene();
  const cube = s.mesh(box(2, 2, 2));
  const bad = "<img src=x onerror=\"window.attacked=1\">";
  const end = "</script><script>window.attacked=2</script><!--";
  const far = [1e6, -1e6, 1e6];
  const a = s.part(bad, cube, far, { path: ["<b>bold</b>", bad], group: "\u202egnp.\u202c" });
  const b = s.part(end, cube, [far[0] + 1.5, far[1], far[2]], { path: [end] });
  s.part("x".repeat(20000), cube, [far[0] + 5, far[1], far[2]]);
  s.part("", 99, far);
  s.meshes.push({ ...s.meshes[0], positions: "!!!! not base64" }, { ...s.meshes[0], triangles: 4000000000 }, { ...s.meshes[0], vertices: 3 });
  [1, 2, 3].forEach((mesh) => s.part(`broken mesh ${mesh}`, mesh, far));
  s.parts.push(null, { name: 7, mesh: 0, pose: { translation: ["a", null, 1], rotation: [0, 0, 0, 0] } });
  s.parts[s.parts.length - 1].pose.translation = far;
  const findings = [
    finding(`id ${bad}`, "piercing", a, b, -0.5, { group: bad, features: [bad, end], points: [[far[0] + 1, far[1], far[2]], [far[0] + 0.5, far[1], far[2]]], normal: [1, 0, 0], curve: [[1, 2], [null, 1, 2, 3, 4, 5]] }),
    finding("out of range", "piercing", 0, 4000, -1),
    finding("no such kind", "<i>kind</i>", a, b, -1),
    { id: 5, kind: "touching", a, b, distance: null, curve: "none", intervals: [[1], null], points: [[0, 0], []] },
    null,
  ];
  return report(s, {
    title: `Hostile ${bad} ${end}`, generator: bad, unit: "<u>mm</u>", findings, problems: [bad, end, 5, null],
    clearances: [{ a: 0, b: 77 }, null], motion: { start: 0, end: -1, unit: bad, times: [3, 2, 1], moving: [{ part: 0, poses: "AAAA" }] },
    summary: { pairs_tested: "many", by_kind: { piercing: "<b>3</b>" } }, surplus: { unknown: true },
  });
}

/** Two cubes of micrometres, and two of hundreds of kilometres: both must look like any others. */
function cubes(size) {
  const s = new Scene();
  const cube = s.mesh(box(2 * size, 2 * size, 2 * size));
  const [a, b] = [0, 1].map((i) => s.part(`cube ${i}`, cube, [1.5 * size * i, 0, 0]));
  const clash = finding("cubes", "protruding", a, b, -0.5 * size, { points: [[size, 0, 0], [0.5 * size, 0, 0]], normal: [1, 0, 0] });
  return report(s, { title: `Cubes of ${size}`, unit: "m", findings: [clash] });
}
export const tiny = () => cubes(1e-6);
export const vast = () => cubes(1e6);

export const FIXTURES = { tiny, vast, cabinet, crank, simulated, big, hostile };
