import {
  isKind,
  isName,
  type PdfDictionary,
  type PdfFile,
  type PdfObject,
  type PdfParser,
  type PdfReference,
  pdfArray,
  pdfDictionary,
  pdfName,
} from "@slipway/sdk/runtime/pdf";

/**
 * An element of a structure tree. Most of them stay unchanged, so only their often used properties are in memory;
 * their dictionaries are read on request.
 */
export class StructureElement {
  parent: StructureElement | undefined;
  children: StructureElement[] = [];
  /** Whether it also contained content, objects or elements of other parents when the tree was read. */
  hasContent = false;

  constructor(
    private readonly file: PdfFile,
    readonly reference: PdfReference,
    private currentType: string,
    /** Whether it has a text for people who do not see it. */
    readonly isDescribed = false,
  ) {}

  /** As in the file, before role mapping. */
  get type(): string {
    return this.currentType;
  }

  set type(type: string) {
    this.currentType = type;
    this.dictionary.entries.set("S", pdfName(type));
  }

  /** For reading only: unchanged elements are not kept in memory, and are copied byte by byte. */
  glimpse(): PdfDictionary {
    const object = this.file.unreadParser(this.reference)?.object();
    return isKind(object, "dictionary") ? object : this.dictionary;
  }

  /** Changing it changes the file. */
  get dictionary(): PdfDictionary {
    const dictionary = this.file.dictionary(this.reference);
    if (dictionary === undefined) throw new Error("An element of the structure tree is gone.");
    return dictionary;
  }
}

/** What is to be known of an element without keeping its dictionary. */
export interface ElementSketch {
  type: string;
  /** `K`, with elements, content and objects. */
  kids: PdfObject | undefined;
  isDescribed: boolean;
}

/** Undefined if the object is no element. Throws `PdfFormatError` for damage. */
export function sketchedElement(file: PdfFile, reference: PdfReference): ElementSketch | undefined {
  const parser = file.unreadParser(reference);
  return parser?.enterDictionary() ? sketchedUnread(parser) : sketchedRead(file.dictionary(reference));
}

function sketchedUnread(parser: PdfParser): ElementSketch | undefined {
  let type: string | undefined;
  let kids: PdfObject | undefined;
  let isDescribed = false;
  for (let key = parser.nextKey(); key !== undefined; key = parser.nextKey()) {
    const value = parser.object(1);
    if (key === "K") kids = value;
    else if (key === "S") type = isKind(value, "name") ? value.name : undefined;
    else if (key === "Alt" || key === "ActualText") isDescribed ||= value !== null;
  }
  return type === undefined ? undefined : { type, kids, isDescribed };
}

function sketchedRead(dictionary: PdfDictionary | undefined): ElementSketch | undefined {
  const type = dictionary?.entries.get("S");
  if (dictionary === undefined || !isKind(type, "name")) return undefined;
  const { entries } = dictionary;
  const isDescribed = entries.has("Alt") || entries.has("ActualText");
  return { type: type.name, kids: entries.get("K"), isDescribed };
}

/** Value of an attribute of a cell, such as `Scope`. */
export function attributeOf(file: PdfFile, element: PdfDictionary, key: string): PdfObject | undefined {
  const value = ownerOf(file, element, key)?.entries.get(key);
  return value === undefined ? undefined : file.resolve(value);
}

/** Sets an attribute of a cell. */
export function setAttribute(file: PdfFile, element: PdfDictionary, key: string, value: PdfObject): void {
  const owner = ownerOf(file, element, key);
  if (owner !== undefined) owner.entries.set(key, value);
  else {
    const added = pdfDictionary({ O: pdfName("Table"), [key]: value });
    element.entries.set("A", pdfArray([...attributesOf(file, element), added]));
  }
}

function ownerOf(file: PdfFile, element: PdfDictionary, key: string): PdfDictionary | undefined {
  for (const each of attributesOf(file, element)) {
    const dictionary = file.dictionary(each);
    if (dictionary?.entries.has(key) && isName(dictionary.entries.get("O"), "Table")) return dictionary;
  }
  return undefined;
}

function attributesOf(file: PdfFile, { entries }: PdfDictionary): PdfObject[] {
  const attributes = entries.get("A");
  return attributes === undefined ? [] : (file.array(attributes) ?? [attributes]);
}
