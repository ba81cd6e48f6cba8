/** Pictures of an OBK as assets of the project; items refer to them by their URI. */
import type { Asset } from "../project/document.js";
import { cacheEntryName, parseCacheEntry } from "./cache-entry.js";
import { pictureType } from "./picture-type.js";
import { present } from "./present.js";
import type { ReadContext } from "./read-context.js";
import type { ZipContainer } from "./zip-container.js";

/** Reads the pictures that items use; a missing or unreadable one is a warning. */
export async function readAssets(
  container: ZipContainer,
  context: ReadContext,
): Promise<Record<string, Asset> | undefined> {
  const assets = new Map<string, Asset>();
  for (const uri of context.imageUris) {
    const bytes = await container.content(cacheEntryName(uri));
    const picture = bytes && parseCacheEntry(bytes);
    const type = picture && pictureType(picture.content);
    if (picture && type) {
      const { content, attributes } = picture;
      const asset = present({
        mediaType: type.mediaType,
        base64: Buffer.from(content).toString("base64"),
        width: type.width,
        height: type.height,
        attributes: Object.keys(attributes).length === 0 ? undefined : attributes,
      });
      assets.set(uri, asset);
    } else {
      const what = bytes ? "cannot be shown: its file is no picture of a known kind" : "is not in the file";
      context.warnings.add("cache", `the picture ${uri.slice(0, 100)} ${what}`);
    }
  }
  return assets.size === 0 ? undefined : Object.fromEntries(assets);
}
