import { Exact, isPosition } from "@slipway/sdk";
import type { ExportContext } from "../context/export-context.js";
import type { Weights } from "../document/frames.js";
import type { OexDocument, OexHeader, OexItem } from "../document/oex-document.js";
import { createApplication } from "../header/application.js";
import { createHeader } from "../header/create-header.js";
import type { AttachedFiles } from "../header/references.js";
import { createItem } from "../items/create-item.js";
import { itemTools } from "../items/item-context.js";
import { itemMeasures, type Measures } from "../items/measures.js";
import type { DocumentPricing } from "../pricing/document-pricing.js";
import { FieldRepairs, silentRepairs } from "../repair/repairs.js";
import type { SelectedItem } from "../selection/exported-tree.js";
import { quantityText } from "../selection/quantities.js";

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

/** The header with the sums over all articles; what is repaired in it is told to the context. */
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
  const weights: Weights = { ...(gross !== undefined && { gross }), ...(net !== undefined && { net }) };
  return {
    ...((gross !== undefined || net !== undefined) && { weights }),
    ...(volume !== undefined && { volume }),
  };
}

function sum(values: readonly (string | undefined)[]): string | undefined {
  let total = new Exact(0);
  for (const value of values) {
    if (value === undefined) return undefined;
    total = total.plus(value);
  }
  return values.length === 0 ? undefined : quantityText(total);
}
