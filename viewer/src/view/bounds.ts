// Bounds of meshes and of the scene, in world coordinates and double precision.

import { Quaternion, Vector3 } from "three";
import type { Triangles } from "../data/decode";
import type { Motion } from "../data/motion";
import type { Pose, Report, Vec3 } from "../data/report";
import { Frame, VIEW_RADIUS } from "./frame";

/** Box of a mesh, relative to the mesh's origin; null for an empty one. */
export type LocalBox = { min: Vec3; max: Vec3 } | null;

export function localBox({ positions, indices }: Triangles): LocalBox {
  if (indices.length === 0) return null;
  const min: Vec3 = [Infinity, Infinity, Infinity];
  const max: Vec3 = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < positions.length; i++) {
    const c = i % 3;
    if (positions[i] < min[c]) min[c] = positions[i];
    if (positions[i] > max[c]) max[c] = positions[i];
  }
  return { min, max };
}

/** A growing box in world coordinates. */
class WorldBox {
  min: Vec3 = [Infinity, Infinity, Infinity];
  max: Vec3 = [-Infinity, -Infinity, -Infinity];

  add(box: NonNullable<LocalBox>, origin: Vec3, pose: Pose): void {
    TURN.set(...pose.rotation);
    for (let corner = 0; corner < 8; corner++) {
      CORNER.set(
        origin[0] + (corner & 1 ? box.max : box.min)[0],
        origin[1] + (corner & 2 ? box.max : box.min)[1],
        origin[2] + (corner & 4 ? box.max : box.min)[2],
      ).applyQuaternion(TURN);
      [CORNER.x, CORNER.y, CORNER.z].forEach((x, c) => {
        this.min[c] = Math.min(this.min[c], x + pose.translation[c]);
        this.max[c] = Math.max(this.max[c], x + pose.translation[c]);
      });
    }
  }
}

const TURN = new Quaternion();
const CORNER = new Vector3();
/** Moments of a motion that are looked at for the scene's bounds. */
const MOMENTS = 24;

export interface SceneBounds {
  frame: Frame;
  min: Vec3;
  max: Vec3;
}

/** The box of the scene over its whole motion, and the frame that fits it. */
export function sceneBounds(report: Report, boxes: LocalBox[], motion: Motion | null): SceneBounds {
  const world = new WorldBox();
  const add = (part: number, pose: Pose): void => {
    const { mesh } = report.parts[part];
    const box = mesh >= 0 ? boxes[mesh] : null;
    if (box) world.add(box, report.meshes[mesh].origin, pose);
  };
  const moving = new Set(motion?.tracks.map((t) => t.part));
  report.parts.forEach((part, i) => {
    if (!moving.has(i)) add(i, part.pose);
  });
  if (motion) {
    for (let i = 0; i <= MOMENTS; i++) motion.at(motion.start + ((motion.end - motion.start) * i) / MOMENTS, add);
  }
  if (!(world.max[0] >= world.min[0])) world.min = world.max = [0, 0, 0];
  const centre = world.min.map((x, c) => (x + world.max[c]) / 2) as Vec3;
  const radius = Math.hypot(...world.max.map((x, c) => (x - world.min[c]) / 2));
  const scale = radius > 0 && Number.isFinite(radius) ? VIEW_RADIUS / radius : 1;
  return { frame: new Frame(centre, scale), min: world.min, max: world.max };
}
