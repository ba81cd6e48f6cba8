/** Articles and user articles (OEX reference, section 5.2). */
import { type ArticleItem, articleNumbers, type PositionItem, type UserArticleItem } from "@slipway/sdk";
import { missingCode } from "../context/distinct-codes.js";
import type { OrganisationalDatum, PricingLine } from "../document/frames.js";
import type { OexArticle } from "../document/oex-document.js";
import type { FieldRepairs } from "../repair/repairs.js";
import { code, codeForms } from "../repair/value-repairs.js";
import { articleTexts, isModified } from "../texts/article-texts.js";
import { configurations } from "./configurations.js";
import type { ItemContext } from "./item-context.js";
import { clientNumber, datum, itemPlace, itemQuantity, placeData } from "./item-place.js";
import { itemMeasures } from "./measures.js";
import { obxReference, pictureReferences } from "./references.js";

// Classifications of articles (OEX reference, section 8, `aClassSystem`).

/** Predefined systems that have no version in their name. */
const withoutVersion = new Set(["UNSPSC", "ECO_FR"]);

/** Creates the article with its price lines. */
export async function createArticle(
  item: ArticleItem | UserArticleItem,
  pricing: PricingLine[],
  context: ItemContext,
): Promise<OexArticle> {
  const { repairs } = context;
  const { base, final } = articleNumbers(item);
  const number = repairs.line("baseArticleNumber", base) ?? repairs.line("finalArticleNumber", final);
  const quantity = itemQuantity(item, context);
  const codes = {
    vendor: context.codes.manufacturer(item, repairs) ?? missingVendor("manufacturerId", repairs),
    series: context.codes.seriesOf(item, repairs) ?? missingVendor("seriesId", repairs),
  };
  return {
    kind: "article",
    ...itemPlace(context),
    ...references(context),
    pseudo: item.type === "article" && item.pseudoArticle === true,
    ...stateCodes(item, context),
    ...clientNumber(item, context),
    articleNumber: number ?? repairs.requiredLine("articleNumber", "", 1, missingCode),
    status: status(item, context),
    ...codes,
    ...catalog(item),
    ...quantity,
    ...itemMeasures(item, quantity.quantity, repairs),
    classifications: item.type === "article" ? classifications(item, repairs) : [],
    configurations: item.type === "article" ? configurations(item, context) : [],
    organisation: [...placeData(item, context), ...articleData(item, context)],
    texts: articleTexts(item, number ?? "", context),
    references: [...(await pictureReferences(item, context)), ...obxReference(item, context)],
    pricing,
  };
}

function missingVendor(field: string, repairs: FieldRepairs): string {
  return repairs.requiredCode(field, "", codeForms.vendor, missingCode);
}

/** Created by the user, modified or original. */
function status(item: PositionItem, context: ItemContext): OexArticle["status"] {
  if (item.type !== "article") return "C";
  return isModified(item, context) ? "M" : "O";
}

/** Numbers of other items of the document. */
function references({ selected: { alternativeTo, composite } }: ItemContext) {
  return {
    ...(alternativeTo !== undefined && { alternativeTo: alternativeTo.itemNumber }),
    ...(composite !== undefined && { compositeNumber: composite.itemNumber }),
  };
}

/** OFML states; that of the meta type comes first. */
function stateCodes(item: PositionItem, { configuration, format, repairs }: ItemContext) {
  if (item.type !== "article" || !configuration.structuralInformation) return {};
  const codes = (item.addStateCodes ?? []).flatMap(({ domain, value }) => {
    const code = repairs.line("addStateCodes", value);
    return code === undefined ? [] : [{ code, isMeta: /meta/i.test(domain) }];
  });
  const sorted = [...codes.filter(({ isMeta }) => isMeta), ...codes.filter(({ isMeta }) => !isMeta)];
  const written = sorted.slice(0, format.version === "2.3" ? 1 : 2);
  for (const { code } of sorted.slice(written.length)) {
    repairs.report("addStateCodes", code, `left out: an article has ${written.length} of them at most`);
  }
  const [first, second] = written;
  return {
    ...(first !== undefined && { stateCode: first.code }),
    ...(second !== undefined && { stateCode2: second.code }),
  };
}

/** Only if it is a valid catalog id of the format (OEX reference, section 18); projects use many other forms. */
function catalog(item: PositionItem) {
  if (item.type !== "article") return {};
  const catalogId = code(item.catalogId ?? "", codeForms.catalogId);
  return catalogId === undefined ? {} : { catalogId };
}

/** The configuration result: the OFML variant code and the final article number. */
function articleData(item: PositionItem, { format, repairs }: ItemContext): OrganisationalDatum[] {
  if (item.type !== "article") return [];
  const variantType = format.version === "2.3" ? "CNF" : "OVC";
  return [
    ...datum(variantType, repairs.line("ofmlVariantCode", item.ofmlVariantCode)),
    ...datum("ITM", repairs.line("finalArticleNumber", item.finalArticleNumber)),
  ];
}

/** The classes of an article, with names of systems such as "ECLASS-11.0". */
function classifications(item: ArticleItem, repairs: FieldRepairs): OexArticle["classifications"] {
  return (item.classifications ?? []).flatMap(({ system: given, version, classId }) => {
    const value = repairs.line("classifications.classId", classId);
    const system = systemName(given, version);
    if (value === undefined) return [];
    if (system === "") {
      repairs.report("classifications.system", given, `left out with class "${value}": it names no system`);
      return [];
    }
    return [{ system, value }];
  });
}

/** Capitals, digits and signs: "eCl@ss" of version "11.0" is "ECLASS-11.0". */
function systemName(system: string, version: string | undefined): string {
  const name = printable(system).replace(/^ECL@SS/, "ECLASS");
  const suffix = printable(version ?? "");
  if (name === "" || suffix === "" || withoutVersion.has(name) || name.endsWith(`-${suffix}`)) return name;
  return `${name}-${suffix}`;
}

function printable(text: string): string {
  return text.toUpperCase().replace(/[^!-`{-~]/g, "");
}
