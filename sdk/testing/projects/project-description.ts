/** What `projectOf` makes projects of. Only what a test is about has to be said; the rest has defaults. */
import type {
  Address,
  AddressType,
  ConditionRecord,
  Contact,
  ProjectDocument,
  ProjectHeader,
  ProjectSettings,
  View,
} from "../../project/document.js";
import type { TextDescription } from "./described-values.js";
import type { ItemDescription } from "./item-description.js";

/** A project in a few words. */
export interface ProjectDescription {
  /** Default `id(0)`, which no item has. */
  id?: string;
  /** Default "Project". */
  name?: string;
  /** Default "P-1". */
  number?: string;
  /** More of the header, such as dates and texts. */
  header?: ProjectHeader;
  /** Of the texts, the quote's first; default `["en"]`. Texts without a language are in the first one. */
  languages?: readonly string[];
  /** Of the project and of prices that name none; default "EUR". */
  currency?: string;
  /** Default: the project's own. */
  referenceCurrency?: string;
  /** Units of a currency per one unit of the reference currency, such as `{ USD: "1.08" }`; default none. */
  exchangeRates?: Readonly<Record<string, string>>;
  /** Percent of value added tax by category; default `{ standard_rate: "19", reduced_rate: "7" }`. */
  taxRates?: Readonly<Record<string, string>>;
  /** Rounding, further taxes and the like in place of the defaults. */
  settings?: Partial<ProjectSettings>;
  /** The basket; default none. They get the ids `id(1)`, `id(2)` and so on in reading order. */
  items?: readonly ItemDescription[];
  /** Percent off the whole project, such as "5"; a header condition of STDB2B_WBK, level 410. */
  discount?: string;
  /** Further records of conditions. */
  conditions?: readonly ConditionRecord[];
  /** Addresses by type; a text is the name alone. */
  addresses?: Readonly<Partial<Record<AddressType, string | Omit<Address, "addressType">>>>;
  /** Persons; addresses refer to them by `contactIds`. */
  contacts?: readonly Contact[];
  /** Default: "Maker <id>" and "Series <id>" for all that the items name. */
  manufacturers?: Readonly<Record<string, ManufacturerDescription>>;
  /** The first one is the default view of the project; without any, the basket is listed as it is. */
  views?: readonly ViewDescription[];
  /** Any other member of the document as it is; it counts more than what is said above. */
  more?: Partial<ProjectDocument>;
}

/** A maker of articles. */
export interface ManufacturerDescription {
  /** What people call it. */
  name: TextDescription;
  /** Names of its series by their ids. */
  series?: Readonly<Record<string, TextDescription>>;
}

/** Lists the basket as it is, but for what is said here. Ids begin with `id(900)`, unless they are given. */
export interface ViewDescription extends Partial<View> {
  /** What people choose it by. */
  name: string;
}
