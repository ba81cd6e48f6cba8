/** The basket tree: folders, texts, articles, set articles and user articles. */
import { IsoDate, type Static, Type, Uuid } from "../schema/schema.js";
import {
  CatalogEntry,
  CustomText,
  Descriptions,
  Feature,
  Packaging,
  ProductData,
  ProductPrice,
  Property,
} from "./article-parts.js";
import { AppData, Block, closed, KeptParts, Key, Line, Quantity, Texts } from "./values.js";

const itemBase = {
  id: Uuid,
  /** By column id: a text, a number as text, or an asset key. */
  fields: Type.Optional(Type.Record(Type.String(), Line)),
  customTexts: Type.Optional(Type.Array(CustomText)),
  appData: Type.Optional(AppData),
  /** Further data of the item in a project file. */
  kept: Type.Optional(KeptParts),
};

const positionBase = {
  ...itemBase,
  quantity: Quantity,
  userDescription: Type.Optional(Descriptions),
  descriptionMode: Type.Optional(Type.Enum(["short", "long", "both"])),
  /** Not part of the totals; without a scheme for every pricing procedure. */
  inactive: Type.Optional(
    Type.Array(
      Type.Object({ scheme: Type.Optional(Key), kind: Type.Enum(["alternative", "optional"]) }, closed),
    ),
  ),
  discountable: Type.Optional(Type.Boolean()),
  nonOffer: Type.Optional(Type.Boolean()),
  nonOrder: Type.Optional(Type.Boolean()),
  packaging: Type.Optional(Packaging),
  /** Category id by tax type id; default: "standard_rate". */
  taxCategories: Type.Optional(Type.Record(Type.String(), Key)),
  images: Type.Optional(Type.Array(Type.Object({ tag: Line, asset: Key }, closed))),
  children: Type.Optional(Type.Array(Type.Ref("Item"))),
};

const FolderItem = Type.Object(
  {
    type: Type.Literal("folder"),
    ...itemBase,
    name: Texts,
    longText: Type.Optional(Texts),
    showSubTotal: Type.Optional(Type.Boolean()),
    children: Type.Array(Type.Ref("Item")),
  },
  closed,
);

const TextItem = Type.Object(
  { type: Type.Literal("text"), ...itemBase, text: Texts, longText: Type.Optional(Texts) },
  closed,
);

const ArticleItem = Type.Object(
  {
    type: Type.Literal("article"),
    ...positionBase,
    articleKind: Type.Enum(["article", "aggregate", "partialPlanning", "ocd"]),
    manufacturerId: Line,
    seriesId: Line,
    distributionRegion: Type.Optional(Line),
    /** Location of the product data, for applications that configure the article. */
    productData: Type.Optional(ProductData),
    catalogId: Type.Optional(Line),
    /** Catalogue data of the article besides its id. */
    catalogEntry: Type.Optional(CatalogEntry),
    baseArticleNumber: Line,
    finalArticleNumber: Type.Optional(Line),
    variantCode: Type.Optional(Line),
    ofmlVariantCode: Type.Optional(Block),
    useFinalArticleNumber: Type.Boolean(),
    productDescription: Descriptions,
    features: Type.Array(Feature),
    properties: Type.Optional(Type.Array(Property)),
    /** Set on every sub-article of a composite. */
    mainArticleId: Type.Optional(Uuid),
    /** A structural article without its own price. */
    pseudoArticle: Type.Optional(Type.Boolean()),
    setArticleId: Type.Optional(Uuid),
    priceDate: Type.Optional(IsoDate),
    productPrices: Type.Array(ProductPrice),
    classifications: Type.Optional(
      Type.Array(
        Type.Object(
          {
            system: Line,
            version: Type.Optional(Line),
            classId: Line,
            description: Type.Optional(Texts),
          },
          closed,
        ),
      ),
    ),
    addStateCodes: Type.Optional(Type.Array(Type.Object({ domain: Line, value: Line }, closed))),
    inconsistency: Type.Optional(
      Type.Object({ flagged: Type.Boolean(), reasons: Type.Optional(Type.Array(Block)) }, closed),
    ),
    updateState: Type.Optional(Line),
    planning: Type.Optional(
      Type.Object(
        {
          roomId: Type.Optional(Line),
          position: Type.Optional(Type.Array(Type.Number())),
          rotation: Type.Optional(Type.Array(Type.Number())),
        },
        closed,
      ),
    ),
  },
  closed,
);

const SetArticleItem = Type.Object(
  {
    type: Type.Literal("setArticle"),
    ...positionBase,
    articleNumber: Type.Optional(Line),
    manufacturerId: Type.Optional(Line),
    seriesId: Type.Optional(Line),
    collapsed: Type.Optional(Type.Boolean()),
    children: Type.Array(Type.Ref("Item")),
  },
  closed,
);

const UserArticleItem = Type.Object(
  {
    type: Type.Literal("userArticle"),
    ...positionBase,
    manufacturerId: Type.Optional(Line),
    manufacturerName: Type.Optional(Line),
    seriesId: Type.Optional(Line),
    seriesName: Type.Optional(Line),
    articleNumber: Type.Optional(Line),
    productPrices: Type.Array(ProductPrice),
  },
  closed,
);

/** A node of the basket tree. */
export const Item = Type.Cyclic(
  {
    Item: Type.Union([
      Type.Ref("FolderItem"),
      TextItem,
      Type.Ref("ArticleItem"),
      Type.Ref("SetArticleItem"),
      Type.Ref("UserArticleItem"),
    ]),
    FolderItem,
    ArticleItem,
    SetArticleItem,
    UserArticleItem,
  },
  "Item",
);
/** A node of the basket tree; `type` gives its kind. */
export type Item = Static<typeof Item>;
/** A folder with a name and items; it has no price. */
export type FolderItem = Extract<Item, { type: "folder" }>;
/** A text between other items. */
export type TextItem = Extract<Item, { type: "text" }>;
/**
 * An article of a manufacturer. Parts of a composite are its `children`, or are elsewhere with its id in
 * `mainArticleId`; `nestedBasket` puts them in place.
 */
export type ArticleItem = Extract<Item, { type: "article" }>;
/** A set: its price is the sum of its parts, which are its `children`. */
export type SetArticleItem = Extract<Item, { type: "setArticle" }>;
/** An article created by a user, with its own names and prices. */
export type UserArticleItem = Extract<Item, { type: "userArticle" }>;
/** An item with a quantity and a price. */
export type PositionItem = ArticleItem | SetArticleItem | UserArticleItem;
