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
import { FieldRepairs } from "../repair/repairs.js";
import { oneLine } from "../repair/text-lines.js";
import type { SelectedItem } from "../selection/exported-tree.js";
import { TextReader } from "../texts/text-reader.js";
import { PictureReader } from "./picture-reader.js";

// Folders that are locations, such as rooms (OEX reference, section 17.1, `exportRoomInformation`).

/** Projects mark locations with `appData.Slipway.isLocation`. */
const application = "Slipway";

const mark = "isLocation";

/** What all items of one export share; created once per export. */
export interface ItemTools extends Omit<ExportContext, "repairs"> {
  /** Of the export: each item has its own. */
  exportRepairs: ExportContext["repairs"];
  reader: TextReader;
  pictures: PictureReader;
  locations: Locations;
  /** The OBX of one article, without CDATA and "]]>". */
  writeObx(project: ProjectDocument, item: PositionItem): string;
}

/** Context of one item. `repairs` are those of its fields. */
export interface ItemContext extends ItemTools {
  selected: SelectedItem;
  repairs: FieldRepairs;
}

export function itemTools(context: ExportContext): ItemTools {
  const { repairs: exportRepairs, ...shared } = context;
  const reader = new TextReader(context);
  return {
    ...shared,
    exportRepairs,
    reader,
    pictures: new PictureReader(context.session),
    locations: new Locations(context.project, reader),
    writeObx: writtenObx,
  };
}

/** The OBX of each article, for the next export of the same project. */
const written = new WeakMap<ProjectDocument, WeakMap<PositionItem, string>>();

function writtenObx(project: ProjectDocument, item: PositionItem): string {
  const ofProject = written.get(project) ?? new WeakMap<PositionItem, string>();
  written.set(project, ofProject);
  const known = ofProject.get(item);
  if (known !== undefined) return known;
  const obx = writeObxArticle(project, item);
  ofProject.set(item, obx);
  return obx;
}

export function itemContext(selected: SelectedItem, tools: ItemTools): ItemContext {
  const { id } = selected.item;
  const repairs = new FieldRepairs(tools.exportRepairs.forItem({ id, position: selected.position }));
  return { ...tools, selected, repairs };
}

/**
 * The locations of a project. Baskets have no folder type for them: a folder is a location if its application data say
 * so, or if a planned article names it as its room.
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

  /** Name of the nearest location around an item; undefined if there is none. */
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
