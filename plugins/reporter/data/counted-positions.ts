/** The items that totals consist of, sets taken apart. */
import { Exact, type Position, type ProjectPrices, partsByGroup, positionsOf, sheetsOf } from "@slipway/sdk";
import type { ReportContext } from "./report-context.js";

/** An article, user article or part that counts. */
export interface CountedPosition {
  position: Position;
  /** Net value before header discounts. */
  net: Exact;
  /** How many the project needs; zero of what is not counted piece by piece. */
  pieces: Exact;
}

interface Positions {
  byId: ReadonlyMap<string, Position>;
  /** Of sets and pseudo articles. */
  parts: ReadonlyMap<Position, readonly Position[]>;
  /** Those that a report asked for. */
  counted: Map<Position, CountedPosition>;
}

/** The prices of a project stay as they are from report to report, and so do its positions. */
const known = new WeakMap<ProjectPrices, Positions>();

/** Articles, user articles and parts behind the ids of items that count, each once, as long as they have a sheet. */
export function countedPositions(itemIds: readonly string[], context: ReportContext): CountedPosition[] {
  const { byId, parts, counted } = known.get(context.prices) ?? readPositions(context);
  const found = new Set<Position>();
  for (const id of itemIds) {
    const position = byId.get(id);
    if (position === undefined) continue;
    if (position.role === "priced") found.add(position);
    // A pseudo article without a value is not the sum of its parts: those are counted as items of their own.
    else if (isSum(position, context)) for (const part of parts.get(position) ?? []) found.add(part);
  }
  return [...found].flatMap((position) => {
    if (!Object.hasOwn(context.prices.calculation.items, position.item.id)) return [];
    const each = counted.get(position) ?? countedPosition(position, context);
    counted.set(position, each);
    return each;
  });
}

/** Units of what is counted piece by piece. */
const pieceUnits = ["C62", "H87"];

function countedPosition(position: Position, context: ReportContext): CountedPosition {
  const isPieces = pieceUnits.includes(position.item.quantity.unit);
  return { position, net: netOf(position, context), pieces: isPieces ? position.quantity : new Exact(0) };
}

function netOf({ item }: Position, context: ReportContext): Exact {
  return context.prices.sheets.value(sheetsOf([item.id], context), "ITEM_NET_VALUE");
}

function isSum(position: Position, context: ReportContext): boolean {
  return position.item.type === "setArticle" || !netOf(position, context).isZero();
}

function readPositions({ project, prices }: ReportContext): Positions {
  const positions = positionsOf(project, { scheme: prices.procedure.name, groupPseudoArticleParts: true });
  const read = {
    byId: new Map(positions.map((position) => [position.item.id, position])),
    parts: partsByGroup(positions),
    counted: new Map<Position, CountedPosition>(),
  };
  known.set(prices, read);
  return read;
}
