/** Embedded data of items: pictures, and the OBX of articles (OEX reference, section 14). */
import { articleImages, type PositionItem } from "@slipway/sdk";
import type { OexReference } from "../document/frames.js";
import type { ItemContext } from "./item-context.js";

/** Shown to the recipient's user, in the language of the document. */
const pictureNames = new Map([
  ["de", "Artikelbild"],
  ["es", "Imagen del artículo"],
  ["fr", "Image de l'article"],
  ["it", "Immagine dell'articolo"],
  ["nl", "Artikelafbeelding"],
]);
const usualPictureName = "Article image";

/** The pictures of an article or set, best first. An unreadable one is reported as `item-image-error`. */
export async function pictureReferences(item: PositionItem, context: ItemContext): Promise<OexReference[]> {
  const { configuration, pictures, project, reader } = context;
  if (!configuration.exportImages) return [];
  const preference = { column: context.preferredImageColumn, tag: context.imageTag };
  const description = pictureNames.get(reader.documentLanguage) ?? usualPictureName;
  const references: OexReference[] = [];
  const failures: { source: string; asset: string; reason: string }[] = [];
  const written = new Set<string>();
  for (const image of articleImages(project, item, preference)) {
    const picture = await pictures.read(image);
    // Do not report pictures as unreadable because the export was aborted.
    context.signal.throwIfAborted();
    if (typeof picture === "string") {
      failures.push({ source: image.source, asset: image.key, reason: picture });
    } else if (!written.has(picture.data.text)) {
      written.add(picture.data.text);
      references.push({ type: "EDS", mediaType: picture.mediaType, value: picture.data, description });
    }
  }
  for (const { source, asset, reason } of failures) {
    context.suppress({
      id: "item-image-error",
      scope: references.length === 0 ? "ERROR" : "WARN",
      message: `The picture "${source}" of the item ${item.id} was left out: ${reason}.`,
      additionalInformation: { itemId: item.id, source, asset },
    });
  }
  return references;
}

/** The article with its parts as an OBX. */
export function obxReference(item: PositionItem, context: ItemContext): OexReference[] {
  const { configuration, format, project } = context;
  if (!configuration.attachOBX) return [];
  const obx = context.writeObx(project, item);
  const description = "OBX";
  if (format.version !== "2.3") return [{ type: "XML", mediaType: "text/plain", value: obx, description }];
  const value = Buffer.from(obx, "utf8").toString("base64");
  return [{ type: "EDS", mediaType: "text/xml", value, description }];
}
