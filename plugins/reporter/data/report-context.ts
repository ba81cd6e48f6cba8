import {
  Exact,
  type Position,
  type PriceContext,
  type ProjectPrices,
  partsByGroup,
  positionsOf,
  type Rounding,
  type Suppression,
  sheetsOf,
  type TextReader,
} from "@slipway/sdk";
import type { PageBreaks } from "../request/generate-request.js";

/** Inputs shared by all parts of a report's data. */
export interface ReportContext extends PriceContext {
  rounding: Rounding;
  /** Languages of texts, best first. */
  languages: readonly string[];
  /** Reads texts in `languages`. */
  texts: TextReader;
  /** Reads names of price lines and taxes, in the language of the session. */
  labels: TextReader;
  /** Column ids of the request. */
  columns: { preferredImage: string; images: readonly string[]; externalReference: string | undefined };
  imageTag: string | undefined;
  /** The template reads all lines of the articles' price sheets. */
  withCalculationLines: boolean;
  pageBreaks: PageBreaks;
  suppress(suppression: Suppression): void;
}

// The items counted in totals, with sets resolved into their parts.

/** A counted article, user article or part. */
export interface CountedPosition {
  position: Position;
  /** Net value before header discounts. */
  net: Exact;
  /** Quantity in the project; zero if the unit is not pieces. */
  pieces: Exact;
}

interface Positions {
  byId: ReadonlyMap<string, Position>;
  /** Parts of sets and pseudo articles. */
  parts: ReadonlyMap<Position, readonly Position[]>;
  /** Cache of the positions requested by reports. */
  counted: Map<Position, CountedPosition>;
}

/** Prices of a project are immutable, so its positions are cached across reports. */
const known = new WeakMap<ProjectPrices, Positions>();

/** The articles, user articles and parts of the given item ids, each once, without those that have no sheet. */
export function countedPositions(itemIds: readonly string[], context: ReportContext): CountedPosition[] {
  const { byId, parts, counted } = known.get(context.prices) ?? readPositions(context);
  const found = new Set<Position>();
  for (const id of itemIds) {
    const position = byId.get(id);
    if (position === undefined) continue;
    if (position.role === "priced") found.add(position);
    // The parts of a pseudo article without a value are counted as separate items.
    else if (isSum(position, context)) for (const part of parts.get(position) ?? []) found.add(part);
  }
  return [...found].flatMap((position) => {
    if (!Object.hasOwn(context.prices.calculation.items, position.item.id)) return [];
    const each = counted.get(position) ?? countedPosition(position, context);
    counted.set(position, each);
    return each;
  });
}

/** Units that mean pieces. */
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
