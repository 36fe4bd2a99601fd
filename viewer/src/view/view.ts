// The 3D view: renders on demand and picks. It reads the store and never writes to it.

import { AmbientLight, Color, DirectionalLight, HemisphereLight, type PerspectiveCamera, type Plane, Raycaster, Scene, Sphere, Vector2, Vector3, WebGLRenderer } from "three";
import type { Store } from "../store";
import type { SceneBounds } from "./bounds";
import { Rig, type Side } from "./camera";
import { VIEW_RADIUS } from "./frame";
import { applyLook, ownColour, PAIR_COLOURS } from "./look";
import { type Anchor, Markers, placeOf } from "./markers";
import type { Detail, Parts } from "./parts";
import { SectionOutline, sectionPlane } from "./section";

/** A frame later than this is slow: where a few in a row are, the view is drawn coarser while it moves. */
const SLOW_MS = 45;
/** Fewer frames this late are enough to know. */
const VERY_SLOW_MS = 250;
/** After this long without a movement, the view is drawn in full. */
const REST_MS = 180;
/** Beyond this many triangles, drawing by the processor is known to be slow. */
const MOST_IN_SOFTWARE = 100_000;

/** Whether the browser says that the processor draws. */
function drawnInSoftware(): boolean {
  const gl = document.createElement("canvas").getContext("webgl2");
  const info = gl?.getExtension("WEBGL_debug_renderer_info");
  const name = info ? String(gl?.getParameter(info.UNMASKED_RENDERER_WEBGL)) : "";
  gl?.getExtension("WEBGL_lose_context")?.loseContext();
  return /swiftshader|llvmpipe|software|basic render/i.test(name);
}

export class View {
  readonly renderer: WebGLRenderer;
  readonly rig: Rig;
  readonly camera: PerspectiveCamera;
  readonly markers: Markers;
  dark = false;
  frames = 0;
  onFrame: (() => void)[] = [];
  onPick: (part: number) => void = () => undefined;
  private readonly scene = new Scene();
  private readonly headlight = new DirectionalLight(0xffffff, 1.7);
  private readonly own: Color[];
  private readonly outline = new SectionOutline();
  private plane: Plane | null = null;
  private queued = 0;
  private askedAt = 0;
  private moving = false;
  /** Frames in a row that came late, and very late. */
  private slow = 0;
  private verySlow = 0;
  /** Drawn at half the resolution and with coarse meshes, while moving. */
  private coarse = false;
  /** Whether the scene has shown to be slow on this machine: moving then starts coarse. */
  private slowScene = false;
  private restTimer = 0;
  private sized = false;
  /** Whether the clash alone is framed. */
  private near = false;

  constructor(
    private readonly host: HTMLElement,
    private readonly store: Store,
    readonly parts: Parts,
    readonly bounds: SceneBounds,
  ) {
    this.slowScene = parts.triangles > MOST_IN_SOFTWARE && drawnInSoftware();
    this.renderer = new WebGLRenderer({ antialias: !this.slowScene, alpha: true, powerPreference: "high-performance" });
    this.renderer.autoClear = false;
    this.renderer.localClippingEnabled = true;
    host.append(this.renderer.domElement);
    this.own = store.report.parts.map(ownColour);
    this.markers = new Markers(bounds.frame);
    this.lights();
    this.scene.add(parts.object, this.markers.object, this.outline.object);
    this.rig = new Rig(this.renderer.domElement, store.report.up, () => this.invalidate(true));
    this.camera = this.rig.camera;
    this.clicks();
    new ResizeObserver(() => this.resize()).observe(host);
    this.resize();
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
        ? { a, b, clash: "#ff5a4f", halo: "#0b0e12", box: "#c6cfda", normal: "#ffffff" }
        : { a, b, clash: "#d3202c", halo: "#ffffff", box: "#3c4754", normal: "#10161d" };
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
    this.rig.resize(w, h);
    if (!this.sized) this.lookFrom("iso", false);
    this.sized = true;
    this.render();
  }

  private applyRatio(): void {
    const ratio = Math.min(window.devicePixelRatio || 1, 2) * (this.coarse ? 0.5 : 1);
    if (ratio !== this.renderer.getPixelRatio()) this.renderer.setPixelRatio(ratio);
    this.parts.materials.setPixelRatio(ratio);
  }

  /** Asks for a frame; `moving` where more will follow. */
  invalidate(moving = false): void {
    if (!this.queued) {
      this.askedAt = performance.now();
      this.queued = requestAnimationFrame((now) => this.tick(now));
    }
    if (!moving) return;
    this.moving = true;
    if (this.slowScene) this.goCoarse();
    window.clearTimeout(this.restTimer);
    this.restTimer = window.setTimeout(() => this.rest(), REST_MS);
  }

  /** The hand rests: the next frame is drawn in full. */
  rest(): void {
    this.moving = false;
    this.slow = this.verySlow = 0;
    if (!this.coarse) return;
    this.coarse = false;
    this.applyRatio();
    this.invalidate();
  }

  private goCoarse(): void {
    if (this.coarse) return;
    this.coarse = true;
    this.applyRatio();
  }

  private tick(now: number): void {
    this.queued = 0;
    if (this.moving) this.judge(now - this.askedAt);
    this.rig.step(now);
    this.render();
  }

  /** Finds out whether this machine is slow with this scene: frames in a row come late, again and again. */
  private judge(waited: number): void {
    this.slow = waited > SLOW_MS ? this.slow + 1 : 0;
    this.verySlow = waited > VERY_SLOW_MS ? this.verySlow + 1 : 0;
    if (this.slow < 5 && this.verySlow < 2) return;
    this.slowScene = true;
    this.goCoarse();
  }

  /** Draws now: solid parts, then translucent ones with the markers over them. */
  render(): void {
    const { camera, renderer, scene } = this;
    this.aim();
    const detail: Detail = this.coarse ? "moving" : this.slowScene ? "slow" : "full";
    renderer.clear();
    this.parts.pass(false, camera, this.host.clientHeight, detail);
    this.parts.object.visible = true;
    this.markers.object.visible = this.outline.object.visible = false;
    renderer.render(scene, camera);
    this.markers.object.visible = this.outline.object.visible = true;
    this.parts.object.visible = this.parts.pass(true, camera, this.host.clientHeight, detail);
    renderer.render(scene, camera);
    this.parts.object.visible = true;
    this.frames++;
    for (const listener of this.onFrame) listener();
  }

  /** Depth range, light and marker sizes for the camera as it stands. */
  private aim(): void {
    const { camera } = this;
    this.rig.range();
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

  /** Corners of the boxes of all visible parts. */
  private cornersOfAll(): Vector3[] {
    const out: Vector3[] = [];
    this.store.report.parts.forEach((_, i) => {
      if (this.store.visible[i]) this.parts.addCorners(i, out);
    });
    return out;
  }

  /** What the selection is about: the clash, with enough of its smaller part to know where it is, or little of it. */
  private sphereOfSelection(): Sphere | null {
    const { selection, finding, pair } = this.store;
    if (selection?.type === "part") return this.parts.sphereOf(selection.index);
    if (!pair) return null;
    const [a, b] = pair.map((p) => this.parts.sphereOf(p));
    const smaller = Math.min(a.radius || b.radius, b.radius || a.radius);
    const place = finding ? placeOf(finding, this.bounds.frame) : null;
    if (!place) return a.clone().union(b);
    const least = place.radius * 1.5;
    const radius = this.near ? Math.max(least, smaller * 0.18) : Math.min(Math.max(least, smaller * 1.05), Math.max(least * 5, smaller * 0.65));
    return new Sphere(place.center, radius);
  }

  /** Flies to the selection, or to all where nothing is selected. */
  frameSelection(near = false): void {
    this.near = near;
    const sphere = this.sphereOfSelection();
    if (!sphere) return this.frameAll();
    const { direction } = this.rig;
    const normal = this.store.finding?.normal;
    if (normal) {
      // Look across the normal rather than along it, so that the depth is seen.
      const n = new Vector3(...normal).normalize();
      direction.addScaledVector(n, -0.6 * direction.dot(n)).normalize();
    }
    this.rig.fitSphere(sphere, direction, true);
  }

  /** Flies to the selection again: nearer and back by turns. */
  frameAgain(): void {
    this.frameSelection(!this.near);
  }

  frameAll(direction = this.rig.direction, animate = true): void {
    const corners = this.cornersOfAll();
    if (corners.length > 0) this.rig.fitPoints(corners, direction, animate);
    else this.rig.fitSphere(new Sphere(new Vector3(), VIEW_RADIUS), direction, animate);
  }

  lookFrom(side: Side, animate = true): void {
    const direction = this.rig.directionOf(side);
    const sphere = this.sphereOfSelection();
    if (sphere) this.rig.fitSphere(sphere, direction, animate);
    else this.frameAll(direction, animate);
  }
}
