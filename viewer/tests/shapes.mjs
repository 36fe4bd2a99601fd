// Meshes for the fixtures, and the report's encoding of them.

import { deflateRawSync } from "node:zlib";

/** A box centred at the origin. */
export function box(x, y, z) {
  const vertices = [];
  for (let i = 0; i < 8; i++) vertices.push([(i & 1 ? x : -x) / 2, (i & 2 ? y : -y) / 2, (i & 4 ? z : -z) / 2]);
  const quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
  return { vertices, triangles: quads.flatMap(([a, b, c, d]) => [[a, b, c], [a, c, d]]) };
}

/** A prism over a star-shaped outline about the origin, along z and centred on it. */
export function prism(outline, height) {
  const n = outline.length;
  const vertices = [-height / 2, height / 2].flatMap((z) => [...outline.map(([x, y]) => [x, y, z]), [0, 0, z]]);
  const triangles = [];
  for (let i = 0; i < n; i++) {
    const j = (i + 1) % n;
    triangles.push([j, i, n], [n + 1 + i, n + 1 + j, 2 * n + 1], [i, j, n + 1 + j], [i, n + 1 + j, n + 1 + i]);
  }
  return { vertices, triangles };
}

export const circle = (radius, n = 48) => Array.from({ length: n }, (_, i) => [radius * Math.cos((2 * Math.PI * i) / n), radius * Math.sin((2 * Math.PI * i) / n)]);
export const cylinder = (radius, height, n = 48) => prism(circle(radius, n), height);

/** A tube along z. */
export function tube(inner, outer, height, n = 64) {
  const vertices = [];
  for (const r of [inner, outer]) for (const z of [-height / 2, height / 2]) for (const [x, y] of circle(r, n)) vertices.push([x, y, z]);
  const triangles = [];
  for (let i = 0; i < n; i++) {
    const j = (i + 1) % n;
    const quad = (a, b, c, d) => triangles.push([a, b, c], [a, c, d]);
    quad(2 * n + i, 2 * n + j, 3 * n + j, 3 * n + i);
    quad(j, i, n + i, n + j);
    quad(i, j, 2 * n + j, 2 * n + i);
    quad(n + j, n + i, 3 * n + i, 3 * n + j);
  }
  return { vertices, triangles };
}

/** A closed surface of rings about z; `radius(theta, phi)` gives its shape. */
export function blob(rings, segments, radius) {
  const vertices = [[0, 0, -radius(-Math.PI / 2, 0)], [0, 0, radius(Math.PI / 2, 0)]];
  for (let r = 1; r < rings; r++) {
    const phi = -Math.PI / 2 + (Math.PI * r) / rings;
    for (let s = 0; s < segments; s++) {
      const theta = (2 * Math.PI * s) / segments;
      const d = radius(phi, theta);
      vertices.push([d * Math.cos(phi) * Math.cos(theta), d * Math.cos(phi) * Math.sin(theta), d * Math.sin(phi)]);
    }
  }
  const at = (r, s) => 2 + (r - 1) * segments + (s % segments);
  const triangles = [];
  for (let s = 0; s < segments; s++) {
    triangles.push([0, at(1, s + 1), at(1, s)], [1, at(rings - 1, s), at(rings - 1, s + 1)]);
    for (let r = 1; r < rings - 1; r++) triangles.push([at(r, s), at(r, s + 1), at(r + 1, s + 1)], [at(r, s), at(r + 1, s + 1), at(r + 1, s)]);
  }
  return { vertices, triangles };
}

const pack = (bytes) => deflateRawSync(Buffer.from(bytes.buffer)).toString("base64");

/** A mesh as the report stores it. */
export function encode({ vertices, triangles }) {
  const origin = [0, 1, 2].map((c) => vertices.reduce((m, v) => Math.min(m, v[c]), Infinity));
  const scale = [0, 1, 2].map((c) => (vertices.reduce((m, v) => Math.max(m, v[c]), -Infinity) - origin[c]) / 65535);
  const positions = new Uint16Array(vertices.length * 3);
  const last = [0, 0, 0];
  vertices.forEach((v, i) => {
    for (let c = 0; c < 3; c++) {
      const q = scale[c] > 0 ? Math.round((v[c] - origin[c]) / scale[c]) : 0;
      positions[3 * i + c] = q - last[c];
      last[c] = q;
    }
  });
  const indices = new Uint32Array(triangles.length * 3);
  let before = 0;
  triangles.flat().forEach((index, i) => {
    indices[i] = index - before;
    before = index;
  });
  return { vertices: vertices.length, triangles: triangles.length, origin, scale, positions: pack(positions), indices: pack(indices) };
}

/** Poses over time as the report stores them: seven numbers each. */
export const encodePoses = (poses) => pack(Float32Array.from(poses.flat()));

/** The quaternion of a turn about an axis. */
export function turn(axis, angle) {
  const s = Math.sin(angle / 2) / Math.hypot(...axis);
  return [axis[0] * s, axis[1] * s, axis[2] * s, Math.cos(angle / 2)];
}
