import { present } from "../../formats/obx/present.js";
import {
  type Address,
  AddressType,
  type Manufacturer,
  type ProjectDocument,
  type ProjectSettings,
  type View,
} from "../../project/document.js";
import { defaultViewRules } from "../../views/view-rules.js";
import { DescribedItems, discountRecord } from "./described-items.js";
import { describedTexts, id } from "./described-values.js";
import type { ManufacturerDescription, ProjectDescription, ViewDescription } from "./project-description.js";

/**
 * Builds a small, exact project from a short description, for tests. The result is deterministic.
 *
 * ```ts
 * const project = projectOf({
 *   items: [
 *     { article: "CH-1", text: "Chair", quantity: 4, sales: "250.00", discount: "10" },
 *     { folder: "Meeting room", items: [{ article: "TB-1", text: { en: "Table", de: "Tisch" }, sales: "899.00" }] },
 *     { note: "Delivery on weekdays only" },
 *   ],
 * });
 * ```
 *
 * An invalid description, such as a price of "12,50", is rejected when a session is opened with the project.
 */
export function projectOf(description: ProjectDescription = {}): ProjectDocument {
  const { languages = ["en"], currency = "EUR", items = [], views = [], contacts } = description;
  const language = languages[0] ?? "und";
  const described = new DescribedItems(items, language, currency);
  const basket = described.items(items);
  const conditions = [
    ...described.conditions,
    ...(description.discount === undefined ? [] : [discountRecord(410, description.discount)]),
    ...(description.conditions ?? []),
  ];
  const { assets } = described.pictures;
  const listed = views.map(viewOf);
  return {
    formatVersion: "1",
    id: description.id ?? id(0),
    header: {
      name: description.name ?? "Project",
      number: description.number ?? "P-1",
      ...description.header,
    },
    settings: settingsOf(description, languages, currency),
    ...present({
      addresses: addressesOf(description),
      contacts: contacts && [...contacts],
      manufacturers: description.manufacturers
        ? manufacturersOf(description.manufacturers, language)
        : namedByIds(described.series, language),
      views: listed.length > 0 ? listed : undefined,
      defaultViewId: listed[0]?.id,
      conditions: conditions.length > 0 ? conditions : undefined,
      assets: Object.keys(assets).length > 0 ? assets : undefined,
    }),
    items: basket,
    ...description.more,
  };
}

function settingsOf(
  { referenceCurrency, exchangeRates, taxRates, settings }: ProjectDescription,
  languages: readonly string[],
  currency: string,
): ProjectSettings {
  const rates = taxRates ?? { standard_rate: "19", reduced_rate: "7" };
  const categories = Object.entries(rates).map(([category, rate]) => ({ id: category, rate }));
  return {
    languages: [...languages],
    currency,
    referenceCurrency: referenceCurrency ?? currency,
    exchangeRates: { ...exchangeRates },
    taxScheme: { id: "TAX", taxTypes: [{ id: "VAT", rateUnit: "%", categories }], order: ["VAT"] },
    rounding: { halfWay: "even", interval: "0.01" },
    ...settings,
  };
}

function addressesOf({ addresses }: ProjectDescription): Address[] | undefined {
  if (addresses === undefined) return undefined;
  return AddressType.enum.flatMap((addressType) => {
    const address = addresses[addressType];
    if (address === undefined) return [];
    return [{ addressType, ...(typeof address === "string" ? { name1: address } : address) }];
  });
}

function manufacturersOf(
  described: Readonly<Record<string, ManufacturerDescription>>,
  language: string,
): Record<string, Manufacturer> {
  const named = Object.entries(described).map(([key, { name, series = {} }]) => {
    const texts = Object.entries(series).map(([id, text]) => [id, describedTexts(text, language)] as const);
    return [key, { name: describedTexts(name, language), series: Object.fromEntries(texts) }] as const;
  });
  return Object.fromEntries(named);
}

function namedByIds(
  series: ReadonlyMap<string, ReadonlySet<string>>,
  language: string,
): Record<string, Manufacturer> | undefined {
  if (series.size === 0) return undefined;
  const named = [...series].map(([maker, ids]) => {
    const texts = [...ids].map((each) => [each, `Series ${each}`] as const);
    return [maker, { name: `Maker ${maker}`, series: Object.fromEntries(texts) }] as const;
  });
  return manufacturersOf(Object.fromEntries(named), language);
}

function viewOf(described: ViewDescription, index: number): View {
  return {
    id: id(900 + index),
    displayMode: "sorted",
    ...defaultViewRules,
    hiddenDiscounts: false,
    items: [],
    ...described,
  };
}
