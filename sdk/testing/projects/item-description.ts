/** What `projectOf` makes items of: the first member says which kind of item it is. */
import type {
  ArticleItem,
  FolderItem,
  Packaging,
  SetArticleItem,
  TextItem,
  UserArticleItem,
} from "../../project/document.js";
import type { PriceDescription, TextDescription } from "./described-values.js";

/** An item of any kind; the member that only this kind has says which. */
export type ItemDescription =
  | ArticleDescription
  | UserArticleDescription
  | SetDescription
  | FolderDescription
  | NoteDescription;

/** What every item has. */
export interface AnyItem {
  /** The item has the id `id(<id>)`; without it the next number in reading order that is free. */
  id?: number;
  /** Number in the order system of the client, a column of the basket. */
  externalNumber?: string;
}

/** What all kinds of articles have. */
export interface AnyPosition extends AnyItem {
  /** Default 1. */
  quantity?: number | string;
  /** Code of UN/ECE Recommendation 20; default "C62", a piece. */
  unit?: string;
  /** List price of one; without it the position has none. */
  sales?: PriceDescription;
  /** List price of one for the dealer; without it the position has none. */
  purchase?: PriceDescription;
  /** Percent off the sales price, such as "10"; a condition of STDB2B_WBK, level 210. */
  discount?: string;
  /** Percent off the purchase price; level 20. */
  purchaseDiscount?: string;
  /** Short text. */
  text?: TextDescription;
  /** Long text. */
  longText?: TextDescription;
  /** Additional text of the position. */
  remark?: TextDescription;
  /** Bytes of a PNG or JPEG, such as `pngPicture()` gives: the article's own picture. */
  picture?: Uint8Array;
  /** Further pictures by their tags. */
  taggedPictures?: Readonly<Record<string, Uint8Array>>;
  /** Category of value added tax; default "standard_rate". */
  taxCategory?: string;
  /** Alternative and optional positions are not part of the totals; the others are missing in offers or in orders. */
  status?: "alternative" | "optional" | "nonOffer" | "nonOrder";
  /** Size and weight of one, packed. */
  packaging?: Packaging;
}

/** An article of a manufacturer; with `parts`, a composite and what it consists of. */
export interface ArticleDescription extends AnyPosition {
  /** Base article number. */
  article: string;
  /** With the variant in it; when it is given, projects show it in place of the base number. */
  finalNumber?: string;
  /** Id of the manufacturer; default "MF". */
  manufacturer?: string;
  /** Id of the series; default "S1". */
  series?: string;
  /** Text of the variant. */
  featureText?: TextDescription;
  /** Configured properties by their names: `{ Colour: "black" }`. */
  features?: Readonly<Record<string, TextDescription | FeatureDescription>>;
  /** Makes it the main article of a composite. */
  parts?: readonly ItemDescription[];
  /** Any other member of the item as it is. */
  more?: Partial<Omit<ArticleItem, "type">>;
}

/** A configured property of an article. */
export interface FeatureDescription {
  /** Default: the name by which it stands in the description. */
  label?: TextDescription;
  /** The value in words, such as "black". */
  text: TextDescription;
  /** Symbolic value; default "V1". */
  value?: string;
  /** Invisible ones are internal; default true. */
  visible?: boolean;
}

/** An article that a user has entered by hand. */
export interface UserArticleDescription extends AnyPosition {
  /** Article number. */
  userArticle: string;
  /** As the user has entered it. */
  manufacturerName?: string;
  /** As the user has entered it. */
  seriesName?: string;
  /** Any other member of the item as it is. */
  more?: Partial<Omit<UserArticleItem, "type">>;
}

/** Articles that are sold as one; its price is the sum of their prices. */
export interface SetDescription
  extends Omit<AnyPosition, "sales" | "purchase" | "discount" | "purchaseDiscount"> {
  /** Article number. */
  set: string;
  /** What it consists of. */
  items: readonly ItemDescription[];
  /** Any other member of the item as it is. */
  more?: Partial<Omit<SetArticleItem, "type">>;
}

/** A folder of the basket. */
export interface FolderDescription extends AnyItem {
  /** Its name. */
  folder: TextDescription;
  /** What lies in it. */
  items: readonly ItemDescription[];
  /** Long text. */
  longText?: TextDescription;
  /** Default false. */
  subtotal?: boolean;
  /** Any other member of the item as it is. */
  more?: Partial<Omit<FolderItem, "type">>;
}

/** A text between the articles. */
export interface NoteDescription extends AnyItem {
  /** What it says. */
  note: TextDescription;
  /** Long text. */
  longText?: TextDescription;
  /** Any other member of the item as it is. */
  more?: Partial<Omit<TextItem, "type">>;
}
