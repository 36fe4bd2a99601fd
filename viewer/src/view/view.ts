// The 3D view: renders on demand, flies, picks. It reads the store and never writes to it except for clicks.

import {
  AmbientLight, Box3, Color, DirectionalLight, HemisphereLight, PerspectiveCamera, Plane, Quaternion, Raycaster,
  Scene, Sphere, Vector2, Vector3, WebGLRenderer,
} from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import type { Store } from "../store";
import type { SceneBounds } from "./bounds";
import { VIEW_RADIUS } from "./frame";
import { applyLook, ownColour, PAIR_COLOURS } from "./look";
import { type Anchor, Markers, placeOf } from "./markers";
import type { Parts } from "./parts";
import { SectionOutline, sectionPlane } from "./section";

export type Side = "iso" | "top" | "bottom" | "front" | "back" | "left" | "right";
const FLIGHT_MS = 450;
/** A frame slower than this while moving is drawn coarser until the hand rests. */
const SLOW_MS = 45;
const REST_MS = 180;
/** Parts smaller than this on the screen (radius, pixels) are not drawn; more of them while moving slowly. */
const LEAST_PIXELS = 0.4;
const LEAST_PIXELS_MOVING = 3;

interface Flight {
  from: { target: Vector3; offset: Vector3 };
  to: { target: Vector3; offset: Vector3 };
  start: number;
}

export class View {
  readonly renderer: WebGLRenderer;
  readonly camera = new PerspectiveCamera(28, 1, 0.01, 1000);
  readonly controls: OrbitControls;
  readonly markers: Markers;
  dark = false;
  frames = 0;
  /** Milliseconds of the latest frames, from its start to its end on the graphics unit where measured. */
  lastFrameMs = 0;
  onFrame: (() => void)[] = [];
  onPick: (part: number) => void = () => undefined;
  private readonly scene = new Scene();
  private readonly headlight = new DirectionalLight(0xffffff, 1.7);
  private readonly own: Color[];
  private readonly outline = new SectionOutline();
  private plane: Plane | null = null;
  private queued = 0;
  private flight: Flight | null = null;
  private lastTick = 0;
  private slow = 0;
  private coarse = false;
  private restTimer = 0;

  constructor(
    private readonly host: HTMLElement,
    private readonly store: Store,
    readonly parts: Parts,
    readonly bounds: SceneBounds,
  ) {
    this.renderer = new WebGLRenderer({ antialias: true, alpha: true, powerPreference: "high-performance" });
    this.renderer.autoClear = false;
    this.renderer.localClippingEnabled = true;
    host.append(this.renderer.domElement);
    this.own = store.report.parts.map(ownColour);
    this.markers = new Markers(bounds.frame);
    this.lights();
    this.scene.add(parts.object, this.markers.object, this.outline.object);
    const up = store.report.up === "y" ? new Vector3(0, 1, 0) : new Vector3(0, 0, 1);
    this.camera.up.copy(up);
    this.controls = new OrbitControls(this.camera, this.renderer.domElement);
    this.controls.zoomToCursor = true;
    this.controls.rotateSpeed = 0.9;
    this.controls.addEventListener("change", () => this.invalidate(true));
    this.controls.addEventListener("start", () => (this.flight = null));
    this.clicks();
    new ResizeObserver(() => this.resize()).observe(host);
    this.resize();
    this.lookFrom("iso", false);
    this.listen();
  }

  private lights(): void {
    const y = this.store.report.up === "y";
    const sky = new HemisphereLight(0xffffff, 0x8a8f98, 1.35);
    sky.position.set(0, y ? 1 : 0, y ? 0 : 1);
    this.scene.add(sky, new AmbientLight(0xffffff, 0.25), this.headlight, this.headlight.target);
  }

  private listen(): void {
    this.store.on(["time"], () => this.place());
    this.store.on(["look", "theme"], () => this.restyle());
    this.store.on(["selection", "time", "theme"], () => this.mark());
    this.store.on(["section"], () => this.cut());
    this.place();
    this.restyle();
  }

  /** Moves the parts to the store's time. */
  private place(): void {
    this.store.motion?.at(this.store.time, (part, pose) => this.parts.setPose(part, pose));
    this.invalidate(this.store.playing);
  }

  restyle(): void {
    applyLook(this.store, this.parts, this.own, this.dark);
    this.parts.setEdgeColour(this.dark ? "#05070a" : "#20262e", this.dark ? 0.7 : 0.5);
    this.invalidate();
  }

  private mark(): void {
    const f = this.store.finding;
    if (f && this.store.atWorst) {
      const [a, b] = PAIR_COLOURS[this.dark ? "dark" : "light"];
      const colours = this.dark
        ? { a, b, clash: "#ff5a4f", halo: "#0b0e12", box: "#c6cfda" }
        : { a, b, clash: "#d3202c", halo: "#ffffff", box: "#3c4754" };
      this.markers.show(f, colours, this.renderer.getPixelRatio());
    } else this.markers.clear();
    this.invalidate();
  }

  private cut(): void {
    const { section } = this.store;
    this.plane = section ? sectionPlane(section, this.bounds.frame) : null;
    this.parts.cut(this.plane);
    this.outline.show(section, this.bounds, this.dark);
    this.invalidate();
  }

  get sectionPlane(): Plane | null {
    return this.plane;
  }

  private clicks(): void {
    const canvas = this.renderer.domElement;
    let down: [number, number] | null = null;
    canvas.addEventListener("pointerdown", (e) => (down = e.button === 0 ? [e.clientX, e.clientY] : null));
    canvas.addEventListener("pointerup", (e) => {
      if (down && Math.hypot(e.clientX - down[0], e.clientY - down[1]) < 4) this.onPick(this.pick(e.clientX, e.clientY));
      down = null;
    });
  }

  /** The part at a point of the window, or −1. */
  pick(x: number, y: number): number {
    const r = this.renderer.domElement.getBoundingClientRect();
    const ray = new Raycaster();
    ray.setFromCamera(new Vector2(((x - r.left) / r.width) * 2 - 1, 1 - ((y - r.top) / r.height) * 2), this.camera);
    return this.parts.pick(ray, this.plane);
  }

  private resize(): void {
    const { clientWidth: w, clientHeight: h } = this.host;
    if (w === 0 || h === 0) return;
    this.applyRatio();
    this.renderer.setSize(w, h, false);
    this.camera.aspect = w / h;
    this.camera.updateProjectionMatrix();
    this.render();
  }

  private applyRatio(): void {
    const ratio = Math.min(window.devicePixelRatio || 1, 2) * (this.coarse ? 0.5 : 1);
    if (ratio !== this.renderer.getPixelRatio()) this.renderer.setPixelRatio(ratio);
    this.parts.materials.setPixelRatio(ratio);
  }

  /** Asks for a frame; `moving` where more will follow. */
  invalidate(moving = false): void {
    if (!this.queued) this.queued = requestAnimationFrame((now) => this.tick(now));
    if (moving) {
      window.clearTimeout(this.restTimer);
      this.restTimer = window.setTimeout(() => this.rest(), REST_MS);
    }
  }

  /** The hand rests: draw in full. */
  private rest(): void {
    this.slow = 0;
    this.lastTick = 0;
    if (this.coarse) {
      this.coarse = false;
      this.applyRatio();
      this.render();
    }
  }

  private tick(now: number): void {
    this.queued = 0;
    if (this.lastTick > 0) {
      this.slow = now - this.lastTick > SLOW_MS ? this.slow + 1 : 0;
      if (this.slow >= 3 && !this.coarse) {
        this.coarse = true;
        this.applyRatio();
      }
    }
    this.lastTick = now;
    if (this.flight) this.fly(now);
    this.render();
  }

  /** Draws now: solid parts, then translucent ones with the markers over them. */
  render(): void {
    const began = performance.now();
    const { camera, renderer, scene } = this;
    this.aim();
    const least = this.coarse ? LEAST_PIXELS_MOVING : LEAST_PIXELS;
    renderer.clear();
    this.parts.pass(false, camera, this.host.clientHeight, least);
    this.parts.object.visible = true;
    this.markers.object.visible = this.outline.object.visible = false;
    renderer.render(scene, camera);
    this.markers.object.visible = this.outline.object.visible = true;
    this.parts.object.visible = this.parts.pass(true, camera, this.host.clientHeight, least);
    renderer.render(scene, camera);
    this.parts.object.visible = true;
    this.frames++;
    this.lastFrameMs = performance.now() - began;
    for (const listener of this.onFrame) listener();
  }

  /** Depth range, light and marker sizes for the camera as it stands. */
  private aim(): void {
    const { camera } = this;
    const away = camera.position.length();
    const near = camera.position.distanceTo(this.controls.target);
    camera.near = Math.max(away - VIEW_RADIUS * 1.1, near * 0.02, 1e-5);
    camera.far = Math.max(away + VIEW_RADIUS * 1.1, near * 2);
    camera.updateProjectionMatrix();
    camera.updateMatrixWorld();
    const shift = new Vector3(-0.35, 0.5, 1).applyQuaternion(camera.quaternion);
    this.headlight.position.copy(camera.position).addScaledVector(shift, VIEW_RADIUS);
    this.headlight.target.position.copy(camera.position).addScaledVector(shift, -VIEW_RADIUS);
    this.headlight.target.updateMatrixWorld();
    this.markers.resize((at) => this.unitsPerPixel(at));
  }

  unitsPerPixel(at: Vector3): number {
    return (2 * at.distanceTo(this.camera.position) * Math.tan((this.camera.fov * Math.PI) / 360)) / Math.max(1, this.host.clientHeight);
  }

  /** Window coordinates (relative to the view) of a point; null behind the camera. */
  project(at: Vector3): [number, number] | null {
    const p = at.clone().project(this.camera);
    if (p.z > 1 || p.z < -1) return null;
    return [((p.x + 1) / 2) * this.host.clientWidth, ((1 - p.y) / 2) * this.host.clientHeight];
  }

  get anchors(): Anchor[] {
    return this.markers.anchors;
  }

  /** The sphere of the visible parts. */
  private sphereOfAll(): Sphere {
    const box = new Box3();
    this.store.report.parts.forEach((_, i) => {
      const s = this.parts.sphereOf(i);
      if (s.radius > 0 && this.store.visible[i]) box.union(s.getBoundingBox(new Box3()));
    });
    const all = box.isEmpty() ? new Sphere(new Vector3(), VIEW_RADIUS) : box.getBoundingSphere(new Sphere());
    all.radius = Math.min(all.radius, VIEW_RADIUS);
    return all;
  }

  /** What the selection is about: the clash, not smaller than a fraction of its parts. */
  private sphereOfSelection(): Sphere | null {
    const { selection, finding, pair } = this.store;
    if (selection?.type === "part") return this.parts.sphereOf(selection.index);
    if (!pair) return null;
    const [a, b] = pair.map((p) => this.parts.sphereOf(p));
    const smaller = Math.min(a.radius || b.radius, b.radius || a.radius);
    const place = finding ? placeOf(finding, this.bounds.frame) : null;
    if (place) return new Sphere(place.center, Math.max(place.radius * 1.5, smaller * 0.45));
    return a.clone().union(b);
  }

  /** Flies to the selection, or to all where nothing is selected. */
  frameSelection(animate = true): void {
    const sphere = this.sphereOfSelection() ?? this.sphereOfAll();
    const direction = this.camera.position.clone().sub(this.controls.target).normalize();
    const normal = this.store.finding?.normal;
    if (normal) {
      // Look across the normal rather than along it, so that the depth is seen.
      const n = new Vector3(...normal).normalize();
      direction.addScaledVector(n, -0.75 * direction.dot(n)).normalize();
    }
    this.flyTo(sphere, direction, animate);
  }

  frameAll(animate = true): void {
    this.flyTo(this.sphereOfAll(), this.camera.position.clone().sub(this.controls.target).normalize(), animate);
  }

  lookFrom(side: Side, animate = true): void {
    const y = this.store.report.up === "y";
    const sides: Record<Side, [number, number, number]> = {
      iso: [0.75, -1, 0.62], top: [0, -1e-3, 1], bottom: [0, -1e-3, -1], front: [0, -1, 0], back: [0, 1, 0], left: [-1, 0, 0], right: [1, 0, 0],
    };
    const [r, back, u] = sides[side];
    const direction = y ? new Vector3(r, u, -back) : new Vector3(r, back, u);
    const sphere = animate ? (this.sphereOfSelection() ?? this.sphereOfAll()) : this.sphereOfAll();
    this.flyTo(sphere, direction.normalize(), animate);
  }

  /** Turns the camera about its target by angles to the right and upward. */
  orbit(right: number, up: number): void {
    const offset = this.camera.position.clone().sub(this.controls.target);
    const axis = this.camera.up;
    const side = new Vector3().crossVectors(axis, offset).normalize();
    offset.applyQuaternion(new Quaternion().setFromAxisAngle(axis, right));
    const tilted = offset.clone().applyQuaternion(new Quaternion().setFromAxisAngle(side, up));
    if (Math.abs(tilted.clone().normalize().dot(axis)) < 0.999) offset.copy(tilted);
    this.camera.position.copy(this.controls.target).add(offset);
    this.controls.update();
  }

  zoom(factor: number): void {
    const offset = this.camera.position.clone().sub(this.controls.target).multiplyScalar(factor);
    this.camera.position.copy(this.controls.target).add(offset);
    this.controls.update();
  }

  private flyTo(sphere: Sphere, direction: Vector3, animate: boolean): void {
    const half = ((this.camera.fov / 2) * Math.PI) / 180;
    const narrow = Math.atan(Math.tan(half) * Math.min(1, this.camera.aspect));
    const offset = direction.multiplyScalar((Math.max(sphere.radius, VIEW_RADIUS * 1e-6) * 1.02) / Math.sin(narrow));
    const to = { target: sphere.center.clone(), offset };
    const still = !animate || window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    const from = { target: this.controls.target.clone(), offset: this.camera.position.clone().sub(this.controls.target) };
    this.flight = { from, to, start: still ? -Infinity : performance.now() };
    if (still) {
      this.fly(performance.now());
    }
    this.invalidate(true);
  }

  get flying(): boolean {
    return this.flight !== null;
  }

  private fly(now: number): void {
    const { flight } = this;
    if (!flight) return;
    const s = Math.min(1, Math.max(0, (now - flight.start) / FLIGHT_MS));
    const t = s < 0.5 ? 4 * s ** 3 : 1 - (2 - 2 * s) ** 3 / 2;
    const { from, to } = flight;
    const length = Math.exp(Math.log(from.offset.length() || 1) * (1 - t) + Math.log(to.offset.length()) * t);
    const direction = from.offset.clone().normalize().lerp(to.offset.clone().normalize(), t);
    if (direction.lengthSq() === 0) direction.copy(to.offset);
    if (s >= 1) this.flight = null;
    this.controls.target.lerpVectors(from.target, to.target, t);
    this.camera.position.copy(this.controls.target).addScaledVector(direction.normalize(), length);
    this.controls.update();
    this.invalidate(true);
  }
}
