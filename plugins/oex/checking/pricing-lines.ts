/** The lines of a price frame as the rules see them (OEX reference, sections 6.9 and 9.7). */
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
  /** Zero where it is not an amount, which the schema tells. */
  value: Exact;
  rate: Exact | undefined;
  /** The line that `aCondRef` names, if it is one before. */
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

/** A number as the format writes it: digits and a decimal point. */
export function amount(text: string | undefined): Exact | undefined {
  return text !== undefined && /^\d+(\.\d+)?$/.test(text) ? new Exact(text) : undefined;
}

/** Lines of each area, in order. */
export function byArea(lines: readonly PricedLine[]): Map<string, PricedLine[]> {
  const areas = new Map<string, PricedLine[]>();
  for (const line of lines) {
    const area = areas.get(line.area);
    if (area === undefined) areas.set(line.area, [line]);
    else area.push(line);
  }
  return areas;
}

/** The first line of a type. */
export function lineOf(lines: readonly PricedLine[], type: string): PricedLine | undefined {
  return lines.find((line) => line.type === type);
}

/** How problems name a line. */
export function named({ frame, number, type, area }: PricedLine): string {
  return `${frame.name} ${number} ${type} (${area})`;
}
