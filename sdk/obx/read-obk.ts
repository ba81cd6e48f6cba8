/** OBK: the project file, a ZIP container with `1.bsk`, `metainf.xml` and a cache of pictures. */
import type { ConditionRecord, PricingProcedure } from "../project/document.js";
import { brokenFile } from "./broken-file.js";
import { ifAny, present } from "./present.js";
import { readAppData } from "./read-app-data.js";
import { readAssets } from "./read-assets.js";
import { readCalculation } from "./read-calculation.js";
import type { ItemCalculation, ReadContext } from "./read-context.js";
import { readHeader } from "./read-header.js";
import { readItems } from "./read-items.js";
import { finishReading, type ReadProject, readRoot, startReading } from "./read-project.js";
import { readColumns, readSettings } from "./read-settings.js";
import { readDefaultViewId, readViews } from "./read-views.js";
import { ReadWarnings } from "./read-warnings.js";
import { stableId } from "./stable-id.js";
import { childOf, childrenOf } from "./xml-reading.js";
import type { XmlElement } from "./xml-tree.js";
import { ZipContainer } from "./zip-container.js";

const basketEntry = "1.bsk";
const headerEntry = "metainf.xml";

/**
 * Reads an OBK. Values of price lines are not in such a file; they follow from its procedure and condition records.
 * @throws RequestError 400 `request-bad-request` for a broken file; the message says which entry, line and column.
 */
export async function readObk(bytes: Uint8Array): Promise<ReadProject> {
  const container = await ZipContainer.open(bytes);
  try {
    return await readContainer(container);
  } finally {
    container.close();
  }
}

/**
 * How many bytes an OBK unpacks to, without unpacking it.
 * @throws RequestError 400 `request-bad-request` for a container that cannot be read.
 */
export async function unpackedObkSize(bytes: Uint8Array): Promise<number> {
  const container = await ZipContainer.open(bytes);
  container.close();
  return container.size;
}

async function readContainer(container: ZipContainer): Promise<ReadProject> {
  const warnings = new ReadWarnings();
  const basket = readRoot(await needed(container, basketEntry), "basket", warnings, basketEntry);
  const metainf = readRoot(await needed(container, headerEntry), "metainf", warnings, headerEntry);
  const { id, header, languages, addresses, contacts, appDataElement } = readHeader(metainf, warnings);
  const projectId = id ?? stableId(`obk/${JSON.stringify(header)}`);
  const config = childOf(basket, "config");
  const context = startReading(warnings, projectId);
  context.settings = { ...readSettings(config), languages };

  const pricing = readPricing(basket, context);
  const topFolder = childOf(basket, "topFolder");
  const items = readItems(topFolder, context);
  const views = readViews(basket, context);
  const project = present({
    formatVersion: "1" as const,
    id: projectId,
    header,
    settings: present({ ...context.settings, defaultScheme: pricing.schemes[0] }),
    addresses,
    contacts,
    columns: readColumns(config, warnings),
    manufacturers: context.manufacturers.all(),
    items,
    views,
    defaultViewId: readDefaultViewId(config, views, context),
    procedures: ifAny(pricing.procedures),
    conditions: ifAny(pricing.conditions),
    assets: await readAssets(container, context),
    appData: readAppData(appDataElement) ?? readAppData(childOf(basket, "appData")),
  });
  return finishReading(project, warnings);
}

async function needed(container: ZipContainer, entry: string): Promise<Uint8Array> {
  const content = await container.content(entry);
  if (!content) throw brokenFile("this entry is missing", { entry });
  return content;
}

interface FilePricing {
  /** Names of all procedures that the file has conditions for. */
  schemes: string[];
  /** Those that it brings along; one without lines is known to the reader of the project. */
  procedures: PricingProcedure[];
  conditions: ConditionRecord[];
}

/** Procedures with their conditions; prices and taxes of items go into the context. */
function readPricing(basket: XmlElement, context: ReadContext): FilePricing {
  const schemes: string[] = [];
  const procedures: PricingProcedure[] = [];
  const conditions: ConditionRecord[] = [];
  const items = new Map<string, ItemCalculation>();
  for (const element of childrenOf(basket, "docCalculation")) {
    const calculation = readCalculation(element, context);
    if (!calculation || schemes.includes(calculation.procedure.name)) continue;
    schemes.push(calculation.procedure.name);
    if (calculation.procedure.lines.length > 0) procedures.push(calculation.procedure);
    conditions.push(...calculation.conditions);
    for (const [id, item] of calculation.items) if (!items.has(id)) items.set(id, item);
  }
  context.calculations = items;
  return { schemes, procedures, conditions };
}
