// Surfaces made ready for drawing: normals that are smooth over curved faces and sharp at creases, and feature edges.
// The report's meshes have positions and triangles only.

import type { Triangles } from "../data/decode";
import type { Vec3 } from "../data/report";

/** Faces that meet at a smaller angle than this are shaded as one smooth surface (35°). */
const SMOOTH = Math.cos((35 * Math.PI) / 180);
/** An edge is drawn where its faces meet at a larger angle than this (28°). */
const CREASE = Math.cos((28 * Math.PI) / 180);
/** Normals kept per vertex; corners beyond join the first (a bound on the work for a hostile fan). */
const MOST_NORMALS = 24;

export interface Surface {
  positions: Float32Array;
  normals: Float32Array;
  indices: Uint32Array;
}

/**
 * One vertex per position: files of loose triangles repeat every corner, which would leave no smooth edge.
 * `scale` is the step of the stored coordinates (0..65535 per axis).
 */
export function welded(mesh: Triangles, scale: Vec3): Triangles {
  const { positions, indices } = mesh;
  const count = positions.length / 3;
  if (count * 3 <= indices.length) return mesh;
  const seen = new Map<number, number>();
  const to = new Uint32Array(count);
  const kept: number[] = [];
  for (let v = 0; v < count; v++) {
    let key = 0;
    for (let c = 0; c < 3; c++) key = key * 65536 + (scale[c] > 0 ? Math.round(positions[3 * v + c] / scale[c]) : 0);
    let w = seen.get(key);
    if (w === undefined) {
      w = kept.length / 3;
      seen.set(key, w);
      kept.push(positions[3 * v], positions[3 * v + 1], positions[3 * v + 2]);
    }
    to[v] = w;
  }
  return { positions: Float32Array.from(kept), indices: indices.map((v) => to[v]) };
}

/** Normals of all triangles, of length twice their area. */
function faceNormals({ positions: p, indices }: Triangles): Float32Array {
  const out = new Float32Array(indices.length);
  for (let t = 0; t < indices.length; t += 3) {
    const a = 3 * indices[t], b = 3 * indices[t + 1], c = 3 * indices[t + 2];
    const ux = p[b] - p[a], uy = p[b + 1] - p[a + 1], uz = p[b + 2] - p[a + 2];
    const vx = p[c] - p[a], vy = p[c + 1] - p[a + 1], vz = p[c + 2] - p[a + 2];
    out[t] = uy * vz - uz * vy;
    out[t + 1] = uz * vx - ux * vz;
    out[t + 2] = ux * vy - uy * vx;
  }
  return out;
}

/** Corners of every vertex: those of vertex v are `corners[start[v] .. start[v + 1]]`. */
function cornersOf(indices: Uint32Array, vertices: number): { start: Uint32Array; corners: Uint32Array } {
  const start = new Uint32Array(vertices + 1);
  for (const v of indices) start[v + 1]++;
  for (let v = 0; v < vertices; v++) start[v + 1] += start[v];
  const next = start.slice(0, vertices);
  const corners = new Uint32Array(indices.length);
  for (let c = 0; c < indices.length; c++) corners[next[indices[c]]++] = c;
  return { start, corners };
}

/** The mesh with each vertex split into one per smooth surface that meets there; `smooth` is the cosine that parts them. */
export function shaded(mesh: Triangles, smooth = SMOOTH): Surface {
  const { positions, indices } = mesh;
  const vertices = positions.length / 3;
  const faces = faceNormals(mesh);
  const { start, corners } = cornersOf(indices, vertices);
  const outPositions = new Float32Array(indices.length * 3);
  const outNormals = new Float32Array(indices.length * 3);
  const outIndices = new Uint32Array(indices.length);
  const seed = new Float32Array(MOST_NORMALS * 3);
  let made = 0;
  for (let v = 0; v < vertices; v++) {
    const first = made;
    for (let k = start[v]; k < start[v + 1]; k++) {
      const corner = corners[k];
      const f = corner - (corner % 3);
      const length = Math.hypot(faces[f], faces[f + 1], faces[f + 2]) || 1;
      const x = faces[f] / length, y = faces[f + 1] / length, z = faces[f + 2] / length;
      let at = first;
      while (at < made) {
        const s = 3 * (at - first);
        if (seed[s] * x + seed[s + 1] * y + seed[s + 2] * z >= smooth) break;
        at++;
      }
      if (at - first >= MOST_NORMALS) at = first;
      if (at === made) {
        seed.set([x, y, z], 3 * (at - first));
        outPositions.set([positions[3 * v], positions[3 * v + 1], positions[3 * v + 2]], 3 * at);
        made++;
      }
      outNormals[3 * at] += faces[f];
      outNormals[3 * at + 1] += faces[f + 1];
      outNormals[3 * at + 2] += faces[f + 2];
      outIndices[corner] = at;
    }
  }
  normalise(outNormals, made);
  return { positions: outPositions.slice(0, 3 * made), normals: outNormals.slice(0, 3 * made), indices: outIndices };
}

function normalise(normals: Float32Array, count: number): void {
  for (let i = 0; i < 3 * count; i += 3) {
    const length = Math.hypot(normals[i], normals[i + 1], normals[i + 2]);
    if (length > 0) {
      normals[i] /= length;
      normals[i + 1] /= length;
      normals[i + 2] /= length;
    } else normals[i + 2] = 1;
  }
}

/** An edge of two faces, each named by its first corner. */
interface SharedEdge {
  v: number;
  w: number;
  f: number;
  g: number;
}

/** Edges shared by two faces, and the ends of those of one face only. */
function edgesOf(indices: Uint32Array, vertices: number): { shared: SharedEdge[]; open: [number, number][] } {
  const waiting = new Map<number, number>();
  const shared: SharedEdge[] = [];
  for (let c = 0; c < indices.length; c++) {
    const f = c - (c % 3);
    const v = indices[c];
    const w = indices[f + ((c + 1) % 3)];
    const key = v < w ? v * vertices + w : w * vertices + v;
    const g = waiting.get(key);
    if (g === undefined) waiting.set(key, f);
    else {
      waiting.delete(key);
      shared.push({ v, w, f, g });
    }
  }
  return { shared, open: [...waiting.keys()].map((key) => [Math.floor(key / vertices), key % vertices]) };
}

/** Passes over slivers that lie beside slivers. */
const SLIVER_PASSES = 6;

/**
 * Gives each sliver the normal of the face across its longest edge. The stored coordinates are rounded, so that a sliver
 * lower than a few steps has a normal of no meaning.
 */
function mendSlivers({ positions: p, indices }: Triangles, normals: Float32Array, shared: SharedEdge[], step: number): void {
  const longest = new Float32Array(indices.length);
  const across = new Int32Array(indices.length).fill(-1);
  for (const { v, w, f, g } of shared) {
    const length = Math.hypot(p[3 * v] - p[3 * w], p[3 * v + 1] - p[3 * w + 1], p[3 * v + 2] - p[3 * w + 2]);
    for (const [face, other] of [[f, g], [g, f]]) {
      if (length <= longest[face]) continue;
      longest[face] = length;
      across[face] = other;
    }
  }
  let slivers: number[] = [];
  for (let f = 0; f < indices.length; f += 3) {
    if (Math.hypot(normals[f], normals[f + 1], normals[f + 2]) < 3 * step * longest[f]) slivers.push(f);
  }
  const open = new Set(slivers);
  for (let pass = 0; pass < SLIVER_PASSES && slivers.length > 0; pass++) {
    const mended = slivers.filter((f) => across[f] >= 0 && !open.has(across[f]));
    for (const f of mended) normals.copyWithin(f, across[f], across[f] + 3);
    for (const f of mended) open.delete(f);
    slivers = slivers.filter((f) => open.has(f));
  }
}

/** Segments (x, y, z of both ends) along creases and open borders of a welded mesh; `scale` is the step of its coordinates. */
export function featureEdges(mesh: Triangles, scale: Vec3): Float32Array {
  const { positions, indices } = mesh;
  const faces = faceNormals(mesh);
  const { shared, open } = edgesOf(indices, positions.length / 3);
  mendSlivers(mesh, faces, shared, Math.max(...scale));
  const creases = shared.filter(({ f, g }) => angleCosine(faces, f, g) < CREASE).map(({ v, w }): [number, number] => [v, w]);
  const out: number[] = [];
  for (const edge of [...creases, ...open]) {
    for (const v of edge) out.push(positions[3 * v], positions[3 * v + 1], positions[3 * v + 2]);
  }
  return Float32Array.from(out);
}

function angleCosine(n: Float32Array, f: number, g: number): number {
  const dot = n[f] * n[g] + n[f + 1] * n[g + 1] + n[f + 2] * n[g + 2];
  const size = Math.hypot(n[f], n[f + 1], n[f + 2]) * Math.hypot(n[g], n[g + 1], n[g + 2]);
  return size > 0 ? dot / size : 1;
}

/** Cells of the coarse grid along the longest side of a mesh. */
const COARSE_CELLS = 4;

/**
 * A coarse stand-in for a mesh, for ghosts and for drawing while the view moves: vertices of one cell of a grid become one.
 * Null where it would not be much smaller.
 */
export function coarsened(mesh: Triangles, box: { min: Vec3; max: Vec3 }): Triangles | null {
  const { positions, indices } = mesh;
  const cell = Math.max(...box.max.map((x, c) => x - box.min[c])) / COARSE_CELLS;
  if (!(cell > 0)) return null;
  const cells = new Map<number, number>();
  const to = new Uint32Array(positions.length / 3);
  const sums: number[] = [];
  const counts: number[] = [];
  for (let v = 0; v < to.length; v++) {
    let key = 0;
    for (let c = 0; c < 3; c++) key = key * 64 + Math.floor((positions[3 * v + c] - box.min[c]) / cell);
    let w = cells.get(key);
    if (w === undefined) {
      w = counts.length;
      cells.set(key, w);
      counts.push(0);
      sums.push(0, 0, 0);
    }
    counts[w]++;
    for (let c = 0; c < 3; c++) sums[3 * w + c] += positions[3 * v + c];
    to[v] = w;
  }
  const kept = distinctTriangles(indices, to, counts.length);
  if (kept.length > indices.length * 0.6) return null;
  return { positions: Float32Array.from(sums, (x, i) => x / counts[Math.floor(i / 3)]), indices: Uint32Array.from(kept) };
}

/** Corners of the triangles that keep three different vertices, each triangle once. */
function distinctTriangles(indices: Uint32Array, to: Uint32Array, vertices: number): number[] {
  const seen = new Set<number>();
  const out: number[] = [];
  for (let t = 0; t < indices.length; t += 3) {
    const [a, b, c] = [to[indices[t]], to[indices[t + 1]], to[indices[t + 2]]];
    if (a === b || b === c || c === a) continue;
    const least = Math.min(a, b, c);
    const most = Math.max(a, b, c);
    const key = (least * vertices + (a + b + c - least - most)) * vertices + most;
    if (seen.has(key)) continue;
    seen.add(key);
    out.push(a, b, c);
  }
  return out;
}
