// What is drawn over the parts for the selected finding: witness points, normal, depth, intersection curve and overlap box.
// All of it is drawn on top: a clash is mostly inside something.

import { Box3, BufferAttribute, BufferGeometry, Color, ConeGeometry, Group, Mesh, MeshBasicMaterial, Points, Quaternion, ShaderMaterial, Sphere, Vector3 } from "three";
import { LineMaterial } from "three/addons/lines/LineMaterial.js";
import { LineSegments2 } from "three/addons/lines/LineSegments2.js";
import { LineSegmentsGeometry } from "three/addons/lines/LineSegmentsGeometry.js";
import type { Finding } from "../data/report";
import type { Frame } from "./frame";

/** A label of the page placed at a point of the scene. */
export interface Anchor {
  role: "a" | "b" | "value";
  at: Vector3;
}

const DISC_VERTEX = /* glsl */ `
attribute vec3 tint;
varying vec3 vTint;
uniform float size;
void main() {
  vTint = tint;
  gl_Position = projectionMatrix * modelViewMatrix * vec4( position, 1.0 );
  gl_PointSize = size;
}`;
const DISC_FRAGMENT = /* glsl */ `
varying vec3 vTint;
uniform vec3 rim;
void main() {
  float r = length( gl_PointCoord - 0.5 ) * 2.0;
  if ( r > 1.0 ) discard;
  float edge = smoothstep( 0.62, 0.72, r );
  gl_FragColor = vec4( mix( vTint, rim, edge ), 1.0 - smoothstep( 0.9, 1.0, r ) );
  #include <colorspace_fragment>
}`;

export interface MarkerColours {
  a: string;
  b: string;
  /** Curve and depth. */
  clash: string;
  /** Under lines, for contrast with any part. */
  halo: string;
  box: string;
  normal: string;
}

export class Markers {
  readonly object = new Group();
  anchors: Anchor[] = [];
  private arrow: Mesh | null = null;
  private arrowAt = new Vector3();

  constructor(private readonly frame: Frame) {
    this.object.renderOrder = 10;
  }

  clear(): void {
    this.object.traverse((o) => {
      const mesh = o as Mesh;
      mesh.geometry?.dispose();
      (mesh.material as MeshBasicMaterial | undefined)?.dispose();
    });
    this.object.clear();
    this.anchors = [];
    this.arrow = null;
  }

  show(f: Finding, colours: MarkerColours, pixelRatio: number): void {
    this.clear();
    if (f.box) this.box(f.box, colours);
    for (const line of f.curve) this.lines(chain(line, this.frame), colours.clash, 3, colours.halo);
    if (f.points) {
      const [a, b] = f.points.map((p) => this.frame.toView(p));
      if (a.distanceTo(b) > 0) this.lines([...a.toArray(), ...b.toArray()], colours.clash, 2, colours.halo);
      this.discs([a, b], [colours.a, colours.b], colours.halo, pixelRatio);
      if (f.normal) this.normal(b, new Vector3(...f.normal), colours);
      this.anchors = [{ role: "a", at: a }, { role: "b", at: b }, { role: "value", at: a.clone().add(b).multiplyScalar(0.5) }];
    } else if (f.box) {
      this.anchors = [{ role: "value", at: this.frame.toView(f.box.max) }];
    }
  }

  /** Keeps the arrow of the normal at one size on the screen. */
  resize(unitsPerPixel: (at: Vector3) => number): void {
    this.arrow?.scale.setScalar(unitsPerPixel(this.arrowAt));
  }

  private lines(segments: number[], colour: string, width: number, halo: string | null): void {
    const geometry = new LineSegmentsGeometry();
    geometry.setPositions(segments);
    const add = (tint: string, linewidth: number, order: number, opacity: number): void => {
      const material = new LineMaterial({ color: new Color(tint).getHex(), linewidth, depthTest: false, depthWrite: false, transparent: true, opacity });
      const lines = new LineSegments2(geometry, material);
      lines.renderOrder = order;
      lines.frustumCulled = false;
      this.object.add(lines);
    };
    if (halo) add(halo, width + 2.5, 11, 0.75);
    add(colour, width, 12, 1);
  }

  private box({ min, max }: NonNullable<Finding["box"]>, colours: MarkerColours): void {
    const c = [min, max];
    const corner = (i: number): number[] => this.frame.toView([c[i & 1][0], c[(i >> 1) & 1][1], c[(i >> 2) & 1][2]]).toArray();
    const segments: number[] = [];
    for (let i = 0; i < 8; i++) {
      for (const bit of [1, 2, 4]) if (!(i & bit)) segments.push(...corner(i), ...corner(i | bit));
    }
    this.lines(segments, colours.box, 1.25, null);
  }

  private discs(at: Vector3[], tints: string[], halo: string, pixelRatio: number): void {
    const geometry = new BufferGeometry().setFromPoints(at);
    geometry.setAttribute("tint", new BufferAttribute(new Float32Array(tints.flatMap((t) => new Color(t).toArray())), 3));
    const material = new ShaderMaterial({
      vertexShader: DISC_VERTEX, fragmentShader: DISC_FRAGMENT, transparent: true, depthTest: false, depthWrite: false,
      uniforms: { size: { value: 13 * pixelRatio }, rim: { value: new Color(halo) } },
    });
    const points = new Points(geometry, material);
    points.renderOrder = 14;
    points.frustumCulled = false;
    this.object.add(points);
  }

  /** An arrow from the point on b along the normal, in pixels. */
  private normal(at: Vector3, direction: Vector3, colours: MarkerColours): void {
    if (!(direction.length() > 0)) return;
    const arrow = new Group();
    const tint = new MeshBasicMaterial({ color: colours.normal, depthTest: false, depthWrite: false, transparent: true });
    const head = new Mesh(new ConeGeometry(5.5, 15, 20).translate(0, 54, 0), tint);
    const geometry = new LineSegmentsGeometry();
    geometry.setPositions([0, 0, 0, 0, 47, 0]);
    const shaft = new LineSegments2(geometry, new LineMaterial({ color: new Color(colours.normal).getHex(), linewidth: 2.5, depthTest: false, depthWrite: false, transparent: true }));
    head.renderOrder = shaft.renderOrder = 13;
    head.frustumCulled = shaft.frustumCulled = false;
    arrow.add(head, shaft);
    arrow.position.copy(at);
    arrow.quaternion.copy(new Quaternion().setFromUnitVectors(new Vector3(0, 1, 0), direction.normalize()));
    this.arrow = arrow as unknown as Mesh;
    this.arrowAt = at.clone();
    this.object.add(arrow);
  }
}

/** A polyline as separate segments in the view. */
function chain(line: number[], frame: Frame): number[] {
  const out: number[] = [];
  for (let i = 3; i < line.length; i += 3) {
    out.push(...frame.toView(line.slice(i - 3, i)).toArray(), ...frame.toView(line.slice(i, i + 3)).toArray());
  }
  return out;
}

/** The sphere in the view that holds all a finding says about its place; null where it says nothing. */
export function placeOf(f: Finding, frame: Frame): Sphere | null {
  const box = new Box3();
  const add = (p: ArrayLike<number>): unknown => box.expandByPoint(frame.toView(p));
  f.points?.forEach(add);
  if (f.box) [f.box.min, f.box.max].forEach(add);
  for (const line of f.curve) for (let i = 0; i < line.length; i += 3) add(line.slice(i, i + 3));
  return box.isEmpty() ? null : box.getBoundingSphere(new Sphere());
}
