import { type Suppression, shownValue } from "@slipway/sdk";
import type { Repair, Repairs } from "./repairs.js";

export interface RepairLimits {
  /** Reports of one kind of change; the others are counted. */
  perKind: number;
  /** Reports of all kinds. */
  total: number;
  /** Kinds that are counted by themselves; what exceeds them is counted together. */
  kinds: number;
}

const usualLimits: RepairLimits = { perKind: 1000, total: 5000, kinds: 200 };
const shownCharacters = 200;
/** Items that a report names; the others are counted. */
const shownItems = 20;

interface Place {
  id: string;
  position: string;
}

/** Repairs that are equal but for the items that they are of. */
interface Report {
  /** With a value that is shortened. */
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
 * The repairs of one export as suppressed errors `oex-value-repaired`. The same value needs the same repair wherever it
 * stands, such as the code of a manufacturer in all its articles: that is one report. Beyond a limit repairs are only
 * counted.
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

  /** To be called once, at the end: tells all repairs, and how many of each kind are beyond the limit. */
  summarize(): void {
    for (const report of this.reports.values()) this.suppress(suppression(report));
    for (const kind of [...this.kinds.values(), this.others]) {
      if (kind.unreported > 0) this.suppress(summary(kind));
    }
  }

  private add({ value, scope = "WARN", ...rest }: Repair, item: Place | undefined): void {
    const repair = { ...rest, value: shortened(value), scope };
    const key = JSON.stringify([repair.field, repair.value, repair.change, scope, item === undefined]);
    const report = this.reports.get(key) ?? this.newReport(key, repair);
    if (report !== undefined && item !== undefined) addItem(report, item);
  }

  /** Undefined where there are too many: then the repair is counted. */
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

  /** The members of a list are of one kind, and so are changes that differ in the values that they quote. */
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

/** The repairs of one item follow each other. */
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
  const place = one === undefined ? "" : `${nameOf(one)}: `;
  return {
    id: "oex-value-repaired",
    scope,
    message: `${place}${field} ${shownValue(value)}: ${change}${itemCount > 1 ? listed(items, itemCount) : ""}`,
    additionalInformation: {
      ...(one !== undefined && { itemId: one.id }),
      field,
      value,
      change,
      ...(itemCount > 1 && { itemIds: items.map(({ id }) => id), itemCount }),
    },
  };
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
    message: `${field}: ${change}; ${count} more of this kind are not listed`,
    additionalInformation: { field, change, count },
  };
}

/** Never ends inside a character. */
function shortened(value: string): string {
  const characters = [...value.slice(0, 2 * shownCharacters + 2)];
  return characters.length > shownCharacters
    ? `${characters.slice(0, shownCharacters - 1).join("")}…`
    : characters.join("");
}
