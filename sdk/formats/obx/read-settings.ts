/** Settings of a project: element `config` of an OBK, or derived from the items of an OBX. */
import type { Column, Item, ProjectSettings, Texts } from "../../project/document.js";
import { ifAny, present } from "./present.js";
import type { ReadWarnings } from "./read-warnings.js";
import {
  attributeOf,
  childOf,
  childrenOf,
  dateOf,
  decimalOf,
  integerOf,
  textsIfAny,
  uuidOf,
} from "./xml-reading.js";
import type { XmlElement } from "./xml-tree.js";

type TaxScheme = NonNullable<ProjectSettings["taxScheme"]>;

/** Default settings for a project without any. */
export function usualSettings(): ProjectSettings {
  return {
    languages: [],
    currency: "EUR",
    referenceCurrency: "EUR",
    exchangeRates: { EUR: "1" },
    rounding: { halfWay: "up", interval: "0.01" },
  };
}

/** Reads `config` without its columns; languages are in another file. */
export function readSettings(config: XmlElement | undefined): ProjectSettings {
  const usual = usualSettings();
  const rates = childOf(config, "convRates");
  const referenceCurrency = currencyOf(childOf(rates, "refCurrency"), "id") ?? usual.referenceCurrency;
  const exchangeRates: Record<string, string> = {};
  for (const rate of childrenOf(rates, "convRate")) {
    const currency = currencyOf(rate, "currency");
    const value = decimalOf(rate, "value");
    if (currency !== undefined && value !== undefined) exchangeRates[currency] = value;
  }
  exchangeRates[referenceCurrency] ??= "1";
  return present({
    languages: usual.languages,
    currency: currencyOf(childOf(config, "currency"), "unit") ?? referenceCurrency,
    referenceCurrency,
    exchangeRates,
    defaultPriceDate: dateOf(childOf(config, "priceDate"), "value"),
    taxScheme: readTaxScheme(childOf(config, "taxScheme")),
    rounding: readRounding(childOf(config, "roundingModes")) ?? usual.rounding,
  });
}

function currencyOf(element: XmlElement | undefined, name: string): string | undefined {
  const code = attributeOf(element, name)?.trim();
  return code !== undefined && /^[A-Z]{3}$/.test(code) ? code : undefined;
}

function readTaxScheme(element: XmlElement | undefined): TaxScheme | undefined {
  const id = attributeOf(element, "id");
  if (element === undefined || id === undefined) return undefined;
  const taxTypes = childrenOf(element, "taxType").flatMap((type) => {
    const typeId = attributeOf(type, "id");
    if (typeId === undefined) return [];
    const categories = childrenOf(type, "taxCategory").flatMap((category) => {
      const categoryId = attributeOf(category, "id");
      const name = textsIfAny(childrenOf(category, "name"));
      return categoryId === undefined
        ? []
        : [present({ id: categoryId, rate: decimalOf(category, "rate"), name })];
    });
    const name = textsIfAny(childrenOf(type, "name"));
    return [present({ id: typeId, name, rateUnit: attributeOf(type, "unit") ?? "%", categories })];
  });
  const order = childrenOf(childOf(element, "taxOrder"), "tax")
    .map((tax) => ({ type: attributeOf(tax, "type") ?? "", order: integerOf(tax, "order") ?? 0 }))
    .sort((first, second) => first.order - second.order)
    .flatMap(({ type }) => (type === "" ? [] : [type]));
  return present({ id, name: attributeOf(element, "name"), taxTypes, order });
}

/** The mode of type "default", such as `mode='HalfUp' interval='RI_0_01'`. */
function readRounding(element: XmlElement | undefined): ProjectSettings["rounding"] | undefined {
  const mode = childrenOf(element, "roundingMode").find((each) => attributeOf(each, "type") === "default");
  if (!mode) return undefined;
  const interval = /^RI_(\d{1,6})(?:_(\d{1,6}))?$/.exec(attributeOf(mode, "interval") ?? "");
  const digits = interval?.[2] === undefined ? "" : `.${interval[2]}`;
  return {
    halfWay: attributeOf(mode, "mode") === "HalfEven" ? "even" : "up",
    interval: interval?.[1] === undefined ? "0.01" : `${interval[1]}${digits}`,
  };
}

const columnTypes: Column["type"][] = ["builtin", "text", "number", "boolean", "image", "eclass"];

/** The columns of `config`; columns without an id or of an unknown type are skipped with a warning. */
export function readColumns(config: XmlElement | undefined, warnings: ReadWarnings): Column[] | undefined {
  const columns = childrenOf(config, "column").flatMap((element) => {
    const id = uuidOf(element, "id");
    const type = columnTypes.find((each) => each === attributeOf(element, "type"));
    if (id === undefined || type === undefined) {
      warnings.add(element.path, "skipped: a column without an id or of an unknown type", element.line);
      return [];
    }
    const title = attributeOf(element, "title");
    const fallbackColumnId = uuidOf(element, "defColId");
    return [present({ id, type, name: attributeOf(element, "name") ?? "", title, fallbackColumnId })];
  });
  return ifAny(columns);
}

/**
 * Derives the settings of a file without any from its items: the currency from sales prices, languages from
 * texts.
 */
export function settingsFromItems(items: readonly Item[]): ProjectSettings {
  const usual = usualSettings();
  const found = { currencies: new Set<string>(), languages: new Set<string>() };
  for (const item of items) look(item, found);
  const currency = [...found.currencies][0] ?? usual.currency;
  return {
    ...usual,
    languages: [...found.languages],
    currency,
    referenceCurrency: currency,
    exchangeRates: { [currency]: "1" },
  };
}

function look(item: Item, found: { currencies: Set<string>; languages: Set<string> }): void {
  const add = (texts: Texts | undefined): void => {
    for (const { lang } of texts ?? []) if (lang !== "und") found.languages.add(lang);
  };
  if (item.type === "folder") add(item.name);
  else if (item.type === "text") add(item.text);
  else {
    if (item.type === "article") add(item.productDescription.shortText);
    add(item.userDescription?.shortText);
    if (item.type === "article") add(item.productDescription.longText);
    if (item.type === "article") add(item.productDescription.featureText);
    const prices = item.type === "setArticle" ? [] : item.productPrices;
    const sales = prices.find((price) => price.side === "sales");
    if (sales) found.currencies.add(sales.base.currency);
  }
  if (item.type !== "text") for (const child of item.children ?? []) look(child, found);
}
