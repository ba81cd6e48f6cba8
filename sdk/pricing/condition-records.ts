/** The amounts entered by users, set by price profiles or stated in articles as discounts, by item and line of the procedure. */
import { Exact, zero } from "../locale/exact.js";
import type {
  Amount,
  ConditionRecord,
  ConditionType,
  PricingProcedure,
  ProcedureLine,
  ProductPrice,
  ProjectDocument,
} from "../project/document.js";
import { type CompiledLine, type CompiledProcedure, sortedLines } from "./compiled-procedure.js";
import type { Position } from "./positions.js";
import type { PriceErrors } from "./price-errors.js";

type RecordsByLine = Map<CompiledLine, ConditionRecord[]>;

const none: readonly ConditionRecord[] = [];

/**
 * The records of one scheme. A record with a counter unknown to the procedure belongs to counter 0 of its
 * level (a further result of that line). A record with a scheme takes precedence over one without; otherwise
 * the later one wins.
 */
export class ConditionRecords {
  private readonly ofItems = new Map<string, RecordsByLine>();
  private readonly ofHeader: RecordsByLine = new Map();
  private readonly lines = new Set<CompiledLine>();

  constructor(
    project: ProjectDocument,
    private readonly compiled: CompiledProcedure,
    positions: readonly Position[],
    private readonly errors: PriceErrors,
  ) {
    const byId = new Map(positions.map((position) => [position.item.id, position]));
    for (const record of effective(project.conditions ?? [], compiled.procedure.name)) {
      if (record.itemId === undefined) this.addHeader(record);
      else this.addItem(record, byId.get(record.itemId));
    }
    this.addDiscounts(positions);
  }

  /** Whether any item has a record for this line. */
  has(line: CompiledLine): boolean {
    return this.lines.has(line);
  }

  ofItem(position: Position, line: CompiledLine): readonly ConditionRecord[] {
    return this.ofItems.get(position.item.id)?.get(line) ?? none;
  }

  ofProject(line: CompiledLine): readonly ConditionRecord[] {
    return this.ofHeader.get(line) ?? none;
  }

  private addHeader(record: ConditionRecord): void {
    const line = this.lineOf(record);
    if (line === undefined) return;
    if (line.header) add(this.ofHeader, line, record);
    else this.ignored(record, "is for the whole project, but this line is not a header condition");
  }

  private addItem(record: ConditionRecord, position: Position | undefined): void {
    // A record of a deleted item is ignored.
    if (position === undefined) return;
    const line = this.lineOf(record);
    if (line === undefined) return;
    if (line.header) {
      this.ignored(record, "is for one item, but this line is a header condition");
    } else if (position.role === "priced") {
      this.lines.add(line);
      add(this.linesOf(position), line, record);
    } else if (line.type?.conditionClass !== "tax" && !new Exact(record.amount.value).isZero()) {
      this.ignored(record, "has no effect: the price of this item is the sum of its parts");
    }
  }

  /** Adds the discounts stated in articles. */
  private addDiscounts(positions: readonly Position[]): void {
    const lines = new DiscountLines(this.compiled.procedure);
    for (const position of positions) {
      const { item } = position;
      if (item.type === "setArticle" || item.productPrices.every(({ discounts }) => discounts === undefined))
        continue;
      const own = this.ofItems.get(item.id);
      const isTaken = (level: number, counter: number): boolean => {
        const line = this.compiled.find(level, counter);
        return line !== undefined && own?.has(line) === true;
      };
      const { records, homeless } = lines.place(item.id, item.productPrices, isTaken);
      for (const record of records) this.addItem(record, position);
      for (const { side, amount } of homeless) {
        const unit = amount.kind === "money" ? amount.currency : "%";
        const place = `the scheme "${this.compiled.procedure.name}" has no line for it`;
        this.errors.add(item.id, `The ${side} discount of ${amount.value} ${unit} is left out: ${place}`);
      }
    }
  }

  private linesOf(position: Position): RecordsByLine {
    const before = this.ofItems.get(position.item.id);
    if (before !== undefined) return before;
    const lines: RecordsByLine = new Map();
    this.ofItems.set(position.item.id, lines);
    return lines;
  }

  private lineOf(record: ConditionRecord): CompiledLine | undefined {
    const line = this.compiled.find(record.level, record.counter);
    if (line?.type !== undefined) return line;
    this.ignored(record, `has no condition line in the scheme "${this.compiled.procedure.name}"`);
    return undefined;
  }

  private ignored(record: ConditionRecord, why: string): void {
    const message = `The condition at ${record.level}.${record.counter} ${why}; it is left out`;
    this.errors.add(record.itemId, message, { scope: "WARN" });
  }
}

/** The records in effect, by counter. */
function effective(records: readonly ConditionRecord[], scheme: string): ConditionRecord[] {
  const chosen = new Map<string, ConditionRecord>();
  for (const record of records) {
    if (record.scheme !== undefined && record.scheme !== scheme) continue;
    const key = `${record.itemId ?? ""} ${record.level} ${record.counter}`;
    const before = chosen.get(key);
    if (before?.scheme === undefined || record.scheme !== undefined) chosen.set(key, record);
  }
  return [...chosen.values()].sort((a, b) => a.level - b.level || a.counter - b.counter);
}

function add(lines: RecordsByLine, line: CompiledLine, record: ConditionRecord): void {
  const before = lines.get(line);
  if (before === undefined) lines.set(line, [record]);
  else before.push(record);
}

/** The tags of procedure lines for discounts stated in articles. */
const tags = { purchase: "PURCHASE_DISCOUNT", sales: "DISCOUNT" } as const;

/** The discounts of one item at their lines, and those without a line in the procedure. */
export interface PlacedDiscounts {
  records: ConditionRecord[];
  homeless: { side: ProductPrice["side"]; amount: Amount }[];
}

/** Finds the procedure lines for the discounts of items. */
export class DiscountLines {
  private readonly lines: { line: ProcedureLine; type: ConditionType }[];

  constructor(private readonly procedure: PricingProcedure) {
    const types = new Map(procedure.conditionTypes.map((type) => [type.name, type]));
    this.lines = sortedLines(procedure).flatMap((line) => {
      const type = types.get(line.conditionType ?? "");
      return type?.conditionClass === "priceModifier" && !type.header ? [{ line, type }] : [];
    });
  }

  /**
   * Each discount gets the first line after the previous discount's line that is for discounts of its side,
   * supports its kind of amount, and is not `taken` ("210.0") by a record of the item. This keeps discounts
   * in order.
   */
  place(
    itemId: string,
    prices: readonly ProductPrice[],
    isTaken: (level: number, counter: number) => boolean,
  ): PlacedDiscounts {
    const placed: PlacedDiscounts = { records: [], homeless: [] };
    for (const { side, discounts = [], perQuantity } of prices) {
      let from = 0;
      for (const { amount, label } of discounts) {
        const rule = amount.kind === "percentage" ? "percent" : "quantity";
        const value = zero.minus(amount.value);
        const otherSign = value.isNegative() ? "positive" : "negative";
        const index = this.lines.findIndex(
          ({ line, type }, place) =>
            place >= from &&
            line.tags.includes(tags[side]) &&
            type.rule === rule &&
            type.sign !== otherSign &&
            !isTaken(line.level, line.counter),
        );
        const found = this.lines[index]?.line;
        if (found === undefined) {
          placed.homeless.push({ side, amount });
          continue;
        }
        from = index + 1;
        const record: ConditionRecord = {
          scheme: this.procedure.name,
          itemId,
          level: found.level,
          counter: found.counter,
          amount: { ...amount, value: value.toFixed() },
        };
        if (label !== undefined) record.label = label;
        if (perQuantity !== undefined && amount.kind === "money") record.perQuantity = perQuantity;
        placed.records.push(record);
      }
    }
    return placed;
  }
}
