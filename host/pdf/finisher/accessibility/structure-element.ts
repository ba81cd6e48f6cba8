import type { PdfFile } from "../pdf-file.js";
import { isKind, type PdfDictionary, type PdfObject, type PdfReference, pdfName } from "../pdf-object.js";
import type { PdfParser } from "../pdf-parser.js";

/**
 * An element of a structure tree. Most of them stay as they are, so its dictionary is read when it is asked for, and
 * what everybody wants to know is noted before.
 */
export class StructureElement {
  parent: StructureElement | undefined;
  children: StructureElement[] = [];

  constructor(
    private readonly file: PdfFile,
    readonly reference: PdfReference,
    private readonly outline: ElementOutline,
  ) {}

  /** As it stands in the file, before role mapping. */
  get type(): string {
    return this.outline.type;
  }

  /** Makes it an element of another type. */
  setType(type: string): void {
    this.outline.type = type;
    this.dictionary.entries.set("S", pdfName(type));
  }

  /** Whether it has a text for people who do not see it. */
  get isDescribed(): boolean {
    return this.outline.isDescribed;
  }

  get dictionary(): PdfDictionary {
    const dictionary = this.file.dictionary(this.reference);
    if (dictionary === undefined) throw new Error("An element of the structure tree is no dictionary.");
    return dictionary;
  }
}

/** What is to be known of an element without keeping its dictionary. */
export interface ElementOutline {
  type: string;
  /** `K`: elements, content and objects. */
  kids: PdfObject;
  isDescribed: boolean;
}

/** Undefined if there is no element. Throws `PdfFormatError` for damage. */
export function elementOutline(file: PdfFile, reference: PdfReference): ElementOutline | undefined {
  const parser = file.glance(reference);
  return parser?.enterDictionary() ? glanced(parser) : read(file.dictionary(reference));
}

function glanced(parser: PdfParser): ElementOutline | undefined {
  const outline: ElementOutline = { type: "", kids: null, isDescribed: false };
  for (let key = parser.nextKey(); key !== undefined; key = parser.nextKey()) {
    const value = parser.object(1);
    if (key === "S" && isKind(value, "name")) outline.type = value.name;
    else if (key === "K") outline.kids = value;
    else if ((key === "Alt" || key === "ActualText") && value !== null) outline.isDescribed = true;
  }
  return outline.type === "" ? undefined : outline;
}

function read(dictionary: PdfDictionary | undefined): ElementOutline | undefined {
  const type = dictionary?.entries.get("S");
  if (dictionary === undefined || !isKind(type, "name")) return undefined;
  const { entries } = dictionary;
  const isDescribed = entries.has("Alt") || entries.has("ActualText");
  return { type: type.name, kids: entries.get("K") ?? null, isDescribed };
}
