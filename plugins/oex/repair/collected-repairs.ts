/** Tells a client of repairs, in bounded number. */
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

interface Place {
  id: string;
  position: string;
}

/** Repairs of one kind: the same change of the same field. */
interface Kind {
  field: string;
  change: string;
  reported: number;
  unreported: number;
  scope: "WARN" | "ERROR";
}

/**
 * The repairs of one export as suppressed errors `oex-value-repaired`. A project of many thousand items may need the
 * same repair in each of them: beyond a limit they are only counted, and `summarize` tells the number.
 */
export class CollectedRepairs implements Repairs {
  private readonly kinds = new Map<string, Kind>();
  private reported = 0;
  private readonly others: Kind = {
    field: "various fields",
    change: "changed in various ways",
    reported: 0,
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

  /** To be called once, at the end: reports how many repairs of each kind were not reported one by one. */
  summarize(): void {
    for (const kind of [...this.kinds.values(), this.others]) {
      if (kind.unreported > 0) this.suppress(summary(kind));
    }
  }

  private add(repair: Repair, item: Place | undefined): void {
    const kind = this.kindOf(repair);
    if (repair.scope === "ERROR") kind.scope = "ERROR";
    if (kind.reported >= this.limits.perKind || this.reported >= this.limits.total) {
      kind.unreported += 1;
      return;
    }
    kind.reported += 1;
    this.reported += 1;
    this.suppress(suppression(repair, item));
  }

  /** The members of a list are of one kind, and so are changes that differ in the values that they quote. */
  private kindOf(repair: Repair): Kind {
    const field = repair.field.replace(/\[\d+\]/g, "[]");
    const change = repair.change.replace(/"[^"]*"/g, '"…"');
    const key = JSON.stringify([field, change]);
    const known = this.kinds.get(key);
    if (known !== undefined) return known;
    if (this.kinds.size >= this.limits.kinds) return this.others;
    const kind: Kind = { field, change, reported: 0, unreported: 0, scope: "WARN" };
    this.kinds.set(key, kind);
    return kind;
  }
}

function suppression({ field, value, change, scope }: Repair, item: Place | undefined): Suppression {
  const place = item === undefined ? "" : `${item.position === "" ? item.id : item.position}: `;
  const part = shortened(value);
  return {
    id: "oex-value-repaired",
    scope: scope ?? "WARN",
    message: `${place}${field} ${shownValue(part)}: ${change}`,
    additionalInformation: {
      ...(item !== undefined && { itemId: item.id }),
      field,
      value: part,
      change,
    },
  };
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
