import type { ProjectDocument, ProjectPrices } from "@slipway/sdk";
import type { PriceArea } from "../document/oex-document.js";
import { type AreaAmounts, amountsOf, cents, noAmounts, nothing, type Step } from "./area-amounts.js";
import type { SheetParts } from "./sheet-parts.js";

/** By item id and area. */
type ProjectShares = ReadonlyMap<string, ReadonlyMap<PriceArea, readonly Step[]>>;

/** The amounts of articles, read from their sheets on demand without caching. */
export class ArticleAmounts {
  private readonly shares: ProjectShares;

  constructor(
    project: ProjectDocument,
    private readonly prices: ProjectPrices,
    private readonly parts: SheetParts,
    private readonly areas: readonly PriceArea[],
  ) {
    this.shares = projectShares(project, prices, parts, areas);
  }

  /** False if an externally computed calculation has no sheet for the item. */
  known(itemId: string): boolean {
    return this.prices.calculation.items[itemId] !== undefined;
  }

  /** The amounts per area of the document; an item without a sheet has no price. */
  of(itemId: string): AreaAmounts[] {
    const sheet = this.prices.calculation.items[itemId];
    if (sheet === undefined) return this.areas.map(noAmounts);
    const read = this.parts.read(sheet, this.areas);
    const shares = this.shares.get(itemId);
    return shares === undefined ? read : read.map((each) => withShares(each, shares.get(each.area)));
  }

  /** The amounts of the whole project, per area. */
  ofProject(): AreaAmounts[] {
    return this.parts.read(this.prices.calculation.header, this.areas);
  }
}

/**
 * Sheets computed by the sender of a project may state a header discount in the project's sheet without shares in the
 * items' sheets. The missing amount is spread over the items in proportion to their net prices, with the remainder on
 * the last one (OEX reference, section 15.4). Sheets computed by the host are complete.
 */
function projectShares(
  project: ProjectDocument,
  prices: ProjectPrices,
  parts: SheetParts,
  areas: readonly PriceArea[],
): ProjectShares {
  const shares = new Map<string, Map<PriceArea, Step[]>>();
  const { calculation, countedItemIds, procedure } = prices;
  if (!project.calculations?.some(({ scheme }) => scheme === procedure.name)) return shares;
  for (const header of parts.read(calculation.header, areas)) {
    if (header.changes.length === 0) continue;
    const items = countedItemIds.flatMap((id) => {
      const sheet = calculation.items[id];
      return sheet === undefined ? [] : parts.read(sheet, [header.area]).map((amounts) => ({ id, amounts }));
    });
    for (const [id, step] of spread(header, items)) {
      const ofItem = shares.get(id) ?? new Map<PriceArea, Step[]>();
      shares.set(id, ofItem.set(header.area, [...(ofItem.get(header.area) ?? []), step]));
    }
  }
  return shares;
}

/** Adds an item's shares of amounts that only the project's sheet states. */
function withShares(amounts: AreaAmounts, shares: readonly Step[] | undefined): AreaAmounts {
  if (shares === undefined || shares.length === 0) return amounts;
  const changes = [...amounts.changes];
  for (const share of shares) {
    const index = changes.findIndex(({ key }) => key === share.key);
    const own = changes[index];
    if (own === undefined) changes.push(share);
    else changes[index] = { ...own, value: own.value.plus(share.value) };
  }
  return amountsOf({ ...amounts, changes });
}

function* spread(
  header: AreaAmounts,
  items: readonly { id: string; amounts: AreaAmounts }[],
): Generator<[string, Step]> {
  const all = items.reduce((sum, { amounts }) => sum.plus(amounts.net.abs()), nothing);
  if (all.isZero()) return;
  for (const change of header.changes) {
    const carried = items.reduce((sum, { amounts }) => sum.plus(changeOf(amounts, change.key)), nothing);
    const missing = change.value.minus(carried);
    if (missing.isZero()) continue;
    let weight = nothing;
    let given = nothing;
    for (const { id, amounts } of items) {
      weight = weight.plus(amounts.net.abs());
      const value = cents(missing.times(weight).div(all)).minus(given);
      given = given.plus(value);
      yield [id, { ...change, value }];
    }
  }
}

function changeOf({ changes }: AreaAmounts, key: string): Step["value"] {
  return changes.find((each) => each.key === key)?.value ?? nothing;
}
