/** Reading of project files: what OBK and OBX have in common. */
import { checkProject } from "../project/check-project.js";
import type { ProjectDocument } from "../project/document.js";
import { badRequest } from "../validation.js";
import { brokenFile } from "./broken-file.js";
import type { ReadContext } from "./read-context.js";
import { ReadManufacturers } from "./read-manufacturers.js";
import { usualSettings } from "./read-settings.js";
import type { ReadWarning, ReadWarnings } from "./read-warnings.js";
import { reportUnknown } from "./report-unknown.js";
import { placeOf } from "./xml-reading.js";
import { decodeXml } from "./xml-text.js";
import { parseXml, type XmlElement } from "./xml-tree.js";

/** A project from a file, and what was skipped or repaired on the way. */
export interface ReadProject {
  /** What could be read. */
  project: ProjectDocument;
  /** What was not understood and skipped. */
  warnings: ReadWarning[];
}

/**
 * The root of an XML file, with warnings for what is unknown in it.
 * @throws RequestError 400 when it is not well-formed or has another root.
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
    throw brokenFile(`the root element is "${root.name.slice(0, 80)}", expected "${name}"`, placeOf(root));
  }
  if (replaced > 0) warnings.add(root.name, `${replaced} characters could not be decoded and were replaced`);
  reportUnknown(root, warnings);
  return root;
}

/** The state at the beginning of a reading. */
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

/** The project, once it is certain that it keeps the rules of the project document. */
export function finishReading(project: ProjectDocument, warnings: ReadWarnings): ReadProject {
  const result = checkProject(project);
  if (!result.ok) {
    throw badRequest("The project file has values that a project cannot have", result.violations);
  }
  return { project: result.value, warnings: warnings.list() };
}
