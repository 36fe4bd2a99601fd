// What the tests of the page may see and do.

import { Vector3 } from "three";
import type { Page } from "./page";
import type { Selection, Store } from "./store";
import type { Parts } from "./view/parts";

export interface TestHandle {
  version: 1;
  /** Milliseconds from the start of the script to the page being ready. */
  loadMs: number;
  state(): {
    selection: Selection | null;
    finding: string | null;
    time: number;
    playing: boolean;
    theme: string;
    others: string;
    section: { axis: string; offset: number; flipped: boolean } | null;
    frames: number;
    flying: boolean;
    triangles: number;
    rows: string[];
    markers: number;
    /** Pixels of the drawing per pixel of the page. */
    pixelRatio: number;
  };
  /** Opacity of every part as drawn; 0 is hidden. */
  alphas(): number[];
  /** Where a part stands in the view. */
  place(part: number): number[];
  /** The matrix a part is drawn with. */
  matrix(part: number): number[];
  camera(): number[];
  setTime(time: number): void;
  /** Distinct colours in a fresh frame and the share of pixels that are not the background. */
  pixels(): { colours: number; covered: number };
  /** Milliseconds of `count` frames while the camera turns, each waited for on the graphics unit; in full, or as drawn while moving. */
  frameTimes(count: number, full: boolean): number[];
}

export function testHandle(store: Store, { view, list }: Page, parts: Parts, loadMs: number): TestHandle {
  return {
    version: 1,
    loadMs,
    state: () => ({
      selection: store.selection,
      finding: store.finding?.id ?? null,
      time: store.time,
      playing: store.playing,
      theme: document.documentElement.dataset.theme ?? "",
      others: store.others,
      section: store.section,
      frames: view?.frames ?? 0,
      flying: view?.rig.flying ?? false,
      triangles: parts.triangles,
      rows: list.order.map((i) => store.report.findings[i].id),
      markers: view?.markers.object.children.length ?? 0,
      pixelRatio: view?.renderer.getPixelRatio() ?? 0,
    }),
    alphas: () => store.report.parts.map((_, i) => parts.alphaOf(i)),
    place: (part) => new Vector3().setFromMatrixPosition(parts.matrixOf(part)).toArray(),
    matrix: (part) => parts.matrixOf(part).toArray(),
    camera: () => (view ? [...view.camera.position.toArray(), ...view.rig.controls.target.toArray()] : []),
    setTime: (time) => store.setTime(time),
    pixels() {
      if (!view) return { colours: 0, covered: 0 };
      view.render();
      const gl = view.renderer.getContext();
      const [w, h] = [gl.drawingBufferWidth, gl.drawingBufferHeight];
      const data = new Uint8Array(w * h * 4);
      gl.readPixels(0, 0, w, h, gl.RGBA, gl.UNSIGNED_BYTE, data);
      const colours = new Set<number>();
      let covered = 0;
      for (let i = 0; i < data.length; i += 4) {
        if (data[i + 3] === 0) continue;
        covered++;
        colours.add((data[i] << 16) | (data[i + 1] << 8) | data[i + 2]);
      }
      return { colours: colours.size, covered: covered / (w * h) };
    },
    frameTimes(count, full) {
      const times: number[] = [];
      if (!view) return times;
      const gl = view.renderer.getContext();
      const pixel = new Uint8Array(4);
      for (let i = 0; i < count; i++) {
        const began = performance.now();
        view.rig.orbit(0.02, 0);
        if (full) view.rest();
        view.render();
        gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
        times.push(performance.now() - began);
      }
      return times;
    },
  };
}
