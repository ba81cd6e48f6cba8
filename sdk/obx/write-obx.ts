/** OBX: the exchange file for articles. */
import type { ProjectDocument } from "../project/document.js";
import { startWriting, writeItems } from "./write-items.js";
import { append, type Builder, finishDocument, startDocument } from "./xml-writing.js";

/** Version of the basket XML that these files follow. */
const basketXmlVersion = "1.8.10";

/**
 * The items of a project as an OBX. Header, settings, views, conditions and pictures are not part of such a file;
 * prices are the list prices.
 */
export function writeObx(project: ProjectDocument): string {
  const root = startDocument("cutBuffer");
  writeVersion(root);
  writeItems(append(root, "items"), project.items, startWriting(project));
  return finishDocument(root);
}

/** Appends `versionInfo`: who wrote the file, and in which version of the format. */
export function writeVersion(root: Builder): void {
  append(root, "versionInfo", {
    vendorKey: "Slipway",
    appKey: "Slipway",
    appVersion: "1",
    bskXmlVersion: basketXmlVersion,
  });
}
