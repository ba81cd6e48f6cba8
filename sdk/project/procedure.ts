/** Pricing procedures: lines, condition types and entered records. */
import { type Static, Type, Uuid } from "../schema.js";
import { KeptParts } from "./kept-parts.js";
import { Amount, Block, closed, Key, Line, Quantity, Texts } from "./values.js";

/** How values are rounded: to the nearest amount, away from zero, towards zero, or not at all. */
const RoundingRule = Type.Enum(["nearest", "up", "down", "none"]);

/** What computes a line where it is no plain sum: statements such as `value = netval.subtract(base).round();`. */
const ValueFormula = Type.Object(
  {
    /** For each item, or for sheets that add up several items. */
    level: Type.Enum(["item", "aggregate"]),
    text: Block,
    /** Of the program that wrote the formula; kept with a formula that nobody changed. */
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
    /** What a subtotal computes when it is no plain sum, such as a margin. */
    subtotalType: Type.Optional(Key),
    accessMethod: Type.Optional(Key),
    formulas: Type.Optional(Type.Array(ValueFormula)),
  },
  closed,
);
/** One line of a pricing procedure at `level.counter`; `from` and `to` are levels that it adds up or is a percentage of. */
export type ProcedureLine = Static<typeof ProcedureLine>;

/** How an amount on a line counts: as a price, as a discount or surcharge, or as a tax, and in what it is measured. */
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
    /** Absent: to the nearest amount. "up" is away from zero and "down" towards it, whatever the sign. */
    roundingRule: Type.Optional(RoundingRule),
    /** Tax type of the project's tax scheme that a tax condition reads, such as "VAT". */
    taxType: Type.Optional(Key),
  },
  closed,
);
/** How an amount on a line counts: as a price, as a discount or surcharge, or as a tax, and in what it is measured. */
export type ConditionType = Static<typeof ConditionType>;

/** How a subtotal computes and rounds; `subtotalType` of a line names it. */
const SubtotalType = Type.Object(
  {
    name: Key,
    /** What its amount is: a percentage, or money for one unit. */
    rule: Type.Optional(Type.Enum(["percent", "quantity"])),
    /** Absent: to the nearest amount. */
    roundingRule: Type.Optional(RoundingRule),
    /** What the running sum is above the lines that it names. */
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
    /** What a project file said of the calculation beyond these members. */
    kept: Type.Optional(KeptParts),
  },
  closed,
);
/** A calculation scheme: ordered lines and the condition types that they use. `checkProcedure` says what is wrong with one. */
export type PricingProcedure = Static<typeof PricingProcedure>;

/**
 * An amount that somebody entered or a price profile gave for one line of the procedure: for the item `itemId`, or,
 * without it, for the whole project (a header condition). `perQuantity` is the quantity that the amount is for.
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
 * An amount that somebody entered, or a price profile gave, for one line of a procedure: of an item, or of the whole
 * project.
 */
export type ConditionRecord = Static<typeof ConditionRecord>;
