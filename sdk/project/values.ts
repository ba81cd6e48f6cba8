/**
 * Basic types of the project document, and of content of project files that has no member in it and is kept
 * unchanged.
 */
import { Decimal, type Static, Type } from "../schema/schema.js";

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

/** XML names without prefix: kept content is written to files again, where prefixes would be unbound. */
export const xmlNamePattern = "^[A-Za-z_][A-Za-z0-9._-]{0,99}$";

const KeptAttributes = Type.Record(Type.String({ pattern: xmlNamePattern }), Block, {
  additionalProperties: false,
});

/**
 * An unchanged element of a file. Its descendants follow it, each with a `level` one above its parent's (default: 0).
 * `of` identifies a known element by its attributes; only its further attributes are kept.
 */
export const KeptElement = Type.Object(
  {
    name: Type.String({ pattern: xmlNamePattern }),
    level: Type.Optional(Type.Integer({ minimum: 0, maximum: 64 })),
    of: Type.Optional(KeptAttributes),
    attributes: Type.Optional(KeptAttributes),
    text: Type.Optional(Block),
  },
  closed,
);
/** An unchanged element of a file. Its descendants follow it, each with a `level` one above its parent's. */
export type KeptElement = Static<typeof KeptElement>;

/**
 * Content of a project file without a member in this document. `writeObk` and `writeObx` write it again, for programs
 * that use it.
 */
export const KeptParts = Type.Object(
  { attributes: Type.Optional(KeptAttributes), elements: Type.Optional(Type.Array(KeptElement)) },
  closed,
);
/** Content of a project file without a member in this document; it is written again. */
export type KeptParts = Static<typeof KeptParts>;
