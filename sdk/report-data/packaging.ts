import { type Static, Type } from "../schema.js";
import { closed, decimalOrNull } from "./values.js";

/** Size and weight of an article. */
export const ReportPackaging = Type.Object(
  {
    width: decimalOrNull("Millimetres, of one."),
    height: decimalOrNull("Millimetres, of one."),
    depth: decimalOrNull("Millimetres, of one."),
    volume: decimalOrNull("Cubic metres, of one."),
    netWeight: decimalOrNull("Kilograms, of one."),
    grossWeight: decimalOrNull("Kilograms with packaging, of one."),
    totalVolume: decimalOrNull("Cubic metres, of the quantity of the line."),
    totalNetWeight: decimalOrNull("Kilograms, of the quantity of the line."),
    totalGrossWeight: decimalOrNull("Kilograms with packaging, of the quantity of the line."),
    packages: decimalOrNull("Packages for the quantity of the line, rounded up to whole ones."),
  },
  {
    ...closed,
    description:
      "Size, weight and packages of an article by itself, without its parts. Null where the article does not state it.",
  },
);
/** Size and weight of an article in millimetres, kilograms and cubic metres; null if unknown. */
export type ReportPackaging = Static<typeof ReportPackaging>;
