/** Common parts of reading OBK and OBX files. */
import { checkProject } from "../../project/check-project.js";
import type { ProjectDocument } from "../../project/document.js";
import { badRequest } from "../../schema/validation.js";
import { isOpaque, itemElements, treatmentOf } from "./format/project-format.js";
import { type ReadContext, ReadManufacturers } from "./read-context.js";
import { usualSettings } from "./read-settings.js";
import { brokenFile, type ReadWarning, type ReadWarnings } from "./read-warnings.js";
import { placeOf, plainName } from "./xml-reading.js";
import { parseXml, type XmlElement } from "./xml-tree.js";

/** The text, and the number of replaced characters whose bytes are invalid in the file's encoding. */
interface DecodedXml {
  text: string;
  replaced: number;
}

const replacement = /\uFFFD/g;

/** Elements of an item's price; unknown parts of them could affect it. */
const priceParts = new Set([
  "itemPrice",
  "itemPriceComponents",
  "priceComponents",
  "predefVendorDiscount",
  "predefItemDiscount",
  "artCalc",
  "taxInfos",
]);

/** A project from a file, with warnings about skipped or repaired parts. */
export interface ReadProject {
  /** The project, without the parts listed in `warnings`. */
  project: ProjectDocument;
  /** Parts that were not understood and skipped. */
  warnings: ReadWarning[];
}

/**
 * The root of an XML file, with warnings for unknown parts.
 * @throws RequestError 400 if it is not well-formed or has another root.
 */
export function readRoot(
  bytes: Uint8Array,
  name: string,
  warnings: ReadWarnings,
  entry?: string,
): XmlElement {
  const { text, replaced } = decodeXml(bytes, entry);
  const root = parseXml(text, entry);
  if (root.name !== name) {
    throw brokenFile(`its root element must be "${name}", but is "${root.name.slice(0, 80)}"`, placeOf(root));
  }
  if (replaced > 0) warnings.add(root.name, `${replaced} characters could not be decoded and were replaced`);
  reportUnknown(root, warnings);
  return root;
}

/** The initial state for reading a file. */
export function startReading(warnings: ReadWarnings, idSeed: string): ReadContext {
  return {
    warnings,
    kept: { elements: 0, characters: 0 },
    settings: usualSettings(),
    manufacturers: new ReadManufacturers(),
    features: new Map(),
    calculations: new Map(),
    isCalculated: false,
    itemIds: new Set(),
    imageUris: new Set(),
    idSeed,
  };
}

/** Validates the project against the rules of the project document. */
export function finishReading(project: ProjectDocument, warnings: ReadWarnings): ReadProject {
  const result = checkProject(project);
  if (!result.ok) {
    throw badRequest("The project file has values that a project cannot have", result.violations);
  }
  return { project: result.value, warnings: warnings.list() };
}

/**
 * Adds a warning for every unknown attribute and child below `root`; the content of unknown children is
 * skipped. Items keep unknown parts, so only those of their prices produce warnings.
 */
function reportUnknown(root: XmlElement, warnings: ReadWarnings): void {
  const waiting: { element: XmlElement; isPrice: boolean }[] = [{ element: root, isPrice: false }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { element, isPrice } = next;
    const name = plainName(element.name);
    if (itemElements.has(name)) {
      const parts = element.children.filter((child) => isItemOrPrice(name, plainName(child.name)));
      waiting.push(...parts.reverse().map((part) => ({ element: part, isPrice: true })));
      continue;
    }
    if (isOpaque(name)) continue;
    const consequence = isPrice ? "has no effect on the price" : "skipped";
    for (const attribute of element.attributes.keys()) {
      if (treatmentOf(name, `@${attribute}`) === undefined && !isNamespace(attribute)) {
        const place = `${element.path}/@${attribute}`;
        warnings.add(place, `${consequence}: this attribute is unknown`, element.line);
      }
    }
    const expected: XmlElement[] = [];
    for (const child of element.children) {
      if (treatmentOf(name, plainName(child.name)) !== undefined) expected.push(child);
      else warnings.add(child.path, `${consequence}: this element is unknown`, child.line);
    }
    waiting.push(...expected.reverse().map((child) => ({ element: child, isPrice })));
  }
}

/** The price of a set is the sum of its parts. */
function isItemOrPrice(parent: string, name: string): boolean {
  return itemElements.has(name) || (parent !== "setArticle" && priceParts.has(name));
}

function isNamespace(attribute: string): boolean {
  return attribute === "xmlns" || attribute.startsWith("xmlns:") || attribute.startsWith("xsi:");
}

/**
 * Decodes by byte order mark, XML declaration, or else as UTF-8. Invalid bytes become U+FFFD.
 * @throws RequestError 400 for an unknown encoding.
 */
function decodeXml(bytes: Uint8Array, entry?: string): DecodedXml {
  const encoding = markedEncoding(bytes) ?? declaredEncoding(bytes) ?? "utf-8";
  const decoder = decoderFor(encoding, entry);
  const text = decoder.decode(bytes);
  return { text, replaced: text.match(replacement)?.length ?? 0 };
}

function decoderFor(encoding: string, entry?: string): { decode(bytes: Uint8Array): string } {
  try {
    return new TextDecoder(encoding);
  } catch (error) {
    throw brokenFile(
      `the encoding "${encoding.slice(0, 40)}" is unknown`,
      { ...(entry === undefined ? {} : { entry }), line: 1, column: 1 },
      error,
    );
  }
}

function markedEncoding(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  return undefined;
}

function declaredEncoding(bytes: Uint8Array): string | undefined {
  const head = new TextDecoder("latin1").decode(bytes.subarray(0, 200));
  return /^(?:ï»¿)?<\?xml[^>]*?\sencoding\s*=\s*["']([^"']+)["']/.exec(head)?.[1];
}
