/** The lines of an order: its articles. Sets, folders and texts of the OEX document have no lines in general trade. */
import {
  chooseText,
  isPosition,
  itemIndex,
  labelLanguages,
  manufacturerNames,
  type PositionItem,
  type ProjectDocument,
  present,
  type Quantity,
  seriesNames,
  type Texts,
} from "@slipway/sdk";
import type {
  Configuration,
  OexArticle,
  OexItem,
  OexLanguage,
  OexText,
  OrganisationalDatum,
  PriceArea,
  TextLine,
  TextType,
} from "../document/oex-document.js";
import { oneLine } from "../repair/text-lines.js";
import { linePrice, type TradeTaxes } from "./trade-amounts.js";
import type { Measure, Omissions, TradeLine, TradeProperty } from "./trade-order.js";

interface LineSource {
  project: ProjectDocument;
  /** Locale of the session. */
  locale: string;
  language: OexLanguage;
  area: PriceArea;
  taxes: TradeTaxes;
  /** Prices are those after the discounts of the header. */
  afterHeader: boolean;
  omissions: Omissions;
}

/** Units of packaging that have a code of UN/ECE Recommendation 20. */
const lengthUnits: ReadonlyMap<string, string> = new Map([
  ["MMT", "MMT"],
  ["CMT", "CMT"],
  ["MTR", "MTR"],
  ["INH", "INH"],
  ["mm", "MMT"],
  ["cm", "CMT"],
  ["m", "MTR"],
]);

/** `items`: those of the document, articles last, so that the names of their sets are known. */
export async function* tradeLines(
  items: AsyncIterable<OexItem> | Iterable<OexItem>,
  source: LineSource,
): AsyncGenerator<TradeLine> {
  const parents = new Map<string, { name: string | undefined; above: string | undefined }>();
  for await (const item of items) {
    if (item.kind === "article") yield tradeLine(item, namesAbove(item.topLevelNumber, parents), source);
    else if (item.kind === "text") source.omissions.add("texts between the articles");
    else {
      const isSet = item.kind === "set";
      const name = isSet ? textOf(item.texts, "ARTS", source.language) : undefined;
      parents.set(item.itemNumber, { name, above: item.topLevelNumber });
      source.omissions.add(isSet ? "sets, whose names are notes of their articles" : "folders");
    }
  }
}

/** The names of the sets around an item, outermost first. */
function namesAbove(
  number: string | undefined,
  parents: ReadonlyMap<string, { name: string | undefined; above: string | undefined }>,
): string[] {
  const names: string[] = [];
  let parent = parents.get(number ?? "");
  for (let depth = 0; parent !== undefined && depth < parents.size; depth += 1) {
    if (parent.name !== undefined) names.unshift(parent.name);
    parent = parents.get(parent.above ?? "");
  }
  return names;
}

function tradeLine(article: OexArticle, sets: readonly string[], source: LineSource): TradeLine {
  const { project, language, area, taxes, afterHeader, omissions } = source;
  const text = (type: "ARTS" | "ARTL" | "ARTM" | "ARTV" | "ITEM"): string | undefined =>
    textOf(article.texts, type, language);
  const special = text("ARTM");
  const description = [text("ARTL"), special].filter((part) => part !== undefined).join("\n");
  const datum = (type: OrganisationalDatum["type"]): string | undefined =>
    article.organisation.find((each) => each.type === type)?.value;
  const found = itemIndex(project).get(article.id)?.item;
  const item = found !== undefined && isPosition(found) ? found : undefined;
  const taxCodes = article.pricing
    .filter((line) => line.area === area && line.type === "TTNE")
    .map(({ taxCode }) => taxCode);
  const tax = taxes.of(taxCodes);
  if (taxCodes.length > (tax === undefined ? 0 : 1))
    omissions.add("taxes of articles besides the value added tax");
  reportOmitted(article, area, omissions);
  return present({
    id: article.itemNumber,
    itemId: article.id,
    notes: [...sets, text("ARTV"), special, text("ITEM")].filter((note) => note !== undefined),
    name: oneLine(text("ARTS") ?? article.articleNumber, Number.POSITIVE_INFINITY),
    description: description === "" ? undefined : description,
    sellerNumber: datum("ITM") ?? article.articleNumber,
    buyerNumber: article.clientArticleNumber,
    baseNumber: article.articleNumber,
    brand: item && nameOf(manufacturerNames(project, item), source),
    series: item && nameOf(seriesNames(project, item), source),
    properties: article.configurations.map((each) => property(each, language)),
    variantCode: datum("OVC") ?? datum("CNF"),
    classifications: article.classifications,
    packaging: item && packaging(item),
    quantity: article.quantity,
    unit: article.unit,
    price: linePrice(article.pricing, area, article.quantity, afterHeader),
    tax,
  });
}

function reportOmitted(article: OexArticle, area: PriceArea, omissions: Omissions): void {
  const { organisation, pricing } = article;
  if (article.compositeNumber !== undefined) omissions.add("which articles are parts of another one");
  if (article.stateCode !== undefined) omissions.add("state codes");
  if (article.weights !== undefined || article.volume !== undefined) omissions.add("weights and volumes");
  if (organisation.some(({ type }) => type === "POS")) omissions.add("positions in the article list");
  if (organisation.some(({ type }) => type === "LOC")) omissions.add("locations of articles");
  if (pricing.some((line) => line.area === area && line.type === "ECFR"))
    omissions.add("the charges of each article, which are part of those of the order");
}

function nameOf(names: Texts, { project, locale }: LineSource): string | undefined {
  const name = oneLine(chooseText(names, labelLanguages(project, locale)).value, Number.POSITIVE_INFINITY);
  return name === "" ? undefined : name;
}

function property({ optionId, valueId, texts }: Configuration, language: OexLanguage): TradeProperty {
  const own = inLanguage(texts, language);
  const text = wholeText(own?.value ?? []);
  const value = text === "" ? valueId : text;
  return {
    code: optionId,
    name: own?.option ?? optionId,
    value,
    ...(value !== valueId && { valueCode: valueId }),
  };
}

/** Depth is called length in general trade. */
function packaging(item: PositionItem): TradeLine["packaging"] {
  const { width, depth, height } = ("packaging" in item ? item.packaging : undefined) ?? {};
  const measures = present({ width: measure(width), length: measure(depth), height: measure(height) });
  return Object.keys(measures).length === 0 ? undefined : measures;
}

function measure(quantity: Quantity | undefined): Measure | undefined {
  const unit = lengthUnits.get(quantity?.unit.trim() ?? "");
  if (quantity === undefined || unit === undefined || quantity.value.startsWith("-")) return undefined;
  return { value: quantity.value, unit };
}

/** The text that was broken into lines: those that continue a line are joined by the blank at which it was broken. */
function wholeText(lines: readonly TextLine[]): string {
  let text = "";
  for (const [index, line] of lines.entries()) {
    if (index > 0) text += line.format === "\\" ? "\n" : line.text.startsWith(" ") ? "" : " ";
    text += line.text;
  }
  return text.trim();
}

/** The one in the document's language, else the first one. */
function inLanguage<T extends { language: OexLanguage }>(
  texts: readonly T[],
  { code, country }: OexLanguage,
): T | undefined {
  const own = texts.filter(({ language }) => language.code === code);
  return own.find(({ language }) => language.country === country) ?? own[0] ?? texts[0];
}

/** The text of a type in the document's language; undefined without one. */
export function textOf(texts: readonly OexText[], type: TextType, language: OexLanguage): string | undefined {
  const found = inLanguage(
    texts.filter((text) => text.type === type),
    language,
  );
  const text = found && wholeText(found.lines);
  return text === "" ? undefined : text;
}
