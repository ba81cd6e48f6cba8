import { type Static, Type } from "../schema.js";
import { closed, orNull, text } from "./values.js";

const pixels = Type.Integer({ minimum: 1 });

/** A picture of the project. */
export const ReportImage = Type.Object(
  {
    url: text("For d.image. An address that only the report's own browser can load."),
    width: orNull(pixels, "Pixels; null where not known."),
    height: orNull(pixels, "Pixels; null where not known."),
    source: text("Id of the column, or tag, that it comes from."),
  },
  { ...closed, description: "A picture of the project." },
);
/** A picture of the project, with a URL that only the document itself can load. */
export type ReportImage = Static<typeof ReportImage>;
