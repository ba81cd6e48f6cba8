/** OBK: the project file, a ZIP container with `1.bsk`, `metainf.xml` and a cache of pictures. */

import type { Asset, KeptParts, ProjectDocument } from "../../project/document.js";
import { pictureType } from "../../project/picture-type.js";
import { readAppData } from "../obx/app-data.js";
import { ifAny, present } from "../obx/present.js";
import type { ReadContext } from "../obx/read-context.js";
import { readHeader } from "../obx/read-header.js";
import { readItems } from "../obx/read-items.js";
import { keptParts } from "../obx/read-kept.js";
import { readPricing, reportCalculations, reportUnusedPricing } from "../obx/read-pricing.js";
import { finishReading, type ReadProject, readRoot, startReading } from "../obx/read-project.js";
import { readColumns, readSettings } from "../obx/read-settings.js";
import { readDefaultViewId, readViews } from "../obx/read-views.js";
import { ReadWarnings } from "../obx/read-warnings.js";
import { stableId, usualTopFolderId } from "../obx/stable-id.js";
import { childOf, uuidOf } from "../obx/xml-reading.js";
import { cacheEntryName, parseCacheEntry } from "./cache-entry.js";
import { basketEntry, ObkEntries } from "./obk-entries.js";
import { readOtherEntries } from "./other-entries.js";
import { ZipContainer } from "./zip-container.js";

const headerEntry = "metainf.xml";

/**
 * Reads an OBK. Such a file does not contain the values of price lines; they are computed from its procedure
 * and condition records.
 * @throws RequestError 400 `request-bad-request` for a broken file; the message names entry, line and column.
 */
export async function readObk(bytes: Uint8Array): Promise<ReadProject> {
  const container = await openContainer(bytes);
  try {
    return await readEntries(ObkEntries.of(container));
  } finally {
    container.close();
  }
}

/**
 * The uncompressed size of an OBK in bytes, without unpacking it.
 * @throws RequestError 400 `request-bad-request` for a container that cannot be read.
 */
export async function unpackedObkSize(bytes: Uint8Array): Promise<number> {
  const container = await openContainer(bytes);
  container.close();
  return container.size;
}

function openContainer(bytes: Uint8Array): Promise<ZipContainer> {
  return ZipContainer.open(bytes, { backslashes: true });
}

async function readEntries(entries: ObkEntries): Promise<ReadProject> {
  const warnings = new ReadWarnings();
  const basket = readRoot(await entries.needed(basketEntry), "basket", warnings, basketEntry);
  const metainf = readRoot(await entries.needed(headerEntry), "metainf", warnings, headerEntry);
  const { id, header, languages, addresses, contacts, appDataElement } = readHeader(metainf, warnings);
  const projectId = id ?? stableId(`obk/${JSON.stringify(header)}`);
  const config = childOf(basket, "config");
  const context = startReading(warnings, projectId);
  context.settings = { ...readSettings(config), languages };

  const pricing = readPricing(basket, context);
  reportUnusedPricing(basket, pricing, context);
  reportCalculations(basket, context.settings.currency, context);
  const topFolder = childOf(basket, "topFolder");
  const items = readItems(topFolder, context);
  const views = readViews(basket, context);
  const topFolderId = uuidOf(topFolder, "basketId");
  const project = present({
    formatVersion: "1" as const,
    id: projectId,
    header,
    settings: present({ ...context.settings, defaultScheme: pricing.schemes[0] }),
    addresses,
    contacts,
    columns: readColumns(config, warnings),
    manufacturers: context.manufacturers.all(),
    topFolderId: topFolderId === usualTopFolderId(projectId) ? undefined : topFolderId,
    items,
    views,
    defaultViewId: readDefaultViewId(config, views, context),
    procedures: ifAny(pricing.procedures),
    conditions: ifAny(pricing.conditions),
    assets: await readAssets(entries, context),
    appData: readAppData(appDataElement) ?? readAppData(childOf(basket, "appData")),
    kept: keptOfFile({ metainf: keptParts(metainf, context), basket: keptParts(basket, context) }),
  });
  return finishReading(project, warnings);
}

function keptOfFile(parts: {
  metainf: KeptParts | undefined;
  basket: KeptParts | undefined;
}): ProjectDocument["kept"] {
  return parts.metainf || parts.basket ? present(parts) : undefined;
}

/** Reads the pictures used by items, and keeps all other entries; a missing or unreadable one produces a warning. */
async function readAssets(
  entries: ObkEntries,
  context: ReadContext,
): Promise<Record<string, Asset> | undefined> {
  const assets = new Map<string, Asset>();
  const known = new Set([entries.find(basketEntry), entries.find(headerEntry)]);
  for (const uri of context.imageUris) {
    const name = entries.find(cacheEntryName(uri));
    const bytes = name === undefined ? undefined : await entries.content(name);
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
      known.add(name);
    } else {
      const what = bytes ? "cannot be shown: its file is no picture of a known kind" : "is not in the file";
      context.warnings.add("cache", `the picture ${uri.slice(0, 100)} ${what}`);
    }
  }
  for (const [key, asset] of await readOtherEntries(entries, known, context.warnings)) assets.set(key, asset);
  return assets.size === 0 ? undefined : Object.fromEntries(assets);
}
