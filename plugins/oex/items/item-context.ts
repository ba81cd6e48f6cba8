import {
  type FolderItem,
  type Item,
  itemIndex,
  type PositionItem,
  type ProjectDocument,
  walkItems,
  writeObxArticle,
} from "@slipway/sdk";
import type { ExportContext } from "../context/export-context.js";
import { FieldRepairs } from "../repair/field-repairs.js";
import { oneLine } from "../repair/text-lines.js";
import type { SelectedItem } from "../selection/selected-item.js";
import { TextReader } from "../texts/text-reader.js";
import { PictureReader } from "./picture-reader.js";

// Which folders are places, such as rooms (OEX reference, section 17.1, `exportRoomInformation`).

/** Where a project says that a folder is a place: `appData.Slipway.isLocation`. */
const application = "Slipway";

const mark = "isLocation";

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

/**
 * The places of a project. Baskets have no kind of folder for them: a folder is one where its application data say so,
 * or where a planned article names it as its room.
 */
class Locations {
  private readonly rooms: ReadonlySet<string>;

  constructor(
    private readonly project: ProjectDocument,
    private readonly reader: TextReader,
  ) {
    this.rooms = roomsOf(project);
  }

  isLocation(folder: FolderItem): boolean {
    return isMarked(folder) || this.rooms.has(folder.id);
  }

  /** The name of the nearest place that an item is in; undefined where it is in none. */
  nameFor(item: Item): string | undefined {
    const index = itemIndex(this.project);
    for (let above = index.get(item.id)?.parent; above !== undefined; above = index.get(above.id)?.parent) {
      if (above.type !== "folder" || !this.isLocation(above)) continue;
      const name = this.reader.best(above.name, { itemId: above.id, field: "name" });
      return oneLine(name, Number.POSITIVE_INFINITY) || undefined;
    }
    return undefined;
  }
}

function isMarked({ appData }: FolderItem): boolean {
  const data = appData?.[application];
  const value: unknown =
    typeof data === "object" && data !== null && mark in data ? Reflect.get(data, mark) : undefined;
  return value === true || value === 1;
}

function roomsOf(project: ProjectDocument): Set<string> {
  const rooms = new Set<string>();
  for (const item of walkItems(project.items)) {
    if (item.type === "article" && item.planning?.roomId !== undefined) rooms.add(item.planning.roomId);
  }
  return rooms;
}
