// World coordinates to the view's own: centred on the scene and scaled to a fixed size, computed in double precision.
// A scene of micrometres or of kilometres, or one far from the origin, is drawn with the same precision.

import { Matrix4, Quaternion, Vector3 } from "three";
import type { Pose, Vec3 } from "../data/report";

/** Radius of the scene in the view. */
export const VIEW_RADIUS = 10;

export class Frame {
  constructor(
    readonly centre: Vec3,
    /** View lengths per world length. */
    readonly scale: number,
  ) {}

  toView(p: ArrayLike<number>, out = new Vector3()): Vector3 {
    return out.set(
      (p[0] - this.centre[0]) * this.scale,
      (p[1] - this.centre[1]) * this.scale,
      (p[2] - this.centre[2]) * this.scale,
    );
  }

  toWorld(p: Vector3): Vec3 {
    return [p.x / this.scale + this.centre[0], p.y / this.scale + this.centre[1], p.z / this.scale + this.centre[2]];
  }

  /** The matrix that draws mesh coordinates relative to `origin` at `pose`. */
  matrix(pose: Pose, origin: Vec3, out: Matrix4): Matrix4 {
    ROTATION.set(...pose.rotation);
    SHIFT.set(...origin).applyQuaternion(ROTATION);
    const t = pose.translation;
    PLACE.set(
      (t[0] - this.centre[0] + SHIFT.x) * this.scale,
      (t[1] - this.centre[1] + SHIFT.y) * this.scale,
      (t[2] - this.centre[2] + SHIFT.z) * this.scale,
    );
    return out.compose(PLACE, ROTATION, SCALE.setScalar(this.scale));
  }
}

const ROTATION = new Quaternion();
const SHIFT = new Vector3();
const PLACE = new Vector3();
const SCALE = new Vector3();
