/** Basic types of the project document. */
import { Decimal, type Static, Type } from "../schema.js";

/** Unknown members are refused. */
export const closed = { additionalProperties: false } as const;
/** One line of text. */
export const Line = Type.String({ maxLength: 4000 });
/** Text of any length that a report may print. */
export const Block = Type.String({ maxLength: 200_000 });
/** An identifier within the project. */
export const Key = Type.String({ minLength: 1, maxLength: 200 });
/** Data that applications store in a project for their own use. */
export const AppData = Type.Record(Type.String(), Type.Unknown());

/** One text in one language; `lang` is a tag such as "de", "de_DE" or "und". */
export const Text = Type.Object(
  {
    lang: Type.String({ maxLength: 35 }),
    value: Block,
    format: Type.Optional(Type.Enum(["plain", "html", "iml", "xml", "json"])),
  },
  closed,
);
/** One text in one language; plain unless `format` says otherwise. `plainText` converts any format. */
export type Text = Static<typeof Text>;

/** A text in several languages; their order is the order of fallback. */
export const Texts = Type.Array(Text);
/** A text in several languages, in the order of fallback. `chooseText` finds the one to display. */
export type Texts = Static<typeof Texts>;

/** ISO 4217 code. */
export const Currency = Type.String({ pattern: "^[A-Z]{3}$" });

/** A decimal amount in a currency. */
export const Money = Type.Object({ value: Decimal, currency: Currency }, closed);
/** A decimal amount, such as `{ value: "1052.40", currency: "EUR" }`. */
export type Money = Static<typeof Money>;

/** A decimal count in a unit (UN/ECE Recommendation 20; "C62" is one piece). */
export const Quantity = Type.Object(
  { value: Decimal, unit: Type.String({ minLength: 1, maxLength: 20 }) },
  closed,
);
/** A decimal count in a unit (UN/ECE Recommendation 20), such as `{ value: "2", unit: "C62" }` for two pieces. */
export type Quantity = Static<typeof Quantity>;

/** The amount of a price line or condition record: money, a percentage (20 means 20 %), or a quantity. */
export const Amount = Type.Union([
  Type.Object({ kind: Type.Literal("money"), value: Decimal, currency: Currency }, closed),
  Type.Object({ kind: Type.Literal("percentage"), value: Decimal }, closed),
  Type.Object(
    { kind: Type.Literal("quantity"), value: Decimal, unit: Type.String({ maxLength: 20 }) },
    closed,
  ),
]);
/**
 * The amount of a price line or condition record; `kind` distinguishes money, a percentage (20 means 20 %), and a
 * quantity.
 */
export type Amount = Static<typeof Amount>;
