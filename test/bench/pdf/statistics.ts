/** Numbers of a series of measurements. */

export function median(values: number[]): number {
  return percentile(values, 50);
}

/** The value that the given percentage of the values does not exceed; NaN without values. */
export function percentile(values: number[], percentage: number): number {
  const sorted = [...values].sort((first, second) => first - second);
  const index = Math.ceil((percentage / 100) * sorted.length) - 1;
  return sorted[Math.max(0, index)] ?? Number.NaN;
}

/** Three significant digits, without exponent. */
export function short(value: number): string {
  if (Number.isNaN(value)) return "-";
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

/** A table in plain text; the first row holds the headings. */
export function table(rows: string[][]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: string[]): string =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join("  ");
  const [head = [], ...body] = rows;
  return [line(head), widths.map((width) => "-".repeat(width)).join("  "), ...body.map(line)].join("\n");
}
