/** Units of quantities (UN/ECE Recommendation 20; OEX reference, section 9.9). */
import type { FieldRepairs } from "../repair/field-repairs.js";

const piece = "C62";

/** Common codes that quantities of furniture and services come in. */
const codes = new Set(
  [
    "C62 EA PR SET DZN NPR NAR NMP NPL H87 HEA CEN MIL BX CT PK RO ST XPK XBX XCT XRO XPX",
    "MTR CMT MMT DMT KMT INH FOT YRD LM MTK CMK MMK DMK FTK INK YDK MTQ DMQ CMQ MMQ FTQ INQ LTR MLT CLT DLT HLT",
    "KGM GRM MGM TNE LBR ONZ SEC MIN HUR DAY WEE MON ANN E48 E49 LS P1 KWH",
  ].flatMap((line) => line.split(" ")),
);

/** What people write instead, in lower case. */
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

/** The code of a unit; one that is not known becomes "C62" (piece), with a report. */
export function unitCode(unit: string, repairs: FieldRepairs): string {
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
