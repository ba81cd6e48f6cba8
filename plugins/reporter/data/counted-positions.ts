/** The items that totals consist of, sets taken apart. */
import { Exact, type Position, type ProjectPrices, partsByGroup, positionsOf } from "@slipway/sdk";
import { sheetsOf } from "../prices/counted-items.js";
import type { ReportContext } from "./report-context.js";

interface Positions {
  byId: ReadonlyMap<string, Position>;
  /** Of sets and pseudo articles. */
  parts: ReadonlyMap<Position, readonly Position[]>;
}

/** The prices of a project stay as they are from report to report, and so do its positions. */
const known = new WeakMap<ProjectPrices, Positions>();

/** Articles, user articles and parts behind the ids of items that count, each once, as long as they have a sheet. */
export function countedPositions(itemIds: readonly string[], context: ReportContext): Position[] {
  const { byId, parts } = known.get(context.prices) ?? readPositions(context);
  const counted = new Set<Position>();
  for (const id of itemIds) {
    const position = byId.get(id);
    if (position === undefined) continue;
    if (position.role === "priced") counted.add(position);
    // A pseudo article without a value is not the sum of its parts: those are counted as items of their own.
    else if (isSum(position, context)) for (const part of parts.get(position) ?? []) counted.add(part);
  }
  return [...counted].filter(({ item }) => Object.hasOwn(context.prices.calculation.items, item.id));
}

/** Net value of one item before header discounts. */
export function netOf({ item }: Position, context: ReportContext): Exact {
  return context.prices.sheets.value(sheetsOf([item.id], context), "ITEM_NET_VALUE");
}

/** Units of what is counted piece by piece. */
const pieceUnits = ["C62", "H87"];

/** How many pieces that is in the whole project; zero of what is measured otherwise. */
export function piecesOf({ item, quantity }: Position): Exact {
  return pieceUnits.includes(item.quantity.unit) ? quantity : new Exact(0);
}

function isSum(position: Position, context: ReportContext): boolean {
  return position.item.type === "setArticle" || !netOf(position, context).isZero();
}

function readPositions({ project, prices }: ReportContext): Positions {
  const positions = positionsOf(project, { scheme: prices.procedure.name, groupPseudoArticleParts: true });
  const read = {
    byId: new Map(positions.map((position) => [position.item.id, position])),
    parts: partsByGroup(positions),
  };
  known.set(prices, read);
  return read;
}
