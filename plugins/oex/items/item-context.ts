import {
  type FolderItem,
  type Item,
  type ItemImage,
  itemIndex,
  type PositionItem,
  type ProjectDocument,
  RepeatedText,
  RequestError,
  type Session,
  walkItems,
  writeObxArticle,
} from "@slipway/sdk";
import type { ExportContext } from "../context/export-context.js";
import { FieldRepairs } from "../repair/repairs.js";
import { oneLine } from "../repair/text-lines.js";
import type { SelectedItem } from "../selection/exported-tree.js";
import { TextReader } from "../texts/text-reader.js";

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

  /** Name of the nearest location around an item; undefined without one. */
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

// Reads pictures of the project from the session, one at a time.

/** An embeddable picture. */
interface Picture {
  /** PNG or JPEG: recipients of orders need not know any other type. */
  mediaType: string;
  /** Base64 without line breaks. */
  data: RepeatedText;
}

/** Cache capacity in Base64 characters, for pictures shared by several items. */
const usualCapacity = 16 * 1024 * 1024;

/** Caches the most recently used pictures, up to its capacity. */
export class PictureReader {
  private readonly kept = new Map<string, Picture>();
  private size = 0;

  constructor(
    private readonly session: Pick<Session, "picture">,
    private readonly capacity: number = usualCapacity,
  ) {}

  /** The picture, or the reason for its absence. */
  async read({ key, asset }: ItemImage): Promise<Picture | string> {
    if (asset === undefined) return "it is missing in the project";
    const name = asset.sha256 ?? key;
    const known = this.kept.get(name);
    if (known !== undefined) {
      this.keep(name, known);
      return known;
    }
    const shown = await this.shownPicture(key);
    if (typeof shown === "string") return shown;
    const { mediaType, content } = shown;
    const data = Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString("base64");
    const picture = { mediaType, data: new RepeatedText(data) };
    this.keep(name, picture);
    return picture;
  }

  /** One unreadable picture (missing file, failing store) does not fail the export. */
  private async shownPicture(key: string): Promise<{ mediaType: string; content: Uint8Array } | string> {
    try {
      const picture = await this.session.picture(key);
      if (picture === undefined) return "it is missing in the project";
      return "problem" in picture ? picture.problem : picture;
    } catch (error) {
      // Other errors may reveal internals, such as paths.
      return error instanceof RequestError ? `it cannot be read: ${error.message}` : "it cannot be read";
    }
  }

  /** Marks the picture as most recently used, and evicts the oldest ones if the cache is full. */
  private keep(name: string, picture: Picture): void {
    const { length } = picture.data.text;
    if (this.kept.delete(name)) this.size -= length;
    if (length > this.capacity) return;
    this.kept.set(name, picture);
    this.size += length;
    for (const [oldest, { data }] of this.kept) {
      if (this.size <= this.capacity) return;
      this.kept.delete(oldest);
      this.size -= data.text.length;
    }
  }
}
