/** Prices of a report line, lines of a price sheet, totals of a report and their breakdown. */
import { type Static, Type } from "../schema/schema.js";
import { closed, count, decimal, decimalOrNull, oneOf, orNull, text } from "./values.js";

/** One step from list price to net price. */
export const ReportPriceDetail = Type.Object(
  {
    kind: oneOf(
      ["base", "variant", "adjusted", "discount", "surcharge", "net"],
      "Base price and variant prices, or the one price that replaced them (adjusted); then discounts and surcharges; then the net price.",
    ),
    label: text("Name of the step, in the language of the session."),
    percentage: decimalOrNull('Percentage of a discount or surcharge, such as "-10"; else null.'),
    unitPrice: decimalOrNull("Amount for one; null for a quantity of zero."),
    totalPrice: decimal("Amount for the quantity of the line."),
  },
  { ...closed, description: "One step from the list price to the net price of a line." },
);
/** One step from the list price to the net price of a line. */
export type ReportPriceDetail = Static<typeof ReportPriceDetail>;

const ReportCalculationAmount = Type.Object(
  {
    kind: oneOf(["money", "percentage", "quantity"], "What the number is."),
    value: decimal("The number; 20 means 20 % where it is a percentage."),
    unit: text("ISO 4217 code of money, % of a percentage, UN/ECE code of a quantity."),
  },
  closed,
);

/** One line of a price sheet. */
export const ReportCalculationLine = Type.Object(
  {
    level: count("Level of the line in the pricing procedure; lines are in their order."),
    counter: count("Counts the lines of one level."),
    label: text("Name of the line, in the language of the session."),
    tags: Type.Array(Type.String(), {
      description: "What the pricing procedure says that the line is, such as ITEM_NET_VALUE or DISCOUNT.",
    }),
    amount: orNull(ReportCalculationAmount, "What the line states; null where it states nothing."),
    value: decimalOrNull(
      "What the line comes to, in the currency of the report; null where it has no value.",
    ),
  },
  {
    ...closed,
    description:
      "One line of a price sheet. Lines without data, and prices that a later one replaced, are not there.",
  },
);
/** One significant line of a price sheet. */
export type ReportCalculationLine = Static<typeof ReportCalculationLine>;

const partMembers = {
  positions: count("Items that count; all rows add up to totals.positions."),
  quantity: decimal("Pieces; all rows add up to totals.quantity."),
  net: decimal("Net value before header discounts; all rows add up to totals.itemNet."),
  share: decimalOrNull(
    "Percentage of totals.itemNet with two digits; all rows add up to 100.00. Null where that is zero.",
  ),
};

/** Share of one manufacturer. */
export const ReportManufacturerTotal = Type.Object(
  {
    manufacturerId: text("Short name of the maker; empty where items name none."),
    name: text("Name of the maker; empty in the last row where both are: what names no maker."),
    ...partMembers,
  },
  { ...closed, description: "What one maker contributes to the totals." },
);
/** Share of one manufacturer in the totals. */
export type ReportManufacturerTotal = Static<typeof ReportManufacturerTotal>;

/** Share of one folder. */
export const ReportFolderTotal = Type.Object(
  {
    id: orNull(
      Type.String(),
      "Id of the folder in items; null in the last row: what is in no folder, or hidden by the view.",
    ),
    position: text("Number of the folder, or empty."),
    name: text("Name of the folder."),
    ...partMembers,
  },
  { ...closed, description: "What one folder at the top contributes to the totals." },
);
/** Share of one top-level folder in the totals. */
export type ReportFolderTotal = Static<typeof ReportFolderTotal>;

/** Members of every row of a breakdown. */
export type ReportTotalPart = Omit<ReportFolderTotal, "id" | "position" | "name">;

/** Measures of the delivery. */
export const ReportDelivery = Type.Object(
  {
    packages: decimalOrNull("Number of packages."),
    netWeight: decimalOrNull("Kilograms."),
    grossWeight: decimalOrNull("Kilograms with packaging."),
    volume: decimalOrNull("Cubic metres."),
    withoutWeight: count("Items that state no weight: the weights are those of the others."),
    withoutVolume: count("Items that state no volume."),
  },
  {
    ...closed,
    description: "What all items that count take up together. Null where none of them states it.",
  },
);
/** Total measures of the counted items, in kilograms and cubic metres. */
export type ReportDelivery = Static<typeof ReportDelivery>;

const HeaderDiscount = Type.Object(
  {
    label: text("Name of the discount or surcharge, in the language of the session."),
    percentage: decimalOrNull('Such as "-5"; null where it is an amount.'),
    value: decimal("Amount, negative for a discount."),
  },
  closed,
);

const TaxTotal = Type.Object(
  {
    label: text("Name of the tax, in the language of the session."),
    rate: decimalOrNull('Percentage, such as "19"; else null.'),
    base: decimalOrNull("What it is charged on; null where that is not known."),
    value: decimal("Amount."),
  },
  closed,
);

/** Totals of a report. */
export const ReportTotals = Type.Object(
  {
    itemNet: decimal("Sum of the items that count, before header discounts."),
    headerDiscounts: Type.Array(HeaderDiscount, {
      description: "What lies between itemNet and net, in order; only what is not zero.",
    }),
    net: decimal("Net value after header discounts."),
    eco: decimalOrNull("Eco contribution, or null."),
    taxes: Type.Array(TaxTotal, { description: "One row per tax and rate that occurs." }),
    tax: decimal("Sum of taxes."),
    rounding: decimalOrNull("What rounding adds or takes; null where it is nothing."),
    total: decimal("What has to be paid."),
    purchase: decimalOrNull("What it costs to buy everything; null where no purchase price is stated."),
    positions: count(
      "Items of the basket that the totals add up: articles, user articles and parts. Not a set or pseudo article, but its parts.",
    ),
    quantity: decimal("Pieces of all of them; what is measured in metres and the like is not in it."),
    byManufacturer: Type.Array(Type.Ref("ReportManufacturerTotal"), {
      description: "By maker, largest net value first, what names no maker last.",
    }),
    byFolder: Type.Array(Type.Ref("ReportFolderTotal"), {
      description: "By folder at the top of items, in print order, what is in none last.",
    }),
    delivery: Type.Ref("ReportDelivery", { description: "Weight, volume and packages of all of them." }),
  },
  {
    ...closed,
    description:
      "Totals of what the report prints, or of the whole project where the request filters nothing.",
  },
);
