/** Sizes, weights and packages of an article, and of a whole delivery. */
import {
  Exact,
  measureOf,
  millimetres,
  type Packaging,
  type Position,
  type Quantity,
  type ReportDelivery,
  type ReportPackaging,
} from "@slipway/sdk";
import { decimalText } from "./price-lines.js";

const kilogram = "KGM";
const cubicMetre = "MTQ";

/** Projects are immutable, so the packaging data of articles is cached across reports. */
const knownMeasures = new WeakMap<Packaging, Measures>();
const knownData = new WeakMap<Packaging, Map<string, ReportPackaging>>();

/** Measures of one article and of its whole line; null if the article has no packaging data. */
export function packagingData(packaging: Packaging | undefined, quantity: string): ReportPackaging | null {
  if (packaging === undefined || Object.keys(packaging).length === 0) return null;
  const byQuantity = knownData.get(packaging) ?? new Map<string, ReportPackaging>();
  knownData.set(packaging, byQuantity);
  const data = byQuantity.get(quantity) ?? newPackagingData(packaging, quantity);
  byQuantity.set(quantity, data);
  return data;
}

function newPackagingData(packaging: Packaging, quantity: string): ReportPackaging {
  const count = new Exact(quantity);
  const { netWeight, grossWeight, volume } = measures(packaging);
  const all = (one: Exact | undefined): string | null => text(one?.times(count));
  return {
    width: length(packaging.width),
    height: length(packaging.height),
    depth: length(packaging.depth),
    volume: text(volume),
    netWeight: text(netWeight),
    grossWeight: text(grossWeight),
    totalVolume: all(volume),
    totalNetWeight: all(netWeight),
    totalGrossWeight: all(grossWeight),
    packages: text(packagesOf(packaging, count)),
  };
}

/** Total measures of the positions, with the number of positions that lack them. */
export function deliveryData(positions: readonly Position[]): ReportDelivery {
  const needed = positions.map((position) => {
    const need = knownNeeds.get(position) ?? needOf(position);
    knownNeeds.set(position, need);
    return need;
  });
  const total = (member: keyof Need): string | null => {
    const values = needed.flatMap((each) => each[member] ?? []);
    return values.length === 0 ? null : decimalText(values.reduce((sum, value) => sum.plus(value)));
  };
  return {
    packages: total("packages"),
    netWeight: total("netWeight"),
    grossWeight: total("grossWeight"),
    volume: total("volume"),
    withoutWeight: needed.filter((each) => each.netWeight === undefined).length,
    withoutVolume: needed.filter((each) => each.volume === undefined).length,
  };
}

/** Measures of a position's whole quantity. */
interface Need extends Measures {
  packages: Exact | undefined;
}

const knownNeeds = new WeakMap<Position, Need>();

function needOf({ item, quantity }: Position): Need {
  const { netWeight, grossWeight, volume } = measures(item.packaging);
  return {
    packages: item.packaging && packagesOf(item.packaging, quantity),
    netWeight: netWeight?.times(quantity),
    grossWeight: grossWeight?.times(quantity),
    volume: volume?.times(quantity),
  };
}

/** Measures of one article; undefined if they are missing or have an unknown unit. */
interface Measures {
  netWeight: Exact | undefined;
  grossWeight: Exact | undefined;
  volume: Exact | undefined;
}

const noMeasures: Measures = { netWeight: undefined, grossWeight: undefined, volume: undefined };

function measures(packaging: Packaging | undefined): Measures {
  if (packaging === undefined) return noMeasures;
  const found = knownMeasures.get(packaging) ?? readMeasures(packaging);
  knownMeasures.set(packaging, found);
  return found;
}

function readMeasures(packaging: Packaging): Measures {
  const read = (measure: "netWeight" | "grossWeight" | "volume", unit: string): Exact | undefined => {
    const value = measureOf(packaging, measure, unit);
    return typeof value === "string" ? undefined : value;
  };
  return {
    netWeight: read("netWeight", kilogram),
    grossWeight: read("grossWeight", kilogram),
    volume: read("volume", cubicMetre),
  };
}

/** Number of packages, rounded up. Undefined if the packaging states neither number. */
function packagesOf(packaging: Packaging, count: Exact): Exact | undefined {
  const { itemsPerPackUnit, packUnitsPerArticle } = packaging;
  if (itemsPerPackUnit === undefined && packUnitsPerArticle === undefined) return undefined;
  const items = itemsPerPackUnit ?? 1;
  if (items <= 0) return undefined;
  return count
    .times(packUnitsPerArticle ?? 1)
    .div(items)
    .ceil();
}

function length(stated: Quantity | undefined): string | null {
  return stated === undefined ? null : text(millimetres(stated));
}

function text(value: Exact | undefined): string | null {
  return value === undefined ? null : decimalText(value);
}
