/** Components of articles. */
import { Decimal, type Static, Type, Uuid } from "../schema/schema.js";
import { Amount, Currency, closed, Key, Line, Money, Quantity, Texts } from "./values.js";

/** A user-defined column. Items have values under its id, or under that of `fallbackColumnId`. */
export const Column = Type.Object(
  {
    id: Uuid,
    type: Type.Enum(["builtin", "text", "number", "boolean", "image", "eclass"]),
    name: Line,
    title: Type.Optional(Line),
    fallbackColumnId: Type.Optional(Uuid),
  },
  closed,
);
/** A user-defined column. */
export type Column = Static<typeof Column>;

/** The texts of an article: short, long, and its configuration in words. */
export const Descriptions = Type.Object(
  { shortText: Type.Optional(Texts), longText: Type.Optional(Texts), featureText: Type.Optional(Texts) },
  closed,
);
/** The texts of an article: short, long, and its configuration in words. */
export type Descriptions = Static<typeof Descriptions>;

/** One configured property of an article; invisible ones are internal. */
export const Feature = Type.Object(
  { name: Line, value: Line, nameText: Texts, valueText: Texts, visible: Type.Boolean() },
  closed,
);
/** One configured property of an article, as symbols (`name`, `value`) and in words; invisible ones are internal. */
export type Feature = Static<typeof Feature>;

/** A property of an article's product data, configurable or not. */
export const Property = Type.Object(
  {
    className: Line,
    name: Line,
    value: Line,
    nameText: Type.Optional(Texts),
    valueText: Type.Optional(Texts),
    dataType: Type.Optional(Type.Enum(["character", "numeric", "length", "boolean"])),
  },
  closed,
);
/** A property of an article's product data, configurable or not. */
export type Property = Static<typeof Property>;

/** A discount on a list price; a negative one is a surcharge. */
const PriceDiscount = Type.Object(
  {
    label: Type.Optional(Texts),
    /** A percentage of the remaining price, or money per `perQuantity` of the price. */
    amount: Type.Union([
      Type.Object({ kind: Type.Literal("percentage"), value: Decimal }, closed),
      Type.Object({ kind: Type.Literal("money"), value: Decimal, currency: Currency }, closed),
    ]),
  },
  closed,
);

/**
 * Location of an article's product data. `manufacturerId` and `seriesId` are set if they differ from the commercial
 * ones; default of `databaseType`: "ocd".
 */
export const ProductData = Type.Object(
  {
    databaseType: Type.Optional(Line),
    packageName: Type.Optional(Line),
    manufacturerId: Type.Optional(Line),
    seriesId: Type.Optional(Line),
    programId: Type.Optional(Line),
    salesOnly: Type.Optional(Type.Boolean()),
  },
  closed,
);
/** Location of an article's product data; absent ids equal the commercial ones. */
export type ProductData = Static<typeof ProductData>;

/** The catalogue entry of an article; its number there defaults to `baseArticleNumber`. */
export const CatalogEntry = Type.Object(
  {
    version: Type.Optional(Line),
    articleNumber: Type.Optional(Line),
    variantCode: Type.Optional(Line),
  },
  closed,
);
/** The catalogue entry of an article; its number there defaults to `baseArticleNumber`. */
export type CatalogEntry = Static<typeof CatalogEntry>;

/** A list price per `perQuantity` (default: one piece); components are the variant prices on top of `base`. */
export const ProductPrice = Type.Object(
  {
    side: Type.Enum(["purchase", "sales"]),
    base: Money,
    components: Type.Optional(Type.Array(Type.Object({ label: Texts, amount: Amount }, closed))),
    perQuantity: Type.Optional(Quantity),
    /** In order; they use the procedure's first lines for such discounts that have no condition record. */
    discounts: Type.Optional(Type.Array(PriceDiscount)),
  },
  closed,
);
/** A list price per `perQuantity` (default: one piece); `components` are the variant prices on top of `base`. */
export type ProductPrice = Static<typeof ProductPrice>;

/** Size and weight of one packed article, each with its own unit. `tareWeight` is the weight of the packaging alone. */
export const Packaging = Type.Object(
  {
    width: Type.Optional(Quantity),
    height: Type.Optional(Quantity),
    depth: Type.Optional(Quantity),
    volume: Type.Optional(Quantity),
    tareWeight: Type.Optional(Quantity),
    netWeight: Type.Optional(Quantity),
    itemsPerPackUnit: Type.Optional(Type.Number()),
    packUnitsPerArticle: Type.Optional(Type.Number()),
  },
  closed,
);
/** Size and weight of one packed article, each with its own unit. */
export type Packaging = Static<typeof Packaging>;

/** Additional text (`@add`) and special model information ("71") of an item, among others. */
export const CustomText = Type.Object({ id: Key, visible: Type.Boolean(), text: Texts }, closed);
/** A further text of an item, with the id of its kind, such as `@add`. */
export type CustomText = Static<typeof CustomText>;
