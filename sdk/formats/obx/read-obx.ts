/** OBX: the exchange file for articles, plain XML with only the items of a basket. */
import { createHash } from "node:crypto";
import { readAppData } from "./app-data.js";
import { ifAny, present } from "./present.js";
import { readItems } from "./read-items.js";
import { readPricing, reportCalculations } from "./read-pricing.js";
import { finishReading, type ReadProject, readRoot, startReading } from "./read-project.js";
import { settingsFromItems } from "./read-settings.js";
import { ReadWarnings } from "./read-warnings.js";
import { stableId } from "./stable-id.js";
import { childOf } from "./xml-reading.js";

/**
 * Reads an OBX. It has no header and no settings: the currency is that of the first sales price, the languages are
 * those of the texts, and pictures cannot be resolved. A calculation in it counts as in an OBK; without one, the
 * discounts that its articles state do.
 * @throws RequestError 400 `request-bad-request` for a broken file; the message has line and column.
 */
export async function readObx(bytes: Uint8Array): Promise<ReadProject> {
  const warnings = new ReadWarnings();
  const root = readRoot(bytes, "cutBuffer", warnings);
  const id = stableId(`obx/${createHash("sha256").update(bytes).digest("hex")}`);
  const context = startReading(warnings, id);
  const pricing = readPricing(root, context);
  const items = readItems(childOf(root, "items"), context);
  const settings = settingsFromItems(items);
  reportCalculations(root, settings.currency, context);
  const project = present({
    formatVersion: "1" as const,
    id,
    header: {},
    settings: present({ ...settings, defaultScheme: pricing.schemes[0] }),
    manufacturers: context.manufacturers.all(),
    items,
    procedures: ifAny(pricing.procedures),
    conditions: ifAny(pricing.conditions),
    appData: readAppData(childOf(root, "appData")),
  });
  return finishReading(project, warnings);
}
