// All parts in one batch: each mesh is stored once, each part is an instance of it, and the whole scene is a few draw calls.
// Drawn in two passes, solid and translucent; a part is in at most one of them.

import {
  BatchedMesh, BufferAttribute, BufferGeometry, Color, Group, LineBasicMaterial, LineSegments, Matrix4,
  type PerspectiveCamera, type Plane, type Raycaster, Sphere, Vector3, Vector4,
} from "three";
import type { Triangles } from "../data/decode";
import type { Pose, Report } from "../data/report";
import type { LocalBox } from "./bounds";
import type { Frame } from "./frame";
import { type PartMaterials, partMaterials } from "./materials";
import { coarsened, featureEdges, shaded, type Surface, welded } from "./surface";

/** Beyond this many triangles stored, faces are shaded flat: normals would take more memory than they are worth. */
const MOST_SMOOTH = 4_000_000;
/** Parts smaller than this on the screen (radius, pixels) are not drawn; more of them while the view moves slowly. */
const LEAST_PIXELS: Record<Detail, number> = { full: 0.4, slow: 0.7, moving: 3 };
/** Edges of all parts are drawn up to these limits; beyond, only those of the parts looked at. */
const MOST_EDGED_PARTS = 400;
const MOST_EDGED_TRIANGLES = 400_000;
/** Scenes of more triangles than this have coarse stand-ins for meshes of more than the second number. */
const COARSE_SCENE = 150_000;
const COARSE_MESH = 200;
/** A part is drawn coarse where its radius on the screen is less than this many pixels; ghosts always. */
const COARSE_PIXELS: Record<Detail, number> = { full: 8, slow: 30, moving: 500 };
const GHOST = 0.1;
/** Edges of a single part are drawn up to this many triangles. */
const MOST_EDGED_MESH = 300_000;

/** How much is drawn: all, what a slow machine can do at rest, or what it can do while the view moves. */
export type Detail = "full" | "slow" | "moving";

export class Parts {
  readonly object = new Group();
  readonly materials: PartMaterials;
  /** Triangles drawn when all parts are visible. */
  readonly triangles: number;
  readonly edgesOfAll: boolean;
  private readonly batch: BatchedMesh;
  private readonly instance: Int32Array;
  private readonly partOf: number[] = [];
  /** Geometries in the batch by mesh: in full, and the coarse one or the same again. */
  private geometry: { full: number; coarse: number }[] = [];
  private readonly isCoarse: Uint8Array;
  private readonly alpha: Float32Array;
  private readonly spheres: Sphere[];
  private readonly edges = new Map<number, LineSegments>();
  private readonly edgeGeometry = new Map<number, BufferGeometry>();
  private readonly edgeMaterial = new LineBasicMaterial({ transparent: true, opacity: 0.55 });
  private edgeFilter: (part: number) => boolean = () => true;

  constructor(
    private readonly report: Report,
    private readonly meshes: Triangles[],
    private readonly boxes: LocalBox[],
    private readonly frame: Frame,
  ) {
    const { parts } = report;
    for (let i = 0; i < meshes.length; i++) meshes[i] = welded(meshes[i], report.meshes[i].scale);
    const stored = meshes.reduce((n, m) => n + m.indices.length / 3, 0);
    this.triangles = parts.reduce((n, p) => n + (p.mesh >= 0 ? meshes[p.mesh].indices.length / 3 : 0), 0);
    this.edgesOfAll = parts.length <= MOST_EDGED_PARTS && this.triangles <= MOST_EDGED_TRIANGLES;
    const flat = stored > MOST_SMOOTH;
    this.materials = partMaterials(flat);
    this.instance = new Int32Array(parts.length).fill(-1);
    this.alpha = new Float32Array(parts.length).fill(1);
    this.isCoarse = new Uint8Array(parts.length);
    this.spheres = parts.map(() => new Sphere(new Vector3(), 0));
    this.batch = this.fill(meshes.map((m) => (flat ? unshaded(m) : shaded(m))), meshes.map((m, i) => {
      const box = boxes[i];
      if (!box || this.triangles <= COARSE_SCENE || m.indices.length / 3 <= COARSE_MESH) return null;
      const coarse = coarsened(m, box);
      // No creases: fewer vertices matter more than sharp edges here.
      return coarse && (flat ? unshaded(coarse) : shaded(coarse, -1));
    }));
    this.object.add(this.batch);
    parts.forEach((p, i) => this.setPose(i, p.pose));
  }

  /** The batch with every mesh once (and its coarse stand-in) and an instance per part. */
  private fill(surfaces: Surface[], coarse: (Surface | null)[]): BatchedMesh {
    const { parts } = this.report;
    const stored = [...surfaces, ...coarse.filter((c) => c !== null)];
    const vertices = stored.reduce((n, s) => n + s.positions.length / 3, 0);
    const corners = stored.reduce((n, s) => n + s.indices.length, 0);
    const batch = new BatchedMesh(Math.max(1, parts.length), Math.max(3, vertices), Math.max(3, corners), this.materials.solid);
    this.geometry = surfaces.map((surface, i) => {
      const full = addSurface(batch, surface);
      const less = coarse[i];
      return { full, coarse: less ? addSurface(batch, less) : full };
    });
    parts.forEach((part, i) => {
      if (part.mesh < 0 || this.geometry[part.mesh].full < 0) return;
      const id = batch.addInstance(this.geometry[part.mesh].full);
      batch.setColorAt(id, new Vector4(0.7, 0.7, 0.7, 1));
      this.instance[i] = id;
      this.partOf[id] = i;
    });
    batch.frustumCulled = false;
    // Sorting pays in the translucent pass only; the solid pass has the depth buffer.
    batch.sortObjects = false;
    return batch;
  }

  setPose(part: number, pose: Pose): void {
    const id = this.instance[part];
    if (id < 0) return;
    const { mesh } = this.report.parts[part];
    this.batch.setMatrixAt(id, this.frame.matrix(pose, this.report.meshes[mesh].origin, MATRIX));
    const box = this.boxes[mesh];
    if (box) {
      const sphere = this.spheres[part];
      sphere.center.set(box.min[0] + box.max[0], box.min[1] + box.max[1], box.min[2] + box.max[2]).multiplyScalar(0.5).applyMatrix4(MATRIX);
      sphere.radius = (Math.hypot(box.max[0] - box.min[0], box.max[1] - box.min[1], box.max[2] - box.min[2]) / 2) * this.frame.scale;
    }
    const edges = this.edges.get(part);
    if (edges) edges.matrix.copy(MATRIX);
  }

  /** Colour and opacity of a part; opacity 0 hides it. */
  setLook(part: number, colour: Color, alpha: number): void {
    const id = this.instance[part];
    this.alpha[part] = alpha;
    if (id >= 0) this.batch.setColorAt(id, COLOUR.set(colour.r, colour.g, colour.b, alpha));
  }

  alphaOf(part: number): number {
    return this.instance[part] < 0 ? 0 : this.alpha[part];
  }

  /** The bounding sphere of a part in the view; radius 0 for one with no mesh. */
  sphereOf(part: number): Sphere {
    return this.spheres[part];
  }

  /** Adds the corners of a part's box in the view. */
  addCorners(part: number, out: Vector3[]): void {
    const id = this.instance[part];
    const box = id < 0 ? null : this.boxes[this.report.parts[part].mesh];
    if (!box) return;
    this.batch.getMatrixAt(id, MATRIX);
    for (let i = 0; i < 8; i++) {
      const corner = new Vector3((i & 1 ? box.max : box.min)[0], (i & 2 ? box.max : box.min)[1], (i & 4 ? box.max : box.min)[2]);
      out.push(corner.applyMatrix4(MATRIX));
    }
  }

  /** The matrix a part is drawn with; the identity for one with no mesh. */
  matrixOf(part: number): Matrix4 {
    const id = this.instance[part];
    return id < 0 ? new Matrix4() : this.batch.getMatrixAt(id, new Matrix4());
  }

  /** Makes the batch draw the solid or the translucent parts; false where there are none. */
  pass(glass: boolean, camera: PerspectiveCamera, height: number, detail: Detail): boolean {
    const pixels = height / 2 / Math.tan((camera.fov * Math.PI) / 360);
    const least = LEAST_PIXELS[detail];
    const coarse = COARSE_PIXELS[detail];
    let any = false;
    for (let id = 0; id < this.partOf.length; id++) {
      const part = this.partOf[id];
      const alpha = this.alpha[part];
      let show = glass ? alpha > 0 && alpha < 1 : alpha >= 1;
      if (show) {
        const { center, radius } = this.spheres[part];
        const away = center.distanceTo(camera.position) - radius;
        const size = away > 0 ? (radius * pixels) / away : Infinity;
        show = size >= least;
        this.setCoarse(id, part, alpha <= GHOST || size < coarse);
      }
      this.batch.setVisibleAt(id, show);
      any ||= show;
    }
    this.batch.material = glass ? this.materials.glass : this.materials.solid;
    // Front to back where drawing is slow: hidden faces are then not shaded.
    this.batch.sortObjects = glass || detail !== "full";
    this.batch.visible = any;
    for (const [part, edges] of this.edges) edges.visible = !glass && this.alpha[part] > 0.2 && this.edgeFilter(part);
    return any;
  }

  private setCoarse(id: number, part: number, coarse: boolean): void {
    if ((this.isCoarse[part] === 1) === coarse) return;
    this.isCoarse[part] = coarse ? 1 : 0;
    const geometry = this.geometry[this.report.parts[part].mesh];
    if (geometry.coarse !== geometry.full) this.batch.setGeometryIdAt(id, coarse ? geometry.coarse : geometry.full);
  }

  /** Draws feature edges of the parts that pass the filter, where their number allows it. */
  setEdges(focus: number[], edges: boolean): void {
    const wanted = this.edgesOfAll ? this.report.parts.map((_, i) => i) : focus;
    for (const part of wanted) this.makeEdges(part);
    const set = new Set(focus);
    this.edgeFilter = (part) => edges && (this.edgesOfAll || set.has(part));
  }

  private makeEdges(part: number): void {
    const { mesh } = this.report.parts[part];
    if (this.edges.has(part) || this.instance[part] < 0 || this.meshes[mesh].indices.length / 3 > MOST_EDGED_MESH) return;
    let geometry = this.edgeGeometry.get(mesh);
    if (!geometry) {
      geometry = new BufferGeometry();
      geometry.setAttribute("position", new BufferAttribute(featureEdges(this.meshes[mesh], this.report.meshes[mesh].scale), 3));
      this.edgeGeometry.set(mesh, geometry);
    }
    const lines = new LineSegments(geometry, this.edgeMaterial);
    lines.matrixAutoUpdate = false;
    this.batch.getMatrixAt(this.instance[part], lines.matrix);
    this.edges.set(part, lines);
    this.object.add(lines);
  }

  setEdgeColour(colour: string, opacity: number): void {
    this.edgeMaterial.color.set(colour);
    this.edgeMaterial.opacity = opacity;
  }

  cut(plane: Plane | null): void {
    this.materials.cut(plane);
    this.edgeMaterial.clippingPlanes = plane ? [plane] : null;
  }

  /** The nearest part under the ray that is drawn solid enough to click, or −1. */
  pick(ray: Raycaster, plane: Plane | null): number {
    for (let id = 0; id < this.partOf.length; id++) this.batch.setVisibleAt(id, this.alpha[this.partOf[id]] >= 0.2);
    this.batch.material = this.materials.solid;
    const hits = ray.intersectObject(this.batch, false);
    const hit = hits.find((h) => !plane || plane.distanceToPoint(h.point) >= 0);
    return hit?.batchId === undefined ? -1 : this.partOf[hit.batchId];
  }
}

function addSurface(batch: BatchedMesh, surface: Surface): number {
  if (surface.indices.length === 0) return -1;
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(surface.positions, 3));
  geometry.setAttribute("normal", new BufferAttribute(surface.normals, 3));
  geometry.setIndex(new BufferAttribute(surface.indices, 1));
  return batch.addGeometry(geometry);
}

function unshaded({ positions, indices }: Triangles): Surface {
  return { positions, indices, normals: new Float32Array(positions.length) };
}

const MATRIX = new Matrix4();
const COLOUR = new Vector4();
