/** Folders and text items (OEX reference, sections 5.4 and 5.5). */
import type { FolderItem, TextItem } from "@slipway/sdk";
import type { OexFolder, OexTextItem } from "../document/oex-document.js";
import { folderTexts, textItemTexts } from "../texts/item-texts.js";
import type { ItemContext } from "./item-context.js";
import { itemPlace } from "./item-place.js";

/** What stands for a name that the project does not have, or that cannot be read. */
const unnamed = "-";

/** The folder without what is in it. */
export function createFolder(item: FolderItem, context: ItemContext): OexFolder {
  const { configuration, format, locations, reader, repairs, selected } = context;
  const name = repairs.line("name", reader.best(item.name, { itemId: item.id, field: "name" }));
  if (name === undefined)
    repairs.report("name", "", "its position is written, because the folder has no name");
  const marksLocations = format.version === "3.1" && configuration.exportRoomInformation;
  return {
    kind: "folder",
    ...itemPlace(context),
    name: name ?? (selected.position || unnamed),
    ...(marksLocations && { isLocation: locations.isLocation(item) }),
    texts: folderTexts(item, context),
  };
}

/** A text between the articles. */
export function createTextItem(item: TextItem, context: ItemContext): OexTextItem {
  const { name, texts } = textItemTexts(item, context);
  return {
    kind: "text",
    ...itemPlace(context),
    name: context.repairs.requiredLine("text", name, Number.POSITIVE_INFINITY, unnamed),
    texts,
  };
}
