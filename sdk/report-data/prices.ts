/** Prices of a report line, and lines of a price sheet. */
import { type Static, Type } from "../schema.js";
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
