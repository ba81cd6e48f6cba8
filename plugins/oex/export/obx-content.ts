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
import type { OexFormat } from "../document/oex-document.js";
import { silentRepairs } from "../repair/repairs.js";
import { selectItems } from "../selection/select-items.js";

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
