import type { PdfBox } from "./pdf-content.js";

const millimetre = 72 / 25.4;

/** Where a page lies in its own coordinates, which count in points from the lower left. */
export interface PageFrame {
  /** Millimetres. */
  width: number;
  height: number;
  /** Points. */
  originX: number;
  originY: number;
}

/** `view`: left, lower, right and upper edge in points. */
export function pageFrame([left = 0, lower = 0, right = 0, upper = 0]: number[]): PageFrame {
  return {
    width: (right - left) / millimetre,
    height: (upper - lower) / millimetre,
    originX: left,
    originY: lower,
  };
}

/** The rectangle between two corners, as tests measure it: in millimetres from the upper left. */
export function placed(
  { height, originX, originY }: PageFrame,
  [x1, y1]: readonly [number, number],
  [x2, y2]: readonly [number, number],
): PdfBox {
  return {
    left: (Math.min(x1, x2) - originX) / millimetre,
    right: (Math.max(x1, x2) - originX) / millimetre,
    top: height - (Math.max(y1, y2) - originY) / millimetre,
    bottom: height - (Math.min(y1, y2) - originY) / millimetre,
  };
}
