/** Which folders are places, such as rooms (OEX reference, section 17.1, `exportRoomInformation`). */
import { type FolderItem, type Item, itemIndex, type ProjectDocument, walkItems } from "@slipway/sdk";
import { oneLine } from "../repair/text-lines.js";
import type { TextReader } from "../texts/text-reader.js";

/** Where a project says that a folder is a place: `appData.Slipway.isLocation`. */
const application = "Slipway";
const mark = "isLocation";

/**
 * The places of a project. Baskets have no kind of folder for them: a folder is one where its application data say so,
 * or where a planned article names it as its room.
 */
export class Locations {
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
