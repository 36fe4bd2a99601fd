// The start of the page: reads the report it carries, decodes it, builds the page.

import "./style.css";
import { decodeMeshes, decodeTracks } from "./data/decode";
import { Motion } from "./data/motion";
import { parseReport, type Report } from "./data/report";
import { makePage } from "./page";
import { Store } from "./store";
import { testHandle, type TestHandle } from "./handle";
import { h } from "./ui/dom";
import { localBox, sceneBounds } from "./view/bounds";
import { Parts } from "./view/parts";

declare global {
  interface Window {
    /** The state of the page, for its tests. */
    clearanceReport?: TestHandle;
  }
}

function readReport(): Report {
  const data = document.getElementById("clearance-report");
  const report = parseReport(data?.textContent ?? "");
  // The text is not needed again and may be large.
  data?.remove();
  return report;
}

function showError(root: HTMLElement, error: unknown): void {
  const text = h("p", {});
  text.textContent = error instanceof Error ? error.message : String(error);
  root.replaceChildren(h("main", { class: "failed", role: "alert" }, h("h1", {}, "This report cannot be shown"), text));
}

async function start(root: HTMLElement): Promise<void> {
  const began = performance.now();
  const report = readReport();
  document.title = report.title;
  if (typeof DecompressionStream === "undefined") throw new Error("This browser is too old for this report: it cannot decompress data (DecompressionStream).");
  const wait = h("p", { class: "wait", role: "status" }, "Reading …");
  root.replaceChildren(wait);
  let said = 0;
  const meshes = await decodeMeshes(report, (part) => {
    const percent = Math.floor(part * 100);
    if (percent < said + 10) return;
    said = percent;
    wait.textContent = `Reading meshes … ${percent} %`;
  });
  const motion = report.motion ? new Motion(report.motion, await decodeTracks(report.motion, report.problems)) : null;
  const boxes = meshes.map(localBox);
  const bounds = sceneBounds(report, boxes, motion);
  const parts = new Parts(report, meshes, boxes, bounds.frame);
  const store = new Store(report, motion);
  const page = makePage(root, store, parts, bounds);
  // The compressed text of the meshes is not needed again.
  for (const mesh of report.meshes) mesh.positions = mesh.indices = "";
  window.clearanceReport = testHandle(store, page, parts, performance.now() - began);
}

const root = document.getElementById("page");
if (root) start(root).catch((error: unknown) => showError(root, error));
