/** Pricing procedures: lines, condition types and condition records; calculation sheets: a procedure evaluated. */
import { type Static, Type, Uuid } from "../schema/schema.js";
import { Amount, Block, Currency, closed, KeptParts, Key, Line, Money, Quantity, Texts } from "./values.js";

/** Rounding of values: to the nearest amount, away from zero, towards zero, or not at all. */
const RoundingRule = Type.Enum(["nearest", "up", "down", "none"]);

/** The formula of a line that is not a plain sum: statements such as `value = netval.subtract(base).round();`. */
const ValueFormula = Type.Object(
  {
    /** For single items, or for sheets that add up several items. */
    level: Type.Enum(["item", "aggregate"]),
    text: Block,
    /** Signature of the program that wrote the formula; kept with an unchanged formula. */
    signature: Type.Optional(Line),
  },
  closed,
);

/** One line of a pricing procedure at `level.counter`. */
export const ProcedureLine = Type.Object(
  {
    level: Type.Integer({ minimum: 0 }),
    counter: Type.Integer({ minimum: 0 }),
    kind: Type.Enum(["condition", "subtotal", "text", "break"]),
    label: Type.Optional(Texts),
    conditionType: Type.Optional(Key),
    tags: Type.Array(Key),
    from: Type.Optional(Type.Integer({ minimum: 0 })),
    to: Type.Optional(Type.Integer({ minimum: 0 })),
    parent: Type.Optional(Type.Integer({ minimum: 0 })),
    insertMode: Type.Enum(["always", "manual", "auto"]),
    printControl: Type.Optional(Key),
    /** The computation of a subtotal that is not a plain sum, such as a margin. */
    subtotalType: Type.Optional(Key),
    accessMethod: Type.Optional(Key),
    formulas: Type.Optional(Type.Array(ValueFormula)),
  },
  closed,
);
/**
 * One line of a pricing procedure at `level.counter`; `from` and `to` are the levels that it adds up or takes a
 * percentage of.
 */
export type ProcedureLine = Static<typeof ProcedureLine>;

/** The type of a line's amount: a price, a discount or surcharge, or a tax, and its unit of measure. */
export const ConditionType = Type.Object(
  {
    name: Key,
    label: Texts,
    conditionClass: Type.Enum(["price", "priceModifier", "tax"]),
    sign: Type.Optional(Type.Enum(["negative", "positive"])),
    rule: Type.Enum(["percent", "fixedAmount", "quantity", "grossWeight", "netWeight", "volume", "rounding"]),
    group: Type.Boolean(),
    header: Type.Boolean(),
    roundAt: Type.Enum(["item", "aggregate"]),
    distributeResidue: Type.Boolean(),
    /** Default: to the nearest amount. "up" is away from zero and "down" towards it, for both signs. */
    roundingRule: Type.Optional(RoundingRule),
    /** Tax type of the project's tax scheme that a tax condition reads, such as "VAT". */
    taxType: Type.Optional(Key),
  },
  closed,
);
/** The type of a line's amount: a price, a discount or surcharge, or a tax, and its unit of measure. */
export type ConditionType = Static<typeof ConditionType>;

/** Computation and rounding of a subtotal; referred to by `subtotalType` of a line. */
const SubtotalType = Type.Object(
  {
    name: Key,
    /** The kind of its amount: a percentage, or money per unit. */
    rule: Type.Optional(Type.Enum(["percent", "quantity"])),
    /** Default: to the nearest amount. */
    roundingRule: Type.Optional(RoundingRule),
    /** The difference between the running sum and the lines that it refers to. */
    margin: Type.Optional(Type.Boolean()),
  },
  closed,
);

/** A calculation scheme: ordered lines and the condition types that they use. */
export const PricingProcedure = Type.Object(
  {
    name: Key,
    label: Texts,
    halfWay: Type.Enum(["even", "up"]),
    lines: Type.Array(ProcedureLine),
    conditionTypes: Type.Array(ConditionType),
    subtotalTypes: Type.Optional(Type.Array(SubtotalType)),
    /** Further data of the calculation in a project file. */
    kept: Type.Optional(KeptParts),
  },
  closed,
);
/**
 * A calculation scheme: ordered lines and the condition types that they use. `checkProcedure` finds problems in one.
 */
export type PricingProcedure = Static<typeof PricingProcedure>;

/**
 * An amount for one line of the procedure, entered manually or from a price profile: for the item `itemId`, or without
 * it for the whole project (a header condition). `perQuantity` is the quantity that the amount refers to.
 */
export const ConditionRecord = Type.Object(
  {
    scheme: Type.Optional(Key),
    itemId: Type.Optional(Uuid),
    level: Type.Integer({ minimum: 0 }),
    counter: Type.Integer({ minimum: 0 }),
    amount: Amount,
    perQuantity: Type.Optional(Quantity),
    label: Type.Optional(Texts),
  },
  closed,
);
/**
 * An amount for one line of a procedure, entered manually or from a price profile: of an item, or of the whole project.
 */
export type ConditionRecord = Static<typeof ConditionRecord>;

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
