/** How exactly a decimal is written. */

/** The number of digits behind the point: 2 for "1052.40". */
export function scaleOf(decimal: string): number {
  const point = decimal.indexOf(".");
  return point < 0 ? 0 : decimal.length - point - 1;
}
