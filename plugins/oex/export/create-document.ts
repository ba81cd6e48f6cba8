import {
  Exact,
  type Item,
  isPosition,
  nestedBasket,
  type PositionItem,
  type ProjectDocument,
  streamObx,
} from "@slipway/sdk";
import type { ExportConfiguration } from "../configuration/export-configuration.js";
import type { ExportContext } from "../context/export-context.js";
import type { OexApplication, OexDocument, OexFormat, OexHeader, OexItem } from "../document/oex-document.js";
import { type AttachedFiles, createHeader } from "../header/create-header.js";
import { createItem } from "../items/create-item.js";
import { itemTools } from "../items/item-context.js";
import { itemMeasures, type Measures, presentMeasures } from "../items/item-fields.js";
import type { DocumentPricing } from "../pricing/document-pricing.js";
import { FieldRepairs, type Repairs, silentRepairs } from "../repair/repairs.js";
import type { SelectedItem } from "../selection/exported-tree.js";
import { quantityText } from "../selection/quantities.js";
import { selectItems } from "../selection/select-items.js";

interface ItemParts {
  context: ExportContext;
  /** In reading order. */
  selected: readonly SelectedItem[];
  pricing: DocumentPricing;
}

interface HeaderParts extends ItemParts {
  /** The document's own number. */
  number: string;
  files: AttachedFiles;
}

/** OEX reference, section 3. */
const writingOrder = ["article", "set", "folder", "text"] as const;

/** The document of an export. Items are created one by one while it is written. */
export function createDocument(parts: HeaderParts): OexDocument {
  const { context, selected } = parts;
  const { configuration, format, repairs } = context;
  return {
    format,
    application: createApplication(configuration, format, repairs),
    header: documentHeader(parts),
    itemCount: selected.length,
    items: documentItems(parts, writingOrder),
  };
}

/** The header with the sums over all articles. Repairs go to the context. */
export function documentHeader({ context, number, selected, pricing, files }: HeaderParts): OexHeader {
  return createHeader({
    context,
    number,
    currency: pricing.currency,
    files,
    ...documentMeasures(selected),
    pricing: pricing.header(),
  });
}

/** The items, created one by one, in the order of their kinds. */
export async function* documentItems(
  { context, selected, pricing }: ItemParts,
  kinds: readonly OexItem["kind"][],
): AsyncGenerator<OexItem> {
  const tools = itemTools(context);
  for (const kind of kinds) {
    for (const each of selected) {
      if (each.kind !== kind) continue;
      context.signal.throwIfAborted();
      yield await createItem(each, pricing.item(each, context.repairs), tools);
    }
  }
}

/** Sums over the active articles. A measure that any article lacks is left out (OEX reference, section 18). */
function documentMeasures(selected: readonly SelectedItem[]): Measures {
  const articles = selected.filter(({ kind, status }) => kind === "article" && status === "active");
  // Measure problems are reported with the items.
  const each = articles.map(({ item, quantity }) =>
    isPosition(item) && quantity !== undefined
      ? itemMeasures(item, quantity.value, new FieldRepairs(silentRepairs))
      : {},
  );
  const gross = sum(each.map(({ weights }) => weights?.gross));
  const net = sum(each.map(({ weights }) => weights?.net));
  const volume = sum(each.map((measures) => measures.volume));
  return presentMeasures(gross, net, volume);
}

function sum(values: readonly (string | undefined)[]): string | undefined {
  let total = new Exact(0);
  for (const value of values) {
    if (value === undefined) return undefined;
    total = total.plus(value);
  }
  return values.length === 0 ? undefined : quantityText(total);
}

// The separate OBX file of an export (OEX reference, sections 2.3 and 17.1).

/**
 * The OBX with the document's articles, in parts. It always includes sets, which carry the quantities of their members;
 * only `exportFolders` and `exportTextArticles` apply. With a quotation it has no purchase prices, which must not reach
 * a customer. It never has the project file's prices and discounts other than list prices.
 */
export function obxContent(context: ExportContext): Generator<string> {
  const { configuration, format, project } = context;
  const { items: selected } = selectItems({
    ...context,
    configuration: { ...configuration, exportSetArticle: true, structuralInformation: true },
    format: { ...format, version: "3.1" },
    repairs: silentRepairs,
  });
  const ids = new Set(selected.map(({ item }) => item.id));
  const items = onlySelected(project, ids, format);
  // References to items outside the file are dangling; the writer detects that only for a selection of items.
  return streamObx({ ...project, items }, { include: () => true, listPricesOnly: true });
}

/**
 * The selected items. Children of an unselected item replace it. Parts of an unselected composite, which is of another
 * manufacturer, get their total quantity.
 */
function onlySelected(project: ProjectDocument, ids: ReadonlySet<string>, format: OexFormat): Item[] {
  const basket = nestedBasket(project);
  const below = (item: Item, factor: Exact): Item[] =>
    basket.children(item).flatMap((child) => visit(child, factor));
  const visit = (item: Item, factor: Exact): Item[] => {
    const isSelected = ids.has(item.id);
    if (item.type === "text") return isSelected ? [item] : [];
    if (!isPosition(item)) {
      const children = below(item, factor);
      return isSelected ? [{ ...item, children }] : children;
    }
    const total = factor.times(item.quantity.value);
    if (!isSelected) return below(item, total);
    const quantity = factor.eq(1) ? item.quantity : { ...item.quantity, value: total.toFixed() };
    return [withPrices({ ...item, quantity, children: below(item, new Exact(1)) }, format)];
  };
  return basket.top.flatMap((item) => visit(item, new Exact(1)));
}

function withPrices(item: PositionItem, { type }: OexFormat): PositionItem {
  if (item.type === "setArticle" || type === "ORDERS") return item;
  return { ...item, productPrices: item.productPrices.filter(({ side }) => side === "sales") };
}

const usualName = "Slipway";
/** Highest version part (OEX reference, sections 8 and 16.2). */
const highest = { "3.1": 65_535, "3.0": 65_535, "2.3": 99 } as const;

/** The application that created the document (OEX reference, section 17.2). */
export function createApplication(
  { appName, appVersion }: Pick<ExportConfiguration, "appName" | "appVersion">,
  { version }: OexFormat,
  repairs: Repairs,
): OexApplication {
  const fields = new FieldRepairs(repairs, "config.");
  const part = (field: "aMajor" | "aMinor"): string => {
    const given = appVersion[field].trim();
    if (/^[0-9]{1,5}$/.test(given) && Number(given) <= highest[version]) return String(Number(given));
    fields.report(
      `appVersion.${field}`,
      given,
      `"0" is written: it must be a number up to ${highest[version]}`,
    );
    return "0";
  };
  const name = fields.requiredLine("appName", appName, Number.POSITIVE_INFINITY, usualName);
  return { name, major: part("aMajor"), minor: part("aMinor") };
}
