// The camera: turning by hand and by keys, flights, and views that fit what they are to show.

import { PerspectiveCamera, Quaternion, type Sphere, Vector3 } from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { VIEW_RADIUS } from "./frame";

export type Side = "iso" | "top" | "front" | "right";

const FLIGHT_MS = 450;
/** Room left around what is fitted. */
const MARGIN = 1.07;
/** The directions to the camera, for z up: to the right, backward, upward. */
const SIDES: Record<Side, [number, number, number]> = { iso: [0.75, -1, 0.62], top: [0, -1e-3, 1], front: [0, -1, 0], right: [1, 0, 0] };

interface Stand {
  target: Vector3;
  /** From the target to the camera. */
  offset: Vector3;
}

export class Rig {
  readonly camera = new PerspectiveCamera(28, 1, 0.01, 1000);
  readonly controls: OrbitControls;
  private flight: { from: Stand; to: Stand; start: number } | null = null;
  private width = 1;
  private height = 1;
  /** Pixels at the right edge that are covered; what is shown is centred in the rest. */
  private inset = 0;

  constructor(
    canvas: HTMLCanvasElement,
    private readonly up: "y" | "z",
    private readonly changed: () => void,
  ) {
    this.camera.up.set(0, up === "y" ? 1 : 0, up === "z" ? 1 : 0);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.zoomToCursor = true;
    this.controls.rotateSpeed = 0.9;
    this.controls.addEventListener("change", changed);
    this.controls.addEventListener("start", () => (this.flight = null));
  }

  get flying(): boolean {
    return this.flight !== null;
  }

  resize(width: number, height: number): void {
    [this.width, this.height] = [width, height];
    this.project();
  }

  setInset(inset: number): void {
    this.inset = inset;
    this.project();
    this.changed();
  }

  private get cover(): number {
    return this.width - this.inset >= 320 ? this.inset : 0;
  }

  private project(): void {
    this.camera.aspect = this.width / this.height;
    this.camera.setViewOffset(this.width, this.height, this.cover / 2, 0, this.width, this.height);
  }

  /** Depth range for the camera as it stands. */
  range(): void {
    const { camera } = this;
    const away = camera.position.length();
    const near = camera.position.distanceTo(this.controls.target);
    camera.near = Math.max(away - VIEW_RADIUS * 1.1, near * 0.02, 1e-5);
    camera.far = Math.max(away + VIEW_RADIUS * 1.1, near * 2);
    camera.updateProjectionMatrix();
    camera.updateMatrixWorld();
  }

  /** Half the height and half the width that are seen at distance 1, where nothing covers them. */
  private get slopes(): [number, number] {
    const v = Math.tan((this.camera.fov * Math.PI) / 360);
    return [(v * (this.width - this.cover)) / this.height, v];
  }

  /** The direction from the target to the camera. */
  get direction(): Vector3 {
    return this.camera.position.clone().sub(this.controls.target).normalize();
  }

  directionOf(side: Side): Vector3 {
    const [right, back, up] = SIDES[side];
    return (this.up === "y" ? new Vector3(right, up, -back) : new Vector3(right, back, up)).normalize();
  }

  fitSphere(sphere: Sphere, direction: Vector3, animate: boolean): void {
    const narrow = Math.atan(Math.min(...this.slopes));
    const away = (Math.max(sphere.radius, VIEW_RADIUS * 1e-6) * MARGIN) / Math.sin(narrow);
    this.fly({ target: sphere.center.clone(), offset: direction.clone().multiplyScalar(away) }, animate);
  }

  /** The nearest stand in a direction from which all points are seen, centred. */
  fitPoints(points: Vector3[], direction: Vector3, animate: boolean): void {
    const right = new Vector3().crossVectors(this.camera.up, direction).normalize();
    const axes = [right, new Vector3().crossVectors(direction, right)];
    const target = new Vector3();
    let away = 0;
    this.slopes.forEach((slope, i) => {
      // A point at x along the axis and d toward the camera is within the border where away ≥ ±x / slope + d.
      let [most, least] = [-Infinity, -Infinity];
      for (const p of points) {
        const x = p.dot(axes[i]) / slope;
        const d = p.dot(direction);
        most = Math.max(most, d + x);
        least = Math.max(least, d - x);
      }
      away = Math.max(away, (most + least) / 2);
      target.addScaledVector(axes[i], ((most - least) / 2) * slope);
    });
    // The target is in the middle of the points' depth, so that turning keeps them in sight.
    const depths = points.reduce(([lo, hi], p) => [Math.min(lo, p.dot(direction)), Math.max(hi, p.dot(direction))], [Infinity, -Infinity]);
    const middle = (depths[0] + depths[1]) / 2;
    const offset = Math.max((away - middle) * MARGIN, VIEW_RADIUS * 1e-6);
    this.fly({ target: target.addScaledVector(direction, middle), offset: direction.clone().multiplyScalar(offset) }, animate);
  }

  /** Turns about the target by angles to the right and upward. */
  orbit(right: number, up: number): void {
    const offset = this.camera.position.clone().sub(this.controls.target);
    const axis = this.camera.up;
    const side = new Vector3().crossVectors(axis, offset).normalize();
    offset.applyQuaternion(new Quaternion().setFromAxisAngle(axis, right));
    const tilted = offset.clone().applyQuaternion(new Quaternion().setFromAxisAngle(side, up));
    if (Math.abs(tilted.clone().normalize().dot(axis)) < 0.999) offset.copy(tilted);
    this.stand({ target: this.controls.target, offset });
  }

  zoom(factor: number): void {
    this.stand({ target: this.controls.target, offset: this.camera.position.clone().sub(this.controls.target).multiplyScalar(factor) });
  }

  private stand({ target, offset }: Stand): void {
    this.controls.target.copy(target);
    this.camera.position.copy(target).add(offset);
    this.controls.update();
    this.changed();
  }

  private fly(to: Stand, animate: boolean): void {
    if (!animate || window.matchMedia("(prefers-reduced-motion: reduce)").matches) {
      this.flight = null;
      this.stand(to);
      return;
    }
    const { target } = this.controls;
    this.flight = { from: { target: target.clone(), offset: this.camera.position.clone().sub(target) }, to, start: performance.now() };
    this.changed();
  }

  /** Moves along the flight, if there is one. */
  step(now: number): void {
    const { flight } = this;
    if (!flight) return;
    const s = Math.min(1, Math.max(0, (now - flight.start) / FLIGHT_MS));
    const t = s < 0.5 ? 4 * s ** 3 : 1 - (2 - 2 * s) ** 3 / 2;
    const { from, to } = flight;
    const length = Math.exp(Math.log(from.offset.length() || 1) * (1 - t) + Math.log(to.offset.length()) * t);
    const direction = from.offset.clone().normalize().lerp(to.offset.clone().normalize(), t);
    if (direction.lengthSq() === 0) direction.copy(to.offset);
    if (s >= 1) this.flight = null;
    this.stand({ target: new Vector3().lerpVectors(from.target, to.target, t), offset: direction.setLength(length) });
  }
}
