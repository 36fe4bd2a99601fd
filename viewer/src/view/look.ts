// Which part is drawn how: its own colour, the two of the selected pair, or a ghost.

import { Color, SRGBColorSpace } from "three";
import type { Part } from "../data/report";
import type { Store } from "../store";
import type { Parts } from "./parts";

/** The two parts of a pair: blue and orange stay apart for every common kind of colour vision. */
export const PAIR_COLOURS = { light: ["#2f6fd0", "#e08a1e"], dark: ["#5b9bf5", "#f0a03c"] } as const;

/** Muted tints for parts whose file states no colour. */
const TINTS = ["#9aa7b4", "#a9b3a2", "#b5a99a", "#a3a3b8", "#93aeb0", "#b3a2aa", "#adb59a", "#98a4a0"];

/** Opacity of a ghost; less where many lie over each other. */
const ghostAlpha = (parts: number): number => Math.min(0.07, Math.max(0.02, 0.7 / Math.sqrt(parts)));
const XRAY_ALPHA = 0.38;

/** A part's own colour: the stated one, or a tint that its group (or its name, digits apart) chooses. */
export function ownColour(part: Part): Color {
  if (part.colour) return new Color().setRGB(...part.colour, SRGBColorSpace);
  const key = part.group ?? part.name.replace(/\d+/g, "");
  let hash = 7;
  for (let i = 0; i < key.length; i++) hash = (hash * 31 + key.charCodeAt(i)) >>> 0;
  return new Color(TINTS[hash % TINTS.length]);
}

/** Opacity of the two parts of a pair: the larger one is seen through, such that it does not hide the clash. */
function pairAlpha(store: Store, parts: Parts, a: number, b: number): [number, number] {
  if (store.xray) return [XRAY_ALPHA, XRAY_ALPHA];
  const kind = store.finding?.kind;
  if (kind === "duplicate") return [0.5, 0.5];
  const outer = kind === "contained" ? 0.26 : 0.34;
  return parts.sphereOf(a).radius > parts.sphereOf(b).radius ? [outer, 1] : [1, outer];
}

/** Sets colour and opacity of every part. */
export function applyLook(store: Store, parts: Parts, own: Color[], dark: boolean): void {
  const ghost = new Color(dark ? "#aab4c0" : "#56616e");
  const faint = ghostAlpha(own.length);
  const pair = store.pair;
  const single = store.selection?.type === "part" ? store.selection.index : -1;
  const colours = PAIR_COLOURS[dark ? "dark" : "light"].map((c) => new Color(c));
  own.forEach((colour, i) => {
    const shown = store.visible[i] === 1 ? store.opacity[i] : 0;
    if (!pair) parts.setLook(i, i === single ? colours[0] : colour, store.xray && i !== single ? shown * XRAY_ALPHA : shown);
    else if (store.others === "show") parts.setLook(i, colour, shown);
    else parts.setLook(i, ghost, store.others === "hide" ? 0 : Math.min(shown, faint));
  });
  if (pair && pair[0] !== pair[1]) {
    const alpha = pairAlpha(store, parts, ...pair);
    pair.forEach((p, i) => parts.setLook(p, colours[i], alpha[i]));
  }
  parts.setEdges(pair ?? (single >= 0 ? [single] : []), true);
}
