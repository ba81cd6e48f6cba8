import type { ProjectDocument, ProjectPrices } from "@slipway/sdk";
import type { PriceArea } from "../document/frames.js";
import { type AreaAmounts, noAmounts } from "./area-amounts.js";
import { type ProjectShares, projectShares, withShares } from "./project-shares.js";
import type { SheetParts } from "./sheet-parts.js";

/** The amounts of articles, read from their sheets whenever they are needed: nothing is kept for each of them. */
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

  /** False for an item that sheets of somebody else leave out. */
  known(itemId: string): boolean {
    return this.prices.calculation.items[itemId] !== undefined;
  }

  /** One for each area of the document; an item without a sheet has no price. */
  of(itemId: string): AreaAmounts[] {
    const sheet = this.prices.calculation.items[itemId];
    if (sheet === undefined) return this.areas.map(noAmounts);
    const read = this.parts.read(sheet, this.areas);
    const shares = this.shares.get(itemId);
    return shares === undefined ? read : read.map((each) => withShares(each, shares.get(each.area)));
  }

  /** Of the whole project. */
  ofProject(): AreaAmounts[] {
    return this.parts.read(this.prices.calculation.header, this.areas);
  }
}
