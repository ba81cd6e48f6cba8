/** Calculation sheets: a pricing procedure evaluated. */
import { type Static, Type } from "../schema.js";
import { Amount, Currency, closed, Key, Money, Quantity, Texts } from "./values.js";

/** A computed line; its kind and tags are those of the procedure line with the same level and counter. */
export const SheetLine = Type.Object(
  {
    level: Type.Integer({ minimum: 0 }),
    counter: Type.Integer({ minimum: 0 }),
    label: Texts,
    conditionType: Type.Optional(Key),
    amount: Type.Optional(Amount),
    qtyRelation: Type.Optional(Quantity),
    value: Type.Optional(Money),
    taxType: Type.Optional(Key),
    taxCategory: Type.Optional(Key),
    inactive: Type.Optional(Type.Array(Type.Enum(["NoData", "SubsequentPrice"]))),
    manual: Type.Optional(Type.Boolean()),
  },
  closed,
);
/** A computed line: the stated `amount` and the resulting `value`. */
export type SheetLine = Static<typeof SheetLine>;

/** A procedure evaluated for one item or for the whole project. */
export const Sheet = Type.Object(
  {
    currency: Currency,
    quantity: Type.Optional(Quantity),
    netValue: Type.Optional(Money),
    tax: Type.Optional(Money),
    lines: Type.Array(SheetLine),
  },
  closed,
);
/** A procedure evaluated for one item, or for the whole project (without `quantity`). */
export type Sheet = Static<typeof Sheet>;

/** All sheets of one procedure; `items` is keyed by basket item id. */
export const Calculation = Type.Object(
  { scheme: Key, header: Sheet, items: Type.Record(Type.String(), Sheet) },
  closed,
);
/** All sheets of one procedure; `items` is keyed by basket item id. */
export type Calculation = Static<typeof Calculation>;
