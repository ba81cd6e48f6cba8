import { type PositionItem, type ProjectDocument, writeObxArticle } from "@slipway/sdk";
import type { ExportContext } from "../context/export-context.js";
import { FieldRepairs } from "../repair/field-repairs.js";
import type { SelectedItem } from "../selection/selected-item.js";
import { TextReader } from "../texts/text-reader.js";
import { Locations } from "./locations.js";
import { PictureReader } from "./picture-reader.js";

/** What the items of one export have in common; made once for each export. */
export interface ItemTools {
  reader: TextReader;
  pictures: PictureReader;
  locations: Locations;
  /** The OBX of one article, without CDATA and without "]]>". */
  writeObx(project: ProjectDocument, item: PositionItem): string;
}

/** What one item is made with; `repairs` are those of its fields. */
export interface ItemContext extends Omit<ExportContext, "repairs">, ItemTools {
  selected: SelectedItem;
  repairs: FieldRepairs;
}

/** The tools of an export. */
export function itemTools(context: ExportContext): ItemTools {
  const reader = new TextReader(context);
  return {
    reader,
    pictures: new PictureReader(context.session),
    locations: new Locations(context.project, reader),
    writeObx: writeObxArticle,
  };
}

/** The context of one item. */
export function itemContext(selected: SelectedItem, context: ExportContext, tools: ItemTools): ItemContext {
  const { id } = selected.item;
  const repairs = new FieldRepairs(context.repairs.forItem({ id, position: selected.position }));
  return { ...context, ...tools, selected, repairs };
}
