// Numbers and names as people read them.

import type { Finding, Interval, Kind, Vec3 } from "./report";

/** The word for each kind, and what it means. */
export const KIND_TEXT: Record<Kind, { label: string; meaning: string }> = {
  piercing: { label: "Piercing", meaning: "the surfaces cut through each other" },
  protruding: { label: "Protruding", meaning: "one part reaches into the other" },
  contained: { label: "Contained", meaning: "one part is wholly inside the other" },
  duplicate: { label: "Duplicate", meaning: "both parts fill the same space" },
  touching: { label: "Touching", meaning: "in contact within the tolerance, no overlap" },
  clearance: { label: "Clearance", meaning: "apart, but nearer than required" },
};

const MINUS = "\u2212";

/** `x` with `digits` significant digits, no trailing zeros, a true minus sign. */
export function numberText(x: number, digits = 4): string {
  if (!Number.isFinite(x)) return "?";
  if (x === 0) return "0";
  const size = Math.abs(x);
  let out: string;
  if (size >= 1e7 || size < 1e-4) {
    out = size.toExponential(digits - 1).replace(/\.?0+e/, "e").replace("e+", "e");
  } else {
    const decimals = Math.max(0, digits - 1 - Math.floor(Math.log10(size)));
    out = size.toFixed(Math.min(decimals, 12));
    if (out.includes(".")) out = out.replace(/\.?0+$/, "");
  }
  return (x < 0 ? MINUS : "") + out.replace("e-", `e${MINUS}`);
}

/** Decimals for a column of numbers: three significant digits for the smallest that is not zero to rounding. */
export function columnDecimals(values: number[]): number {
  const sizes = values.map(Math.abs).filter((x) => Number.isFinite(x) && x > 0);
  const largest = sizes.reduce((m, x) => Math.max(m, x), 0);
  const smallest = sizes.reduce((m, x) => (x > largest * 1e-5 ? Math.min(m, x) : m), largest);
  if (!(smallest > 0)) return 0;
  return Math.min(8, Math.max(0, 2 - Math.floor(Math.log10(smallest))));
}

/** `x` with a fixed number of decimals; in full where that would show a value that is not zero as zero, or be too long. */
export function fixedText(x: number, decimals: number): string {
  if (!Number.isFinite(x)) return "?";
  const size = Math.abs(x);
  if (size >= 1e9 || (size > 0 && size < 0.5 * 10 ** -decimals)) return numberText(x, 3);
  return (x < 0 ? MINUS : "") + size.toFixed(decimals);
}

/** A count with thin spaces between thousands. */
export function countText(n: number): string {
  return Math.round(n).toString().replace(/\B(?=(\d{3})+$)/g, "\u202f");
}

/** A length in the scene's unit. */
export function lengthText(x: number, unit: string | null, digits = 4): string {
  return unit ? `${numberText(x, digits)}\u00a0${unit}` : numberText(x, digits);
}

/** The unit of time as written after a number; degrees stick to it. */
export function unitSuffix(unit: string): string {
  if (!unit) return "";
  return unit === "°" || unit === "deg" ? "°" : `\u00a0${unit}`;
}

/** A moment of the motion. */
export function timeText(t: number, unit: string, digits = 4): string {
  return numberText(t, digits) + unitSuffix(unit);
}

/** "depth" where the parts overlap, "gap" where they are apart. */
export function distanceWord(x: number): "depth" | "gap" {
  return x < 0 ? "depth" : "gap";
}

/** What a finding's distance is: "contact" for parts that touch. */
export function findingWord(f: Pick<Finding, "distance" | "kind">): "depth" | "gap" | "contact" {
  return f.kind === "touching" ? "contact" : distanceWord(f.distance);
}

/** Bounds `[lower, upper]` of a signed distance, as those of a depth or of a gap. */
export function boundsText(f: Pick<Finding, "distance" | "lower" | "upper">): string {
  const depth = f.distance < 0;
  const [lo, hi] = depth ? [-f.upper, -f.lower] : [f.lower, f.upper];
  return rangeText({ lower: lo, upper: hi });
}

/** "lower … upper", with enough digits to tell them apart; one number where they agree. */
export function rangeText({ lower, upper }: Interval): string {
  if (lower === upper) return numberText(lower, 6);
  for (let digits = 4; digits < 10; digits++) {
    const [a, b] = [numberText(lower, digits), numberText(upper, digits)];
    if (a !== b) return `${a} … ${b}`;
  }
  return `${numberText(lower, 10)} … ${numberText(upper, 10)}`;
}

/** Lengths along the axes. */
export function vectorText(v: Vec3, digits = 4): string {
  return v.map((c) => numberText(c, digits)).join(", ");
}

/** `x` with a fixed number of decimals, and no sign on a zero. */
function plainText(x: number, decimals: number): string {
  const text = Math.abs(x).toFixed(decimals);
  return (x < 0 && Number(text) !== 0 ? MINUS : "") + text;
}

/** A unit vector. */
export function directionText(v: Vec3): string {
  return v.map((c) => plainText(c, 4).replace(/\.?0+$/, "")).join(", ");
}

/** A place in the scene, to a millionth of the scene's size. */
export function placeText(p: Vec3, sceneSize: number): string {
  const decimals = sceneSize > 0 ? Math.min(12, Math.max(0, 6 - Math.ceil(Math.log10(sceneSize)))) : 6;
  return p.map((c) => plainText(c, decimals)).join(", ");
}
