import type { ExportContext } from "../context/export-context.js";
import type { OexDocument, OexItem } from "../document/oex-document.js";
import { createApplication } from "../header/application.js";
import { createHeader } from "../header/create-header.js";
import type { AttachedFiles } from "../header/references.js";
import { createItem } from "../items/create-item.js";
import { documentMeasures } from "../items/document-measures.js";
import { itemTools } from "../items/item-context.js";
import type { DocumentPricing } from "../pricing/document-pricing.js";
import type { SelectedItem } from "../selection/selected-item.js";

export interface DocumentParts {
  context: ExportContext;
  /** Own number of the document. */
  number: string;
  /** In reading order. */
  selected: readonly SelectedItem[];
  pricing: DocumentPricing;
  files: AttachedFiles;
}

/** Kinds in the order of the format (OEX reference, section 3). */
const kinds = ["article", "set", "folder", "text"] as const;

/** The document of an export; its items are made one by one while it is written. */
export function createDocument(parts: DocumentParts): OexDocument {
  const { context, number, selected, pricing, files } = parts;
  const { configuration, format, repairs } = context;
  return {
    format,
    application: createApplication(configuration, format, repairs),
    header: createHeader({
      context,
      number,
      currency: pricing.currency,
      files,
      ...documentMeasures(selected),
      pricing: pricing.header(),
    }),
    itemCount: selected.length,
    items: createItems(parts),
  };
}

async function* createItems({ context, selected, pricing }: DocumentParts): AsyncGenerator<OexItem> {
  const tools = itemTools(context);
  for (const kind of kinds) {
    for (const each of selected) {
      if (each.kind !== kind) continue;
      context.signal.throwIfAborted();
      yield await createItem(each, pricing.item(each), context, tools);
    }
  }
}
