/**
 * The data of a template in `d.data`, which is also the response of `data.json`. Texts are in the language of the
 * report. Numbers are decimal texts and dates ISO texts; the helpers `money`, `number` and `date` format them.
 */

import { Currency } from "../project/values.js";
import { SuppressedError } from "../schema/errors.js";
import { IsoDateTime, type Static, Type } from "../schema/schema.js";
import {
  ReportArticle as Article,
  ReportFolder as Folder,
  ReportItem as Item,
  ReportImage,
  ReportPackaging,
  ReportText as Text,
} from "./item.js";
import {
  ReportCalculationLine,
  ReportDelivery,
  ReportFolderTotal,
  ReportManufacturerTotal,
  ReportPriceDetail,
  ReportTotals as Totals,
} from "./prices.js";
import {
  ReportAddress as Address,
  ReportAddresses as Addresses,
  ReportCommAddress,
  ReportContact,
  ReportProject,
} from "./project.js";
import { closed, listOf, oneOf, orNull, text } from "./values.js";

const OptionValue = Type.Union([Type.String(), Type.Integer(), Type.Boolean(), Type.Null()]);

const View = Type.Object(
  {
    id: text("Id of the view."),
    name: text("Name of the view."),
    setArticleMode: oneOf(
      ["Expand", "Collapse", "Dynamic", "BreakUp"],
      "How the view shows sets: with their parts, without, as each set says, or only the parts.",
    ),
  },
  closed,
);

const HeaderSheet = Type.Object(
  {
    scheme: text("Name of the pricing procedure."),
    lines: listOf("ReportCalculationLine", "The header sheet, for what totals do not tell."),
  },
  { ...closed, description: "Pricing procedure and header sheet." },
);

const Root = Type.Object(
  {
    project: Type.Ref("ReportProject", { description: "The project as a whole." }),
    currency: Type.String({ ...Currency, description: "Currency of all amounts, ISO 4217." }),
    generated: Type.String({
      ...IsoDateTime,
      description: "ISO date-time in UTC: when the report was made.",
    }),
    options: Type.Record(Type.String(), OptionValue, {
      description:
        "Values of all options of the template: its defaults, then what the project remembers, then the request.",
    }),
    data: Type.Record(Type.String(), Type.Unknown(), {
      description: "What the request sent as data, as it came.",
    }),
    addresses: Type.Ref("ReportAddresses", { description: "Addresses by role." }),
    view: orNull(View, "The view that the report shows; null where it shows the basket as it is."),
    items: listOf(
      "ReportItem",
      "Lines in print order; what folders, sets and composites hold is in their children.",
    ),
    totals: Type.Ref("ReportTotals", { description: "Sums, taxes, and where they come from." }),
    calculation: HeaderSheet,
    errors: Type.Optional(
      Type.Array(SuppressedError, {
        description:
          "Only in the answer of data.json, where there are any: what the report would tell as suppressed errors.",
      }),
    ),
  },
  closed,
);

/** The data of a template. */
export const ReportData = Type.Cyclic(
  {
    ReportData: Root,
    ReportProject,
    ReportAddresses: Addresses,
    ReportAddress: Address,
    ReportContact,
    ReportCommAddress,
    ReportItem: Item,
    ReportFolder: Folder,
    ReportText: Text,
    ReportArticle: Article,
    ReportPackaging,
    ReportImage,
    ReportPriceDetail,
    ReportCalculationLine,
    ReportTotals: Totals,
    ReportManufacturerTotal,
    ReportFolderTotal,
    ReportDelivery,
  },
  "ReportData",
  {
    title: "Data of a report",
    description:
      "What a template of Slipway receives as d.data. Numbers are exact decimal texts, dates are ISO texts, texts are in the language of the report and empty where there is nothing to say.",
  },
);
/** The data of a template in `d.data`. */
export type ReportData = Static<typeof ReportData>;

/** A line of a report; `kind` distinguishes folders, texts and articles. */
export type ReportItem = ReportData["items"][number];
/** A folder of a report with its lines. */
export type ReportFolder = Extract<ReportItem, { kind: "folder" }>;
/** A text between the lines of a report. */
export type ReportText = Extract<ReportItem, { kind: "text" }>;
/** An article, set or user article of a report with texts, pictures and prices. */
export type ReportArticle = Extract<ReportItem, { kind: "article" }>;
/** Members of every line. */
export type ReportItemBase = Omit<ReportText, "kind" | "text" | "longText">;
/** Totals, and their breakdown. */
export type ReportTotals = ReportData["totals"];
/** Addresses of the project by role. */
export type ReportAddresses = ReportData["addresses"];
/** One address. */
export type ReportAddress = NonNullable<ReportAddresses["SoldTo"]>;
export type { ReportImage, ReportPackaging } from "./item.js";
export type {
  ReportCalculationLine,
  ReportDelivery,
  ReportFolderTotal,
  ReportManufacturerTotal,
  ReportPriceDetail,
  ReportTotalPart,
} from "./prices.js";
export type { ReportProject } from "./project.js";
