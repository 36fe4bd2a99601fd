// Compressed arrays of the report: base64 of raw deflate, little-endian, stored as differences.

import type { MeshData, MotionData, Report } from "./report";

/** A mesh as drawn: positions relative to the mesh's own origin, so that single precision is enough far from zero. */
export interface Triangles {
  positions: Float32Array;
  indices: Uint32Array;
}

/** Poses of one moving part: seven numbers per time. */
export interface Track {
  part: number;
  poses: Float32Array;
}

/** The bytes of base64 text. */
function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

/** Inflates to exactly `size` bytes; more or fewer is an error, and no more than `size` is ever held. */
async function inflate(text: string, size: number): Promise<DataView> {
  const stream = new DecompressionStream("deflate-raw");
  const reader = stream.readable.getReader();
  const writer = stream.writable.getWriter();
  // Bad data is told by the reader; the writer's refusal says the same again.
  writer.write(fromBase64(text)).catch(() => undefined);
  writer.close().catch(() => undefined);
  const out = new Uint8Array(size);
  let at = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    if (at + value.length > size) {
      await reader.cancel();
      throw new Error(`holds more than the ${size} bytes stated`);
    }
    out.set(value, at);
    at += value.length;
  }
  if (at !== size) throw new Error(`holds ${at} bytes where ${size} are stated`);
  return new DataView(out.buffer);
}

/** Positions relative to the mesh's origin, from differences of u16 per component. */
function positionsOf(mesh: MeshData, view: DataView): Float32Array {
  const out = new Float32Array(mesh.vertices * 3);
  const q = [0, 0, 0];
  for (let i = 0; i < out.length; i++) {
    const c = i % 3;
    q[c] = (q[c] + view.getUint16(i * 2, true)) & 0xffff;
    out[i] = q[c] * mesh.scale[c];
  }
  return out;
}

function indicesOf(mesh: MeshData, view: DataView): Uint32Array {
  const out = new Uint32Array(mesh.triangles * 3);
  let last = 0;
  for (let i = 0; i < out.length; i++) {
    last = (last + view.getUint32(i * 4, true)) >>> 0;
    if (last >= mesh.vertices) throw new Error(`corner ${i} refers to vertex ${last} of ${mesh.vertices}`);
    out[i] = last;
  }
  return out;
}

async function decodeMesh(mesh: MeshData): Promise<Triangles> {
  if (mesh.vertices < 0 || mesh.triangles < 0) throw new Error("states no count of vertices or triangles");
  // Deflate shrinks by 1032 at most: a larger count cannot be true, and is refused before memory is taken for it.
  if (mesh.vertices * 6 > mesh.positions.length * 1032 || mesh.triangles * 12 > mesh.indices.length * 1032) {
    throw new Error("states more elements than its data can hold");
  }
  const [positions, indices] = await Promise.all([
    inflate(mesh.positions, mesh.vertices * 6),
    inflate(mesh.indices, mesh.triangles * 12),
  ]);
  return { positions: positionsOf(mesh, positions), indices: indicesOf(mesh, indices) };
}

const EMPTY: Triangles = { positions: new Float32Array(), indices: new Uint32Array() };
const AT_ONCE = 16;

/** All meshes; one that cannot be read is empty and told in `report.problems`. */
export async function decodeMeshes(report: Report, progress: (part: number) => void): Promise<Triangles[]> {
  const out: Triangles[] = [];
  for (let i = 0; i < report.meshes.length; i += AT_ONCE) {
    const some = report.meshes.slice(i, i + AT_ONCE).map((mesh, j) =>
      decodeMesh(mesh).catch((error: unknown) => {
        report.problems.push(`Mesh ${i + j} cannot be drawn: ${error instanceof Error ? error.message : String(error)}.`);
        return EMPTY;
      }),
    );
    out.push(...(await Promise.all(some)));
    progress(out.length / report.meshes.length);
  }
  return out;
}

async function decodeTrack(part: number, poses: string, size: number): Promise<Track> {
  if (size > poses.length * 1032) throw new Error("it states more times than its data can hold");
  const view = await inflate(poses, size);
  const out = new Float32Array(size / 4);
  for (let i = 0; i < out.length; i++) out[i] = view.getFloat32(i * 4, true);
  if (!out.every(Number.isFinite)) throw new Error("a pose is not finite");
  return { part, poses: out };
}

/** All tracks of a motion; one that cannot be read is left out and told in `problems`. */
export async function decodeTracks(motion: MotionData, problems: string[]): Promise<Track[]> {
  const size = motion.times.length * 28;
  const out: Track[] = [];
  for (let i = 0; i < motion.moving.length; i += AT_ONCE) {
    const some = motion.moving.slice(i, i + AT_ONCE).map(({ part, poses }) =>
      decodeTrack(part, poses, size).catch((error: unknown) => {
        problems.push(`The motion of part ${part} cannot be read: ${error instanceof Error ? error.message : String(error)}.`);
        return null;
      }),
    );
    for (const track of await Promise.all(some)) if (track) out.push(track);
  }
  return out;
}
