/** Fields shared by several kinds of items. */
import {
  articleImages,
  builtInColumns,
  Exact,
  fieldValue,
  measureOf,
  type PositionItem,
  present,
} from "@slipway/sdk";
import type { OexReference, OrganisationalDatum, Weights } from "../document/oex-document.js";
import type { FieldRepairs } from "../repair/repairs.js";
import { quantityText } from "../selection/quantities.js";
import type { ItemContext } from "./item-context.js";

/** Units of quantities (UN/ECE Recommendation 20; OEX reference, section 9.9). */
const piece = "C62";

/** Codes in common use for quantities of furniture and services. */
const codes = new Set(
  [
    "C62 EA PR SET DZN NPR NAR NMP NPL H87 HEA CEN MIL BX CT PK RO ST XPK XBX XCT XRO XPX",
    "MTR CMT MMT DMT KMT INH FOT YRD LM MTK CMK MMK DMK FTK INK YDK MTQ DMQ CMQ MMQ FTQ INQ LTR MLT CLT DLT HLT",
    "KGM GRM MGM TNE LBR ONZ SEC MIN HUR DAY WEE MON ANN E48 E49 LS P1 KWH",
  ].flatMap((line) => line.split(" ")),
);

/** Common other spellings, in lower case. */
const spellings = new Map([
  ...["pcs", "pc", "pce", "piece", "pieces", "stk", "stück", "stueck", "st.", "stk."].map(
    (name) => [name, piece] as const,
  ),
  ["set", "SET"],
  ["pair", "PR"],
  ["paar", "PR"],
  ["m", "MTR"],
  ["cm", "CMT"],
  ["mm", "MMT"],
  ["m2", "MTK"],
  ["m²", "MTK"],
  ["qm", "MTK"],
  ["m3", "MTQ"],
  ["m³", "MTQ"],
  ["l", "LTR"],
  ["kg", "KGM"],
  ["g", "GRM"],
  ["t", "TNE"],
  ["h", "HUR"],
  ["d", "DAY"],
]);

/** Identity and position in the document. */
export function itemPlace({ selected }: ItemContext) {
  const { item, itemNumber, parent } = selected;
  return present({ id: item.id, itemNumber, topLevelNumber: parent?.itemNumber });
}

/** Total quantity, and the item type in a quotation. */
export function itemQuantity(item: PositionItem, { selected, repairs }: ItemContext) {
  const { value, unit } = selected.quantity ?? item.quantity;
  const types = { active: undefined, alternative: "A", optional: "O" } as const;
  return present({ quantity: value, unit: unitCode(unit, repairs), itemType: types[selected.status] });
}

/** The orderer's number of an item, if the configuration asks for it. */
export function clientNumber(item: PositionItem, { configuration, project, repairs }: ItemContext) {
  if (!configuration.refNumber) return {};
  const field = fieldValue(project, item, builtInColumns.externalItemNumber);
  return present({ clientArticleNumber: repairs.line("externalItemNumber", field?.value) });
}

/** Position in the article list, and the location of the item. */
export function placeData(item: PositionItem, context: ItemContext): OrganisationalDatum[] {
  const { configuration, locations, repairs, selected } = context;
  const location = configuration.exportRoomInformation ? locations.nameFor(item) : undefined;
  return [...datum("POS", repairs.line("position", selected.position)), ...datum("LOC", location)];
}

/** One datum; empty without a value. */
export function datum(type: OrganisationalDatum["type"], value: string | undefined): OrganisationalDatum[] {
  return value === undefined ? [] : [{ type, value }];
}

/** The code of a unit; an unknown unit becomes "C62" (piece), with a report. */
function unitCode(unit: string, repairs: FieldRepairs): string {
  const given = unit.trim();
  const known = knownCode(given);
  if (known !== given) {
    repairs.report(
      "quantity.unit",
      unit,
      `"${known ?? piece}" is written: expected a code of UN/ECE Rec. 20`,
    );
  }
  return known ?? piece;
}

function knownCode(unit: string): string | undefined {
  if (codes.has(unit)) return unit;
  const capitals = unit.toUpperCase();
  return spellings.get(unit.toLowerCase()) ?? (codes.has(capitals) ? capitals : undefined);
}

// Weights and volumes of items (OEX reference, sections 5.2 and 18).

/** Totals of an item. */
export interface Measures {
  weights?: Weights;
  /** In `MTQ`. */
  volume?: string;
}

/** Packaging field of each measure, for reports. */
const fields = {
  netWeight: "packaging.netWeight",
  grossWeight: "packaging.tareWeight",
  volume: "packaging.volume",
} as const;

/** Complete measures by item: the document needs all of them before an item is written. */
const known = new WeakMap<PositionItem, { quantity: string; measures: Measures }>();

/**
 * Total weights and volume of an item. The gross weight needs the weight of the packaging. Zero means unknown and is
 * left out; invalid values are left out with a report.
 */
export function itemMeasures(item: PositionItem, quantity: string, repairs: FieldRepairs): Measures {
  const before = known.get(item);
  if (before?.quantity === quantity) return before.measures;
  let isComplete = true;
  const total = (measure: keyof typeof fields, unit: string): string | undefined => {
    const each = measureOf(item.packaging, measure, unit);
    if (each === "none") return undefined;
    if (each === "unit" || each.lessThan(0)) {
      isComplete = false;
      reportMeasure(item, measure, each === "unit" ? "an unknown unit" : "less than zero", repairs);
      return undefined;
    }
    const text = quantityText(each.times(quantity));
    return new Exact(text).isZero() ? undefined : text;
  };
  const net = total("netWeight", "KGM");
  const gross = item.packaging?.tareWeight === undefined ? undefined : total("grossWeight", "KGM");
  const volume = total("volume", "MTQ");
  const measures = presentMeasures(gross, net, volume);
  // What is left out is reported each time.
  if (isComplete) known.set(item, { quantity, measures });
  return measures;
}

/** Without those that are unknown. */
export function presentMeasures(
  gross: string | undefined,
  net: string | undefined,
  volume: string | undefined,
): Measures {
  const hasWeight = gross !== undefined || net !== undefined;
  return present({ weights: hasWeight ? present({ gross, net }) : undefined, volume });
}

function reportMeasure(
  item: PositionItem,
  measure: keyof typeof fields,
  reason: string,
  repairs: FieldRepairs,
): void {
  const { netWeight, tareWeight, volume } = item.packaging ?? {};
  const stated = { netWeight, grossWeight: tareWeight, volume }[measure];
  repairs.report(fields[measure], `${stated?.value ?? ""} ${stated?.unit ?? ""}`, `left out: ${reason}`);
}

// Embedded data of items: pictures, and the OBX of articles (OEX reference, section 14).

/** Shown to the recipient's user, in the language of the document. */
const pictureNames = new Map([
  ["de", "Artikelbild"],
  ["es", "Imagen del artículo"],
  ["fr", "Image de l'article"],
  ["it", "Immagine dell'articolo"],
  ["nl", "Artikelafbeelding"],
]);
const usualPictureName = "Article image";

/** The pictures of an article or set, best first. An unreadable one is reported as `item-image-error`. */
export async function pictureReferences(item: PositionItem, context: ItemContext): Promise<OexReference[]> {
  const { configuration, pictures, project, reader } = context;
  if (!configuration.exportImages) return [];
  const preference = { column: context.preferredImageColumn, tag: context.imageTag };
  const description = pictureNames.get(reader.documentLanguage) ?? usualPictureName;
  const references: OexReference[] = [];
  const failures: { source: string; asset: string; reason: string }[] = [];
  const written = new Set<string>();
  for (const image of articleImages(project, item, preference)) {
    const picture = await pictures.read(image);
    // Do not report pictures as unreadable because the export was aborted.
    context.signal.throwIfAborted();
    if (typeof picture === "string") {
      failures.push({ source: image.source, asset: image.key, reason: picture });
    } else if (!written.has(picture.data.text)) {
      written.add(picture.data.text);
      references.push({ type: "EDS", mediaType: picture.mediaType, value: picture.data, description });
    }
  }
  for (const { source, asset, reason } of failures) {
    context.suppress({
      id: "item-image-error",
      scope: references.length === 0 ? "ERROR" : "WARN",
      message: `The picture "${source}" of the item ${item.id} was left out: ${reason}.`,
      additionalInformation: { itemId: item.id, source, asset },
    });
  }
  return references;
}

/** The article with its parts as an OBX. */
export function obxReference(item: PositionItem, context: ItemContext): OexReference[] {
  const { configuration, format, project } = context;
  if (!configuration.attachOBX) return [];
  const obx = context.writeObx(project, item);
  const description = "OBX";
  if (format.version !== "2.3") return [{ type: "XML", mediaType: "text/plain", value: obx, description }];
  const value = Buffer.from(obx, "utf8").toString("base64");
  return [{ type: "EDS", mediaType: "text/xml", value, description }];
}
