/**
 * Descriptions of projects for `projectOf`. Everything has a default, so a test states only what matters to it. The first
 * member of an item determines its kind.
 */
import type {
  Address,
  AddressType,
  ArticleItem,
  ConditionRecord,
  Contact,
  FolderItem,
  Packaging,
  ProjectDocument,
  ProjectHeader,
  ProjectSettings,
  SetArticleItem,
  TextItem,
  UserArticleItem,
  View,
} from "../../project/document.js";
import type { PriceDescription, TextDescription } from "./described-values.js";

/** A short description of a project. */
export interface ProjectDescription {
  /** Default `id(0)`, which no item uses. */
  id?: string;
  /** Default "Project". */
  name?: string;
  /** Default "P-1". */
  number?: string;
  /** Further header members, such as dates and texts. */
  header?: ProjectHeader;
  /**
   * Languages of texts, the quote language first; default `["en"]`. Texts without a language are in the first
   * one.
   */
  languages?: readonly string[];
  /** Currency of the project, and of prices without one; default "EUR". */
  currency?: string;
  /** Default: the project's currency. */
  referenceCurrency?: string;
  /** Units of a currency per unit of the reference currency, such as `{ USD: "1.08" }`; default none. */
  exchangeRates?: Readonly<Record<string, string>>;
  /** Percentage of value added tax by category; default `{ standard_rate: "19", reduced_rate: "7" }`. */
  taxRates?: Readonly<Record<string, string>>;
  /** Settings that replace the defaults, such as rounding and further taxes. */
  settings?: Partial<ProjectSettings>;
  /** The basket; default none. Items get the ids `id(1)`, `id(2)` and so on in reading order. */
  items?: readonly ItemDescription[];
  /** Percentage off the whole project, such as "5"; a header condition of STDB2B_WBK, level 410. */
  discount?: string;
  /** Further condition records. */
  conditions?: readonly ConditionRecord[];
  /** Addresses by type; a string is the name only. */
  addresses?: Readonly<Partial<Record<AddressType, string | Omit<Address, "addressType">>>>;
  /** Contacts; addresses refer to them by `contactIds`. */
  contacts?: readonly Contact[];
  /** Default: "Maker <id>" and "Series <id>" for all ids used by items. */
  manufacturers?: Readonly<Record<string, ManufacturerDescription>>;
  /** The first one is the default view; without any, the basket is listed unchanged. */
  views?: readonly ViewDescription[];
  /** Any other members of the document; they override everything above. */
  more?: Partial<ProjectDocument>;
}

/** A manufacturer of articles. */
export interface ManufacturerDescription {
  /** Its display name. */
  name: TextDescription;
  /** Names of its series by id. */
  series?: Readonly<Record<string, TextDescription>>;
}

/** Lists the basket unchanged, except for the members given here. Ids start at `id(900)`, unless given. */
export interface ViewDescription extends Partial<View> {
  /** Its display name. */
  name: string;
}

/** An item of any type; a member that only this type has determines it. */
export type ItemDescription =
  | ArticleDescription
  | UserArticleDescription
  | SetDescription
  | FolderDescription
  | NoteDescription;

/** Members of all items. */
export interface AnyItem {
  /** The item gets the id `id(<id>)`; default: the next free number in reading order. */
  id?: number;
  /** Number in the client's order system, a column of the basket. */
  externalNumber?: string;
}

/** Members of all articles, user articles and sets. */
export interface AnyPosition extends AnyItem {
  /** Default 1. */
  quantity?: number | string;
  /** Code of UN/ECE Recommendation 20; default "C62", a piece. */
  unit?: string;
  /** List price per unit; without it, the position has none. */
  sales?: PriceDescription;
  /** List price per unit for the dealer; without it, the position has none. */
  purchase?: PriceDescription;
  /** Percentage off the sales price, such as "10"; a condition of STDB2B_WBK, level 210. */
  discount?: string;
  /** Percentage off the purchase price; level 20. */
  purchaseDiscount?: string;
  /** Short text. */
  text?: TextDescription;
  /** Long text. */
  longText?: TextDescription;
  /** Additional text of the position. */
  remark?: TextDescription;
  /** Bytes of a PNG or JPEG, for example from `pngPicture()`: the article's own picture. */
  picture?: Uint8Array;
  /** Further pictures by tag. */
  taggedPictures?: Readonly<Record<string, Uint8Array>>;
  /** Category of value added tax; default "standard_rate". */
  taxCategory?: string;
  /**
   * Alternative and optional positions are not part of the totals; the others are excluded from offers or
   * orders.
   */
  status?: "alternative" | "optional" | "nonOffer" | "nonOrder";
  /** Size and weight of one packed unit. */
  packaging?: Packaging;
}

/** A manufacturer's article; with `parts`, a composite. */
export interface ArticleDescription extends AnyPosition {
  /** Base article number. */
  article: string;
  /** Number of the configured variant; if given, projects show it instead of the base number. */
  finalNumber?: string;
  /** Id of the manufacturer; default "MF". */
  manufacturer?: string;
  /** Id of the series; default "S1". */
  series?: string;
  /** Text of the variant. */
  featureText?: TextDescription;
  /** Configured properties by name: `{ Colour: "black" }`. */
  features?: Readonly<Record<string, TextDescription | FeatureDescription>>;
  /** The parts of the composite that this article is the main article of. */
  parts?: readonly ItemDescription[];
  /** Any other members of the item, unchanged. */
  more?: Partial<Omit<ArticleItem, "type">>;
}

/** A configured property of an article. */
export interface FeatureDescription {
  /** Default: the property's name. */
  label?: TextDescription;
  /** The value as a text, such as "black". */
  text: TextDescription;
  /** Symbolic value; default "V1". */
  value?: string;
  /** Invisible properties are internal; default true. */
  visible?: boolean;
}

/** An article entered by a user. */
export interface UserArticleDescription extends AnyPosition {
  /** Article number. */
  userArticle: string;
  /** As entered by the user. */
  manufacturerName?: string;
  /** As entered by the user. */
  seriesName?: string;
  /** Any other members of the item, unchanged. */
  more?: Partial<Omit<UserArticleItem, "type">>;
}

/** Articles sold as a unit; its price is the sum of their prices. */
export interface SetDescription
  extends Omit<AnyPosition, "sales" | "purchase" | "discount" | "purchaseDiscount"> {
  /** Article number. */
  set: string;
  /** The members of the set. */
  items: readonly ItemDescription[];
  /** Any other members of the item, unchanged. */
  more?: Partial<Omit<SetArticleItem, "type">>;
}

/** A folder of the basket. */
export interface FolderDescription extends AnyItem {
  /** Its name. */
  folder: TextDescription;
  /** The items in the folder. */
  items: readonly ItemDescription[];
  /** Long text. */
  longText?: TextDescription;
  /** Default false. */
  subtotal?: boolean;
  /** Any other members of the item, unchanged. */
  more?: Partial<Omit<FolderItem, "type">>;
}

/** A text between the articles. */
export interface NoteDescription extends AnyItem {
  /** The text. */
  note: TextDescription;
  /** Long text. */
  longText?: TextDescription;
  /** Any other members of the item, unchanged. */
  more?: Partial<Omit<TextItem, "type">>;
}
