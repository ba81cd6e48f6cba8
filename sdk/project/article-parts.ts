/** What an article consists of. */
import { Decimal, type Static, Type, Uuid } from "../schema.js";
import { Amount, Currency, closed, Key, Line, Money, Quantity, Texts } from "./values.js";

/** A column that users of the project have made; items hold their values under its id, or under that of `fallbackColumnId`. */
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
/** A column that users of the project have made. */
export type Column = Static<typeof Column>;

/** The texts of an article: one line, all of it, and its configuration in words. */
export const Descriptions = Type.Object(
  { shortText: Type.Optional(Texts), longText: Type.Optional(Texts), featureText: Type.Optional(Texts) },
  closed,
);
/** The texts of an article: one line, all of it, and its configuration in words. */
export type Descriptions = Static<typeof Descriptions>;

/** One configured property of an article; invisible ones are internal. */
export const Feature = Type.Object(
  { name: Line, value: Line, nameText: Texts, valueText: Texts, visible: Type.Boolean() },
  closed,
);
/** One configured property of an article in symbols (`name`, `value`) and in words; invisible ones are internal. */
export type Feature = Static<typeof Feature>;

/** A property of the article data behind an article, configurable or not. */
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
/** A property of the article data behind an article, configurable or not. */
export type Property = Static<typeof Property>;

/** A discount of a list price; below zero it is a surcharge. */
const PriceDiscount = Type.Object(
  {
    label: Type.Optional(Texts),
    /** A percentage of what is left of the price, or money per `perQuantity` of the price. */
    amount: Type.Union([
      Type.Object({ kind: Type.Literal("percentage"), value: Decimal }, closed),
      Type.Object({ kind: Type.Literal("money"), value: Decimal, currency: Currency }, closed),
    ]),
  },
  closed,
);

/**
 * Where the product data of an article are. `manufacturerId` and `seriesId` are those of the data, where they differ from
 * the commercial ones; `databaseType` is "ocd" when absent.
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
/** Where the product data of an article are; ids that are absent are the commercial ones. */
export type ProductData = Static<typeof ProductData>;

/** The entry of an article in its catalogue; its number there is `baseArticleNumber` when absent. */
export const CatalogEntry = Type.Object(
  {
    version: Type.Optional(Line),
    articleNumber: Type.Optional(Line),
    variantCode: Type.Optional(Line),
  },
  closed,
);
/** The entry of an article in its catalogue; its number there is `baseArticleNumber` when absent. */
export type CatalogEntry = Static<typeof CatalogEntry>;

/** A list price per `perQuantity` (one piece when absent); components are the variant prices on top of `base`. */
export const ProductPrice = Type.Object(
  {
    side: Type.Enum(["purchase", "sales"]),
    base: Money,
    components: Type.Optional(Type.Array(Type.Object({ label: Texts, amount: Amount }, closed))),
    perQuantity: Type.Optional(Quantity),
    /** In order; they take the first lines of the procedure that are for such discounts and have no condition record. */
    discounts: Type.Optional(Type.Array(PriceDiscount)),
  },
  closed,
);
/** A list price per `perQuantity` (one piece when absent); `components` are the variant prices on top of `base`. */
export type ProductPrice = Static<typeof ProductPrice>;

/**
 * Size and weight of one article as it is packed; each in the unit that it names. `tareWeight` is that of the packaging
 * alone.
 */
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
/** Size and weight of one article as it is packed; each in the unit that it names. */
export type Packaging = Static<typeof Packaging>;

/** Additional text (`@add`) and special model information ("71") of an item, among others. */
export const CustomText = Type.Object({ id: Key, visible: Type.Boolean(), text: Texts }, closed);
/** A further text of an item by the id of its kind, such as `@add`. */
export type CustomText = Static<typeof CustomText>;
