/** Rules of single price lines and of their order (OEX reference, sections 9.7, 10, 15.1 to 15.3). */
import type { DocumentType } from "../document/oex-document.js";
import { byArea, named, type PricedLine } from "./amount-rules.js";
import type { DocumentElement, Report } from "./document-element.js";

const units = ["vPriceUnit", "vQuantUnit", "vMeasureUnit"];

interface LineContext {
  type: DocumentType;
  currency: string | undefined;
  report: Report;
}

/** `problem` continues a sentence that begins with the name of the line. `place`: if it is not the whole line. */
type LineReport = (rule: string, line: PricedLine, problem: string, place?: DocumentElement) => void;

/** Checks all lines of the header or of one item. */
export function checkLines(
  lines: readonly PricedLine[],
  { type: documentType, currency, report: reportAt }: LineContext,
): void {
  const report: LineReport = (rule, line, problem, place = line.frame) =>
    reportAt(rule, place, `${named(line)}${problem}`);
  for (const [index, line] of lines.entries()) {
    if (line.number !== String(index + 1)) {
      report("condition-number", line, `: aCondNo is ${line.number}, expected ${index + 1}`);
    }
    const type = conditionTypes[line.type];
    if (type === undefined) continue;
    checkBase(line, type, report);
    checkKind(line, type, report);
    checkTaxCode(line, type, report);
    checkRate(line, type, report);
    checkUnits(line, type, report);
    checkCurrency(line, currency, report);
  }
  checkAreas(lines, documentType, report);
  for (const area of byArea(lines).values()) {
    checkOrder(area, report);
    checkRepetitions(area, report);
    checkSubtotals(area, report);
  }
}

function checkBase(line: PricedLine, { bases }: ConditionType, report: LineReport): void {
  const number = line.attributes["aCondRef"];
  if (bases === undefined) {
    if (number === undefined) return;
    report("base", line, ` has aCondRef ${number}, expected none: it is no calculation`);
    return;
  }
  const expected = `the number of a line before in the same area, one of ${bases.join(", ")}`;
  const { base } = line;
  if (base !== undefined && base.area === line.area && bases.includes(base.type)) return;
  const found = base === undefined ? (number ?? "missing") : `${number}, ${base.type} (${base.area})`;
  report("base", line, `: aCondRef is ${found}, expected ${expected}`);
}

function checkKind(line: PricedLine, { kind }: ConditionType, report: LineReport): void {
  for (const name of ["aTypeDis", "aTypeSur"]) {
    const value = line.attributes[name];
    if ((value !== undefined) === (kind?.attribute === name)) continue;
    const expected = value === undefined ? "is missing, due on it" : `is ${value}, expected none`;
    report("discount-type", line, `: ${name} ${expected}`);
  }
  const sign = line.attributes["aCondSign"];
  if (sign === kind?.sign) return;
  const expected = kind?.sign ?? "none";
  report("discount-sign", line, `: aCondSign is ${sign ?? "missing"}, expected ${expected}`);
}

function checkTaxCode(line: PricedLine, { hasTaxCode = false }: ConditionType, report: LineReport): void {
  const code = line.attributes["aTaxCode"];
  if ((code !== undefined) !== hasTaxCode) {
    const problem =
      code === undefined ? "is missing, due on tax lines" : `is ${code}, expected on tax lines only`;
    report("tax-code", line, `: aTaxCode ${problem}`);
  }
  const base = line.base?.attributes["aTaxCode"];
  if (line.type !== "TTAX" || line.base?.type !== "TTNE" || base === code) return;
  const expected = "expected the TTNE of its tax code";
  report("tax-base", line, ` has tax code ${code}, its base ${named(line.base)} has ${base}: ${expected}`);
}

/** Discount sums in the header have no rate either. */
function checkRate(line: PricedLine, type: ConditionType, report: LineReport): void {
  const isSum = line.frame.name === "hdrPricing" && (line.type === "DISI" || line.type === "SURI");
  const isAllowed = type.rate !== "none" && !isSum;
  const rate = line.frame.value("vConditionRate");
  if (rate !== undefined && !isAllowed) {
    report("rate", line, ` has vConditionRate ${rate}, expected none: it is an amount`);
  }
  if (rate === undefined && type.rate === "due") {
    report("rate", line, " has no vConditionRate, due on it");
  }
}

function checkUnits(line: PricedLine, { hasUnits = false }: ConditionType, report: LineReport): void {
  const found = hasUnits ? undefined : line.frame.children.find((child) => units.includes(child.name));
  if (found !== undefined) {
    report("price-unit", line, ` has ${found.name} ${found.text}, expected none: it is a total`, found);
  }
  const unit = line.frame.child("vPriceUnit");
  if (unit !== undefined && /^[0.]*$/.test(unit.text)) {
    report("price-unit", line, `: vPriceUnit is ${unit.text}, expected more than zero`, unit);
  }
}

/** Lines can be summed in one currency only; original prices may have another. */
function checkCurrency(line: PricedLine, currency: string | undefined, report: LineReport): void {
  const found = line.frame.value("vCondCurrency");
  if (found === undefined || found === currency || line.area.startsWith("O")) return;
  report("currency", line, `: vCondCurrency is ${found}, expected ${currency} as in vDocCurrency`);
}

/** Purchase first, no area twice. Quotations have the sales area only: purchase prices must not reach a customer. */
function checkAreas(lines: readonly PricedLine[], type: DocumentType, report: LineReport): void {
  const order: string[] = [];
  for (const line of lines) {
    if (type === "QUOTES" && line.area !== "S") {
      report("quotes-area", line, `: aCondArea is ${line.area}, expected S in QUOTES`);
    }
    if (order.at(-1) === line.area) continue;
    if (order.includes(line.area) || (line.area === "P" && order.includes("S"))) {
      report("area-order", line, ` comes after area ${order.at(-1)}, expected P, then S`);
    }
    order.push(line.area);
  }
}

function checkOrder(area: readonly PricedLine[], report: LineReport): void {
  let last: { rank: number; line: PricedLine } | undefined;
  let before: PricedLine | undefined;
  for (const line of area) {
    const type = conditionTypes[line.type];
    const isHeader = line.frame.name === "hdrPricing";
    const rank = isHeader ? type?.headerRank : type?.itemRank;
    if (rank !== undefined) {
      if (last !== undefined && rank < last.rank) {
        report("condition-order", line, ` comes after ${named(last.line)}, expected before it`);
      }
      last = { rank, line };
    }
    if (isHeader && line.type === "TTAX" && line.base !== undefined && line.base !== before) {
      report("condition-order", line, ` comes later, expected right after ${named(line.base)}`);
    }
    before = line;
  }
}

/** Most lines occur once; tax lines once per code, discount sums once per type. */
function checkRepetitions(area: readonly PricedLine[], report: LineReport): void {
  const seen = new Set<string>();
  for (const line of area) {
    const { aTaxCode, aTypeDis, aTypeSur } = line.attributes;
    const isSum = line.frame.name === "hdrPricing" && (line.type === "DISI" || line.type === "SURI");
    const distinction = aTaxCode ?? (isSum ? (aTypeDis ?? aTypeSur) : undefined);
    if (distinction === undefined && conditionTypes[line.type]?.repeats === true) continue;
    const key = `${line.type} ${distinction ?? ""}`.trim();
    if (seen.has(key)) report("condition-twice", line, `: ${key} is there twice, expected once`);
    seen.add(key);
  }
}

/** No two in a row, and no later line refers to a line before a subtotal. */
function checkSubtotals(area: readonly PricedLine[], report: LineReport): void {
  for (const [subtotal, types] of [
    ["SUBI", ["DISI", "SURI"]],
    ["SUBH", ["DISH", "SURH"]],
  ] as const) {
    let last: number | undefined;
    for (const [index, line] of area.entries()) {
      if (line.type === subtotal) {
        if (last === index - 1) report("subtotal", line, ` follows another ${subtotal}`);
        last = index;
      }
      if (last === undefined || line.base === undefined || !types.some((type) => type === line.type))
        continue;
      if (area.indexOf(line.base) < last) {
        report("subtotal", line, ` refers to ${named(line.base)}, which is before a ${subtotal}`);
      }
    }
  }
}

// The shape of a line per condition type (OEX reference, sections 9.7, 15.1 to 15.3).

interface ConditionType {
  /** Position in the order of an area; undefined: anywhere. */
  headerRank?: number;
  itemRank?: number;
  /** Types that `aCondRef` may refer to; required if present. */
  bases?: readonly string[];
  /** Attribute for the kind, and the sign. */
  kind?: { attribute: "aTypeDis" | "aTypeSur"; sign: "+" | "-" };
  hasTaxCode?: boolean;
  rate: "due" | "allowed" | "none";
  /** Items only: may have a price unit and a quantity unit. */
  hasUnits?: boolean;
  /** May occur any number of times; otherwise once per area. */
  repeats?: boolean;
}

const discount = { attribute: "aTypeDis", sign: "-" } as const;
const surcharge = { attribute: "aTypeSur", sign: "+" } as const;
const onItems = {
  headerRank: 2,
  itemRank: 2,
  bases: ["SGRO", "TGRO", "DISI", "SURI", "SUBI"],
  rate: "allowed",
  hasUnits: true,
  repeats: true,
} as const;
const onHeader = {
  headerRank: 5,
  bases: ["TNET", "DISH", "SURH", "SUBH"],
  rate: "allowed",
  repeats: true,
} as const;

const conditionTypes: Readonly<Record<string, ConditionType>> = {
  SGRO: { itemRank: 1, rate: "none", hasUnits: true },
  TGRO: { headerRank: 1, rate: "none" },
  DISI: { ...onItems, kind: discount },
  SURI: { ...onItems, kind: surcharge },
  SUBI: { headerRank: 2, itemRank: 2, rate: "none", hasUnits: true, repeats: true },
  SNET: { itemRank: 3, rate: "none", hasUnits: true },
  TNET: { headerRank: 4, itemRank: 4, rate: "none" },
  DISH: { ...onHeader, kind: discount },
  SURH: { ...onHeader, kind: surcharge },
  SUBH: { headerRank: 5, rate: "none", repeats: true },
  TTNE: { headerRank: 7, itemRank: 7, hasTaxCode: true, rate: "none", repeats: true },
  TTAX: { headerRank: 7, itemRank: 7, bases: ["TTNE"], hasTaxCode: true, rate: "due", repeats: true },
  TOTL: { headerRank: 8, itemRank: 8, rate: "none" },
  SNEH: { itemRank: 9, rate: "none", hasUnits: true },
  TNEH: { headerRank: 6, itemRank: 10, rate: "none" },
  ECFR: { rate: "none", hasUnits: true, repeats: true },
};
