/** Fields shared by several kinds of items. */
import { builtInColumns, fieldValue, type PositionItem } from "@slipway/sdk";
import type { OrganisationalDatum } from "../document/frames.js";
import type { FieldRepairs } from "../repair/repairs.js";
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
  const topLevelNumber = selected.parent?.itemNumber;
  return {
    id: selected.item.id,
    itemNumber: selected.itemNumber,
    ...(topLevelNumber !== undefined && { topLevelNumber }),
  };
}

/** Total quantity, and the item type in a quotation. */
export function itemQuantity(item: PositionItem, { selected, repairs }: ItemContext) {
  const { value, unit } = selected.quantity ?? item.quantity;
  const types = { active: undefined, alternative: "A", optional: "O" } as const;
  const itemType = types[selected.status];
  return {
    quantity: value,
    unit: unitCode(unit, repairs),
    ...(itemType !== undefined && { itemType }),
  };
}

/** The orderer's number of an item, if the configuration asks for it. */
export function clientNumber(item: PositionItem, { configuration, project, repairs }: ItemContext) {
  if (!configuration.refNumber) return {};
  const field = fieldValue(project, item, builtInColumns.externalItemNumber);
  const clientArticleNumber = repairs.line("externalItemNumber", field?.value);
  return clientArticleNumber === undefined ? {} : { clientArticleNumber };
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
