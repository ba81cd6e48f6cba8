/** Price lines as input for the rules (OEX reference, sections 6.9 and 9.7). */
import { Exact } from "@slipway/sdk";
import type { DocumentElement } from "./document-element.js";

export interface PricedLine {
  /** `hdrPricing` or `itmPricing`. */
  frame: DocumentElement;
  /** `aCondNo` as written. */
  number: string;
  type: string;
  area: string;
  /** Attributes of `vConditionType`. */
  attributes: Readonly<Record<string, string>>;
  /** Zero if it is not an amount, which the schema check reports. */
  value: Exact;
  rate: Exact | undefined;
  /** The line that `aCondRef` refers to, if it is an earlier one. */
  base: PricedLine | undefined;
}

/** All lines of the header or of one item, in order. */
export function readLines(part: DocumentElement): PricedLine[] {
  const byNumber = new Map<string, PricedLine>();
  const lines: PricedLine[] = [];
  for (const frame of part.children) {
    if (frame.name !== "hdrPricing" && frame.name !== "itmPricing") continue;
    const type = frame.child("vConditionType");
    const attributes = type?.attributes ?? {};
    const line: PricedLine = {
      frame,
      number: frame.attributes["aCondNo"] ?? "",
      type: type?.text ?? "",
      area: attributes["aCondArea"] ?? "",
      attributes,
      value: amount(frame.value("vConditionValue")) ?? new Exact(0),
      rate: amount(frame.value("vConditionRate")),
      base: byNumber.get(attributes["aCondRef"] ?? ""),
    };
    lines.push(line);
    byNumber.set(line.number, line);
  }
  return lines;
}

/** Parses a number of the format: digits and an optional decimal point. */
export function amount(text: string | undefined): Exact | undefined {
  return text !== undefined && /^\d+(\.\d+)?$/.test(text) ? new Exact(text) : undefined;
}

/** Groups lines by area, in order. */
export function byArea(lines: readonly PricedLine[]): Map<string, PricedLine[]> {
  const areas = new Map<string, PricedLine[]>();
  for (const line of lines) {
    const area = areas.get(line.area);
    if (area === undefined) areas.set(line.area, [line]);
    else area.push(line);
  }
  return areas;
}

export function lineOf(lines: readonly PricedLine[], type: string): PricedLine | undefined {
  return lines.find((line) => line.type === type);
}

/** Label of a line in problems. */
export function named({ frame, number, type, area }: PricedLine): string {
  return `${frame.name} ${number} ${type} (${area})`;
}
