// The section plane: what is on one side of it is not drawn.

import { BufferAttribute, BufferGeometry, LineBasicMaterial, LineLoop, Plane, Vector3 } from "three";
import type { Vec3 } from "../data/report";
import type { Axis, Section } from "../store";
import type { SceneBounds } from "./bounds";
import type { Frame } from "./frame";

export const AXES: readonly Axis[] = ["x", "y", "z"];

/** The plane in the view whose positive side is kept. */
export function sectionPlane(section: Section, frame: Frame): Plane {
  const axis = AXES.indexOf(section.axis);
  const normal = new Vector3().setComponent(axis, section.flipped ? 1 : -1);
  const at = (section.offset - frame.centre[axis]) * frame.scale;
  return new Plane(normal, section.flipped ? -at : at);
}

/** The rectangle in which the plane cuts the scene's box. */
export class SectionOutline {
  readonly object = new LineLoop(new BufferGeometry(), new LineBasicMaterial({ transparent: true, opacity: 0.8 }));

  constructor() {
    this.object.visible = false;
    this.object.frustumCulled = false;
  }

  show(section: Section | null, bounds: SceneBounds, dark: boolean): void {
    const corners: number[] = [];
    if (section) {
      const axis = AXES.indexOf(section.axis);
      const [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
      for (const [i, j] of [[0, 0], [1, 0], [1, 1], [0, 1]]) {
        const p: Vec3 = [0, 0, 0];
        p[axis] = section.offset;
        p[u] = (i ? bounds.max : bounds.min)[u];
        p[v] = (j ? bounds.max : bounds.min)[v];
        corners.push(...bounds.frame.toView(p).toArray());
      }
    }
    this.object.geometry.dispose();
    this.object.geometry = new BufferGeometry();
    this.object.geometry.setAttribute("position", new BufferAttribute(new Float32Array(corners), 3));
    this.object.material.color.set(dark ? "#5b9bf5" : "#2f6fd0");
  }
}
