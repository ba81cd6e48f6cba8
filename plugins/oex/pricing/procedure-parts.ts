/** Maps the lines of a pricing procedure to the parts of a document's prices. */
import {
  type ConditionType,
  isVisible,
  type PricingProcedure,
  type ProcedureLine,
  sectionOf,
} from "@slipway/sdk";
import type { PriceArea } from "../document/oex-document.js";

/**
 * - `price`: a stated price; `component`: other components of the gross price, such as variants and hidden discounts;
 * - `step`: a discount or surcharge of the item, between gross and net price; `net`: the net price of the item;
 * - `change`: a change between the item's net price and the net value, such as a header discount;
 * - `changed`: the net value after the header's discounts and surcharges;
 * - `charge`: a tax that is not a percentage, such as the eco contribution by weight; `tax`: a percentage tax;
 * - `late`: an amount after the taxes, such as the rounding of the total.
 */
export type Part = "price" | "component" | "step" | "net" | "change" | "changed" | "charge" | "tax" | "late";

export interface AreaPart {
  area: PriceArea;
  part: Part;
}

/** The parts of a procedure in both areas. */
export interface ProcedureParts {
  of: ReadonlyMap<ProcedureLine, AreaPart>;
  /** Areas with prices in the procedure; always includes sales, because untagged lines are sales. */
  areas: ReadonlySet<PriceArea>;
  /** Whether purchase prices have separate tax lines. */
  purchaseTaxes: boolean;
}

/**
 * Finds the parts by the tags of the lines, as in the standard procedure. For third-party procedures without tags, the
 * net price is the last subtotal before the taxes, and only tagged lines are discounts.
 */
export function procedureParts(procedure: PricingProcedure): ProcedureParts {
  const of = new Map<ProcedureLine, AreaPart>();
  const areas = new Set<PriceArea>(["S"]);
  for (const area of ["S", "P"] as const) {
    const lines = areaLines(procedure, area);
    const levels = areaLevels(lines, area);
    if (area === "P" && levels.net !== undefined) areas.add("P");
    if (!areas.has(area)) continue;
    for (const { line, type } of lines) {
      const part = partOf(line, type, levels);
      if (part !== undefined) of.set(line, { area, part });
    }
  }
  const purchaseTaxes = [...of.values()].some(({ area, part }) => area === "P" && part === "tax");
  return { of, areas, purchaseTaxes };
}

interface TypedLine {
  line: ProcedureLine;
  /** Condition lines only. */
  type: ConditionType | undefined;
}

/** Levels at which the parts of an area begin; undefined if the procedure does not define them. */
interface AreaLevels {
  gross: number | undefined;
  net: number | undefined;
  changed: number | undefined;
  taxes: number | undefined;
  end: number;
}

/**
 * The visible lines of an area, in order. Without a purchase section, the purchase area ends with the purchase value.
 */
function areaLines(procedure: PricingProcedure, area: PriceArea): TypedLine[] {
  const types = new Map(procedure.conditionTypes.map((type) => [type.name, type]));
  const section = area === "P" ? "purchase" : "sales";
  const visible = procedure.lines
    .filter(isVisible)
    .sort((left, right) => left.level - right.level || left.counter - right.counter)
    .map((line) => ({ line, type: types.get(line.conditionType ?? "") }));
  const inSection = visible.filter(({ line }) => sectionOf(line, procedure) === section);
  if (area === "S" || inSection.length > 0) return inSection;
  const end = levelOf(visible, "PURCHASE_VALUE") ?? -1;
  return visible.filter(({ line }) => line.level <= end);
}

function areaLevels(lines: readonly TypedLine[], area: PriceArea): AreaLevels {
  if (area === "P") {
    return {
      gross: levelOf(lines, "GROSS_PURCHASE_PRICE"),
      net: levelOf(lines, "PURCHASE_VALUE") ?? lastSubtotal(lines),
      changed: undefined,
      taxes: firstTax(lines),
      end: Number.POSITIVE_INFINITY,
    };
  }
  const taxes = firstTax(lines);
  const changed = levelOf(lines, "NET_VALUE");
  const before = lines.filter(({ line }) => line.level < (taxes ?? Number.POSITIVE_INFINITY));
  return {
    gross: levelOf(lines, "GROSS_SALES_PRICE"),
    net: levelOf(lines, "ITEM_NET_VALUE") ?? changed ?? lastSubtotal(before),
    changed,
    taxes,
    end: levelOf(lines, "FINAL_VALUE") ?? Number.POSITIVE_INFINITY,
  };
}

function levelOf(lines: readonly TypedLine[], tag: string): number | undefined {
  return lines.findLast(({ line }) => line.tags.includes(tag))?.line.level;
}

/** The last subtotal without a line range; excludes margins. */
function lastSubtotal(lines: readonly TypedLine[]): number | undefined {
  const plain = ({ line }: TypedLine): boolean => line.kind === "subtotal" && line.from === undefined;
  return lines.findLast(plain)?.line.level;
}

function firstTax(lines: readonly TypedLine[]): number | undefined {
  return lines.find(isTax)?.line.level;
}

function isTax({ line, type }: TypedLine): boolean {
  return line.kind === "condition" && (type?.conditionClass === "tax" || line.tags.includes("TAX"));
}

function partOf(line: ProcedureLine, type: ConditionType | undefined, levels: AreaLevels): Part | undefined {
  const { net = Number.POSITIVE_INFINITY, changed, end } = levels;
  if (line.level > end) return undefined;
  if (line.kind !== "condition") {
    if (line.kind !== "subtotal") return undefined;
    if (line.level === net) return "net";
    return line.level === changed ? "changed" : undefined;
  }
  if (type === undefined) return undefined;
  if (isTax({ line, type })) return type.rule === "percent" ? "tax" : "charge";
  if (type.header || line.level > net) return isLate(line, levels) ? "late" : "change";
  if (type.conditionClass === "price") return "price";
  return isStep(line, levels) ? "step" : "component";
}

function isLate(line: ProcedureLine, { changed, taxes }: AreaLevels): boolean {
  return line.level > (changed ?? taxes ?? Number.POSITIVE_INFINITY);
}

/** Discounts above the gross price and those tagged as hidden only change the visible price. */
function isStep(line: ProcedureLine, { gross }: AreaLevels): boolean {
  if (line.tags.some((tag) => tag.startsWith("HIDDEN_"))) return false;
  if (gross !== undefined) return line.level > gross;
  return line.tags.some((tag) => /(?:DISCOUNT|EXTRA_CHARGE|ROUNDING)$/.test(tag));
}
