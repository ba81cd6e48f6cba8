import { type Suppression, shortened, shownValue } from "@slipway/sdk";
import type { Repair, Repairs } from "./repairs.js";

export interface RepairLimits {
  /** Maximum reports per kind of change; further ones are counted. */
  perKind: number;
  /** Maximum reports in total. */
  total: number;
  /** Maximum kinds counted separately; further kinds are counted together. */
  kinds: number;
}

const usualLimits: RepairLimits = { perKind: 1000, total: 5000, kinds: 200 };
const shownCharacters = 200;
/** Maximum items listed in a report; further ones are counted. */
const shownItems = 20;

interface Place {
  id: string;
  position: string;
}

/** Repairs that differ only in their items. */
interface Report {
  /** With a shortened value. */
  repair: Repair;
  /** The first items. */
  items: Place[];
  itemCount: number;
  lastItem: string | undefined;
}

/** Repairs of one kind: the same change of the same field. */
interface Kind {
  field: string;
  change: string;
  reports: number;
  unreported: number;
  scope: "WARN" | "ERROR";
}

/**
 * The repairs of one export as suppressed errors `oex-value-repaired`. Equal repairs of one value, such as a
 * manufacturer's code in all of its articles, are one report. Repairs beyond the limits are only counted.
 */
export class CollectedRepairs implements Repairs {
  private readonly reports = new Map<string, Report>();
  private readonly kinds = new Map<string, Kind>();
  private readonly others: Kind = {
    field: "various fields",
    change: "changed in various ways",
    reports: 0,
    unreported: 0,
    scope: "WARN",
  };

  constructor(
    private readonly suppress: (suppression: Suppression) => void,
    private readonly limits: RepairLimits = usualLimits,
  ) {}

  report(repair: Repair): void {
    this.add(repair, undefined);
  }

  forItem(item: Place): Repairs {
    return {
      report: (repair) => this.add(repair, item),
      forItem: (other) => this.forItem(other),
    };
  }

  /** Call once at the end: reports all repairs, and the number of each kind beyond the limits. */
  summarize(): void {
    for (const report of this.reports.values()) this.suppress(suppression(report));
    for (const kind of [...this.kinds.values(), this.others]) {
      if (kind.unreported > 0) this.suppress(summary(kind));
    }
  }

  private add({ value, scope = "WARN", ...rest }: Repair, item: Place | undefined): void {
    const repair = { ...rest, value: shortened(value, shownCharacters), scope };
    const key = JSON.stringify([repair.field, repair.value, repair.change, scope, item === undefined]);
    const report = this.reports.get(key) ?? this.newReport(key, repair);
    if (report !== undefined && item !== undefined) addItem(report, item);
  }

  /** Undefined beyond the limits; the repair is then counted. */
  private newReport(key: string, repair: Repair): Report | undefined {
    const kind = this.kindOf(repair);
    if (repair.scope === "ERROR") kind.scope = "ERROR";
    if (kind.reports >= this.limits.perKind || this.reports.size >= this.limits.total) {
      kind.unreported += 1;
      return undefined;
    }
    kind.reports += 1;
    const report: Report = { repair, items: [], itemCount: 0, lastItem: undefined };
    this.reports.set(key, report);
    return report;
  }

  /** Members of a list are of one kind, as are changes that differ only in quoted values. */
  private kindOf(repair: Repair): Kind {
    const field = repair.field.replace(/\[\d+\]/g, "[]");
    const change = repair.change.replace(/"[^"]*"/g, '"…"');
    const key = JSON.stringify([field, change]);
    const known = this.kinds.get(key);
    if (known !== undefined) return known;
    if (this.kinds.size >= this.limits.kinds) return this.others;
    const kind: Kind = { field, change, reports: 0, unreported: 0, scope: "WARN" };
    this.kinds.set(key, kind);
    return kind;
  }
}

/** Repairs of one item arrive consecutively. */
function addItem(report: Report, item: Place): void {
  if (report.lastItem === item.id) return;
  report.lastItem = item.id;
  report.itemCount += 1;
  if (report.items.length < shownItems) report.items.push(item);
}

function suppression({ repair, items, itemCount }: Report): Suppression {
  const { field, value, change, scope = "WARN" } = repair;
  const [first] = items;
  const one = first !== undefined && itemCount === 1 ? first : undefined;
  const place = one === undefined ? "" : ` of the item ${nameOf(one)}`;
  return {
    id: "oex-value-repaired",
    scope,
    message: `${shownField(field)}${place} (${shownValue(value)}): ${change}${itemCount > 1 ? listed(items, itemCount) : ""}.`,
    additionalInformation: {
      ...(one !== undefined && { itemId: one.id }),
      field,
      value,
      change,
      ...(itemCount > 1 && { itemIds: items.map(({ id }) => id), itemCount }),
    },
  };
}

/** A path as code; words, such as those for a line of the prices, begin the sentence. */
function shownField(field: string): string {
  return field.includes(" ") ? field.charAt(0).toUpperCase() + field.slice(1) : `\`${field}\``;
}

function listed(items: readonly Place[], count: number): string {
  return ` (${count} items: ${items.map(nameOf).join(", ")}${count > items.length ? ", …" : ""})`;
}

function nameOf({ id, position }: Place): string {
  return position === "" ? id : position;
}

function summary({ field, change, unreported: count, scope }: Kind): Suppression {
  return {
    id: "oex-value-repaired",
    scope,
    message: `${shownField(field)}: ${change}; ${count} more of this kind are not listed.`,
    additionalInformation: { field, change, count },
  };
}
