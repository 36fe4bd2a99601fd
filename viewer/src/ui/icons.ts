// Icons on a grid of 16; a path that starts with "!" is filled.

import type { Kind } from "../data/report";

/** Each kind has its own shape, so that colour is never the only sign. */
export const KIND_ICONS: Record<Kind, readonly string[]> = {
  // A bar through a square.
  piercing: ["M4.5 4.5h7v7h-7z", "!M1 7h14v2H1z"],
  // A wedge into a square.
  protruding: ["M7 3.5h7v9H7z", "!M1 5l8.5 3L1 11z"],
  // A dot in a square.
  contained: ["M2.5 2.5h11v11h-11z", "!M8 5.4a2.6 2.6 0 1 1 0 5.2a2.6 2.6 0 0 1 0-5.2z"],
  // Two squares, one on the other.
  duplicate: ["M2.5 2.5h8v8h-8z", "!M5 5h8.7v8.7H5z"],
  // Two squares side by side.
  touching: ["M1.5 4.5H8v7H1.5z", "!M8 4h7v8H8z"],
  // Two bars with a gap measured between.
  clearance: ["!M1 3h2.4v10H1z", "!M12.6 3H15v10h-2.4z", "M5 8h6", "M6.6 6.2L4.8 8l1.8 1.8", "M9.4 6.2L11.2 8L9.4 9.8"],
};

export const ICONS = {
  search: ["M7 2.5a4.5 4.5 0 1 1 0 9a4.5 4.5 0 0 1 0-9z", "M10.4 10.4L14 14"],
  warn: ["M8 2l6.5 11.5h-13z", "M8 6.5v3.5", "!M7.3 11.2h1.4v1.3H7.3z"],
  theme: ["M8 2.5a5.5 5.5 0 1 0 0 11a5.5 5.5 0 0 0 0-11z", "!M8 2.5a5.5 5.5 0 0 1 0 11z"],
  help: ["M5.6 6a2.4 2.4 0 1 1 3.6 2.1c-.8.5-1.2.9-1.2 1.9", "!M7.2 11.6h1.6v1.6H7.2z"],
  play: ["!M4 2.5l9.5 5.5L4 13.5z"],
  pause: ["!M3.5 2.5h3.2v11H3.5z", "!M9.3 2.5h3.2v11H9.3z"],
  eye: ["M1.5 8C3.2 5 5.4 3.7 8 3.7S12.800 5 14.500 8C12.800 11 10.600 12.300 8 12.300S3.200 11 1.500 8z", "!M8 6.100a1.900 1.900 0 1 1 0 3.800a1.900 1.900 0 0 1 0-3.800z"],
  eyeOff: ["M1.500 8C3.200 5 5.400 3.700 8 3.700S12.800 5 14.500 8C12.800 11 10.600 12.300 8 12.300S3.200 11 1.500 8z", "M2.500 13.500l11-11"],
  caret: ["M6 4l4 4l-4 4"],
  fit: ["M2.500 5.500v-3h3", "M10.500 2.500h3v3", "M13.500 10.500v3h-3", "M5.500 13.500h-3v-3", "!M6 6h4v4H6z"],
  cut: ["M2.500 5L8 2.200L13.500 5v6L8 13.800L2.500 11z", "M1 10.500L15 5.500"],
  flip: ["M8 1.500v13", "M6 4.500L2 8l4 3.500z", "!M10 4.500L14 8l-4 3.500z"],
  xray: ["M2.500 5.500h7v7h-7z", "M6.500 3.500h7v7h-7"],
  up: ["M3.500 10L8 5.500l4.500 4.500"],
  down: ["M3.500 6L8 10.500L12.500 6"],
  close: ["M4 4l8 8", "M12 4l-8 8"],
  sort: ["!M8 2.500L11 6.500H5z", "!M8 13.500L5 9.500h6z"],
  ascending: ["!M8 4.500L12 10.500H4z"],
  descending: ["!M8 11.500L4 5.500h8z"],
  list: ["M5.500 4h8", "M5.500 8h8", "M5.500 12h8", "!M2 3.200h1.600v1.600H2z", "!M2 7.200h1.600v1.600H2z", "!M2 11.200h1.600v1.600H2z"],
} as const satisfies Record<string, readonly string[]>;
