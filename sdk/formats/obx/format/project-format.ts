/**
 * What becomes of each part of a project file: the tables of this folder as one, to be asked by name. The first one
 * is about `metainf.xml` of an OBK.
 */
import { type FormatRow, reported, type Treatment } from "./format-row.js";
import { itemFormat } from "./item-format.js";
import { priceFormat } from "./price-format.js";

const inSoldTo = "the address `SoldTo` with its contact, where the file has no such address";

const headerFormat: readonly FormatRow[] = [
  ["metainf", "@id", "read", "`id`"],
  ["metainf", "@lang @languages", "read", "`settings.languages`"],
  ["metainf", "@projState", "read", "`header.state`"],
  ["metainf", "createDate lastModDate settings", "read", ""],
  ["metainf", "persistentURIs", "kept", ""],
  ["persistentURIs", "*", "kept", ""],
  ["createDate lastModDate", "@date", "skipped", "no effect: `@utc` in local time, written anew from it"],
  ["createDate lastModDate", "@utc", "read", "`header.created`, `header.lastModified`"],
  ["createDate lastModDate", "@user", "read", "`header.createdBy`, `header.modifiedBy`"],
  ["settings", "projectData customerData contacts addresses projectTexts", "read", ""],
  ["settings basket cutBuffer", "appData", "read", "`appData` of the project"],
  ["projectData", "@projDate", "read", "`header.projectDate`"],
  ["projectData", "@validToDate", "read", "`header.validTo`"],
  ["projectData", "@version", "read", "`header.version`"],
  ["projectData", "name number description personInCharge company", "read", "`header`, same name"],
  ["projectData", "extRefNr", "read", "`header.externalReferenceNumber`"],
  ["projectData", "extRefText", "read", "`header.externalReferenceText`"],
  ["projectData", "extCustId", "read", "`header.externalCustomerId`"],
  ["projectData", "custRemarks", "read", "`header.customerRemarks`"],
  ["projectData", "genAgrmtNr", "read", "`header.generalAgreementNumber`"],
  ["projectData", "customerNumber", "read", "`header.customerNumber`"],
  ["projectData", "keywords", "read", "`header.keywords`"],
  ["keywords", "keyword", "read", ""],
  ["customerData", "customerNumber", "read", "`header.customerNumber`, where `projectData` has none"],
  ["customerData", "company", "read", "`header.company`, where `projectData` has none"],
  ["customerData", "salutation firstName lastName EmailAddr organization streetAddr city", "read", inSoldTo],
  ["customerData", "stateOrProvince cityCode POBox postalCode country phone fax", "read", inSoldTo],
  ["customerData", "POBoxPostalCode language", "kept", ""],
  ["contacts", "contact", "read", "`contacts`"],
  ["contact", "@id", "read", "`id`; in an address one of its `contactIds`"],
  ["contact", "@type", "read", "`contactType`"],
  ["contact", "contactNumber title firstName lastName", "read", "same name"],
  ["contact address", "commAddress", "read", "`commAddresses`"],
  ["commAddress", "@type @scope text()", "read", "`type`, `scope`, `value`"],
  ["addresses", "address", "read", "`addresses`"],
  ["address", "@type", "read", "`addressType`"],
  ["address", "contact", "read", "`contactIds`"],
  ["address", "addressNumber addressId title name1 name2 name3 name4 street street2", "read", "same name"],
  ["address", "countryCode postalCode location district regionCode poBox", "read", "same name"],
  ["address", "taxCode taxCodeEU taxCodeUSA", "read", "same name"],
  ["projectTexts", "projectText", "read", "`header.headerText`, `header.footerText`"],
  ["projectText", "@type text", "read", "which of the two, and its texts"],
  ["appData", "application", "read", "by its key"],
  [
    "application",
    "@key *",
    "read",
    "values by path; `artTextSet` of `pCon.basket` is `customTexts` of the item",
  ],
];

/** Kept. */
const notComputed = `not computed, ${reported}`;
const rounding = `\`settings.rounding\`, of type \`default\`; others are kept, ${notComputed}`;

const newVersion = "no effect: says who wrote the file, written anew";

const basketFormat: readonly FormatRow[] = [
  ["basket", "config topFolder docCalculation", "read", ""],
  ["basket", "view", "read", "`views`"],
  ["basket cutBuffer", "versionInfo", "skipped", newVersion],
  [
    "versionInfo",
    "@vendorKey @appKey @appVersion @bskXmlVersion @bskVersion @sessionId",
    "skipped",
    newVersion,
  ],
  ["basket", "bskCounts", "skipped", "no effect: counted anew"],
  ["bskCounts", "@items @views", "skipped", "no effect: counted anew"],
  ["basket", "bskCalc", "kept", `the older form of \`docCalculation\`; without a procedure ${notComputed}`],
  ["bskCalc", "*", "kept", `without a procedure ${notComputed}`],
  ["basket", "genImgURIs", "skipped", "no effect: written anew from the pictures of the items"],
  ["genImgURIs", "genImgURI", "skipped", "no effect: written anew"],
  ["genImgURI", "*", "skipped", "no effect: written anew from the article that has the picture"],
  ["cutBuffer", "items", "read", ""],
  ["cutBuffer", "state", "skipped", "no effect: the session of the program that wrote the file"],
  ["state", "@sessionId", "skipped", "no effect: the session of the program that wrote the file"],
  ["cutBuffer", "docCalculation", "read", "as in a basket"],
  ["cutBuffer", "header", "skipped", "an addition of some systems; order data comes with the project"],
  ["header", "*", "skipped", "an addition of some systems"],
  ["config", "column defaultView convRates taxScheme currency priceDate roundingModes", "read", ""],
  ["config", "VAT", "kept", `the older form of \`taxScheme\`; without one ${notComputed}`],
  ["VAT", "*", "kept", `without a \`taxScheme\` ${notComputed}`],
  ["column", "@id @type @name @title", "read", "`columns`, same name"],
  ["column", "@defColId", "read", "`columns`: `fallbackColumnId`"],
  ["column", "@defValue @editable @removable", "kept", ""],
  ["defaultView", "@id", "read", "`defaultViewId`"],
  ["convRates", "convRate refCurrency", "read", ""],
  ["convRate", "@currency @value", "read", "`settings.exchangeRates`"],
  ["refCurrency", "@id", "read", "`settings.referenceCurrency`"],
  ["taxScheme", "@id @name", "read", "`settings.taxScheme`, same name"],
  ["taxScheme", "@country @region @variant @currency name", "kept", "no effect on prices"],
  ["taxScheme", "taxType", "read", "`settings.taxScheme.taxTypes`"],
  ["taxScheme", "taxOrder", "read", "`settings.taxScheme.order`; no effect on prices"],
  ["taxType", "@id @unit name", "read", "`id`, `rateUnit`, `name`"],
  ["taxType", "@rndpos", "kept", `where taxes are rounded: the procedure says so; ${notComputed}`],
  ["taxType", "abbreviation", "kept", "no effect on prices"],
  ["abbreviation", "*", "kept", "no effect on prices"],
  ["taxType", "taxCategory", "read", "`categories`"],
  ["taxCategory", "@id @rate name", "read", "same name"],
  ["taxCategory", "@readOnly", "kept", "no effect on prices"],
  ["taxOrder", "tax", "read", ""],
  ["tax", "@type @order", "read", "`settings.taxScheme.order`"],
  ["currency", "@unit", "read", "`settings.currency`"],
  ["roundingModes", "@discount", "kept", notComputed],
  ["roundingModes", "roundingMode", "read", rounding],
  ["roundingMode", "@type @mode @interval", "read", rounding],
  ["roundingMode", "@begin", "kept", `of the type \`swedish\`: ${notComputed}`],
];

/** The elements of the views of an OBK. */
const items = "folder article aggregate partialPlanning userArticle mergedArticle merged group";

const allItems = `${items} setArticle text`;

const viewFormat: readonly FormatRow[] = [
  ["view", "@id @name", "read", "same name"],
  ["view", "viewConfig", "read", ""],
  ["view", "viewCounts", "skipped", "no effect: counted anew"],
  ["viewCounts", "*", "skipped", "no effect: counted anew"],
  ["viewConfig", "displayMode", "read", ""],
  ["viewConfig", "sortOrder visibleColumns", "kept", ""],
  ["sortOrder visibleColumns", "*", "kept", ""],
  ["displayMode", "@mode @mergeMode @setArticleMode", "read", "`displayMode`, `mergeMode`, `setArticleMode`"],
  ["displayMode", "@expGroup @expPlFolder @expBskFolder @expPartPl @expAggr", "read", "`expand`"],
  ["displayMode", "@txtVisible", "read", "`showTexts`"],
  ["displayMode", "@nonOfferArtVisible @nonOrderArtVisible", "read", "`showNonOffer`, `showNonOrder`"],
  ["displayMode", "@nonOfferVisible @nonOrderVisible", "read", "the same, in files of earlier versions"],
  ["displayMode", "@hiddenDiscounts", "read", "`hiddenDiscounts`"],
  [`view ${allItems}`, allItems, "read", "`items`, `children`"],
  [
    allItems,
    "@viewId @basketId",
    "read",
    "`id`, `basketItemIds`; of the folder around everything `topItemId`",
  ],
  [allItems, "posNr quantity", "read", "`positionNumber`, `quantity`"],
  [allItems, "bskItemRef basketItem", "read", "`basketItemIds`"],
  [allItems, "@digest", "skipped", "no effect: made anew from the articles of the line"],
  ["posNr", "@value", "read", "`positionNumber`"],
  ["bskItemRef", "@itemId", "read", "`basketItemIds`"],
  ["basketItem", "@id @basketId", "read", "`basketItemIds`, by one of two names"],
];

/** The tables by the part of the files that they describe, in reading order. */
export const projectFormat: readonly (readonly [title: string, rows: readonly FormatRow[]])[] = [
  ["Header: metainf.xml of an OBK", headerFormat],
  ["Around the items: 1.bsk of an OBK, and OBX", basketFormat],
  ["Items, in both", itemFormat],
  ["Prices of an OBK", priceFormat],
  ["Views of an OBK", viewFormat],
];

const treatments = tableOf(projectFormat.flatMap(([, rows]) => rows));

function tableOf(rows: readonly FormatRow[]): Map<string, Map<string, Treatment>> {
  const table = new Map<string, Map<string, Treatment>>();
  const words = (text: string): string[] => text.split(/\s+/).filter((word) => word !== "");
  for (const [elements, parts, treatment] of rows) {
    for (const element of words(elements)) {
      const known = table.get(element) ?? new Map<string, Treatment>();
      table.set(element, known);
      for (const part of words(parts)) if (!known.has(part)) known.set(part, treatment);
    }
  }
  return table;
}

/**
 * How the SDK treats a part of an element: `@name` or the name of a child. Undefined for unknown parts; the
 * content of elements without a table is not inspected.
 */
export function treatmentOf(element: string, part: string): Treatment | undefined {
  const parts = treatments.get(element);
  return parts?.get(part) ?? parts?.get("*");
}

/** Whether the content of an element is not inspected part by part. */
export function isOpaque(element: string): boolean {
  return treatments.get(element)?.has("*") ?? true;
}

export const itemElements: ReadonlySet<string> = new Set(
  "topFolder bskFolder bskArticle usrArticle setArticle bskText".split(" "),
);

/** Default values of kept attributes: they are written anyway and need not be kept. */
export const usualValues: ReadonlyMap<string, string> = new Map([
  ["roundingModes@discount", "none"],
  ["taxType@rndpos", "header"],
  ["docCalculation@usedFeatures", "LevelTree"],
]);
