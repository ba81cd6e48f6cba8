/** The separate OBX file of an export (OEX reference, sections 2.3 and 17.1). */
import {
  Exact,
  type Item,
  isPosition,
  nestedBasket,
  type PositionItem,
  type ProjectDocument,
  streamObx,
} from "@slipway/sdk";
import type { ExportContext } from "../context/export-context.js";
import type { OexFormat } from "../document/oex-format.js";
import { silentRepairs } from "../repair/repairs.js";
import { selectItems } from "../selection/select-items.js";

/**
 * The OBX with the articles of the document, in parts. Its format always knows sets, folders and texts, whatever the
 * document may hold: without their set, the quantities of members would be wrong. Only `exportFolders` and
 * `exportTextArticles` count for it. Beside a quotation it has no purchase prices, which must not reach a customer, and in no case the
 * prices and discounts that the project file had besides list prices.
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
  // References to items that are not in the file lead nowhere, which writing finds out for a choice of items only.
  return streamObx({ ...project, items }, { include: () => true, listPricesOnly: true });
}

/**
 * The selected items. What is in others takes their place; parts of a composite that is not selected, because it is of
 * another manufacturer, are as many as there are in all of it.
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
