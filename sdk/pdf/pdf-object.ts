/** The objects that a PDF consists of. Numbers, booleans and null are those of JavaScript. */

/** Any object. `typeof` tells the plain ones, `kind` the others. */
export type PdfObject =
  | null
  | boolean
  | number
  | PdfName
  | PdfString
  | PdfReference
  | PdfArray
  | PdfDictionary
  | PdfStream;

/** A name, without its slash and with its escapes (`#20`) resolved: one character per byte. */
export interface PdfName {
  readonly kind: "name";
  readonly name: string;
}

/** A string as its bytes, one character (0 to 255) each. See pdf-text.ts for what people read. */
export interface PdfString {
  readonly kind: "string";
  readonly bytes: string;
}

/** Points to an object of the same file. Compare by `number`: two references to one object may be two things. */
export interface PdfReference {
  readonly kind: "reference";
  readonly number: number;
}

/** Items may be changed in place. */
export interface PdfArray {
  readonly kind: "array";
  readonly items: PdfObject[];
}

/** Entries by their name (without slash); they may be changed in place. */
export interface PdfDictionary {
  readonly kind: "dictionary";
  readonly entries: Map<string, PdfObject>;
}

/** Always an object of its own, never inside another. `Length` is set when it is written. */
export interface PdfStream {
  readonly kind: "stream";
  readonly dictionary: PdfDictionary;
  /** As it stands in the file, encoded with the filters that the dictionary names. */
  data: Uint8Array;
}

/** What the numbers in the source of a file are in the file that has taken its objects over. */
export interface Numbering {
  /** Added to every number. */
  readonly shift: number;
  /** The highest number in the source: references beyond it lead nowhere, and not to what others brought along. */
  readonly last: number;
}

/** The highest number of an object, as PDF itself limits it. */
export const highestNumber = 8_388_607;

/** Of a file by itself. */
export const ownNumbering: Numbering = { shift: 0, last: highestNumber };

/** What is wrong with a PDF; for the log, not for clients. */
export class PdfFormatError extends Error {
  override readonly name = "PdfFormatError";
}

const names = new Map<string, PdfName>();
const keptNames = 4096;

/** The name; there is only one of each of the usual ones. */
export function pdfName(name: string): PdfName {
  const known = names.get(name);
  if (known !== undefined) return known;
  const made: PdfName = { kind: "name", name };
  if (names.size < keptNames) names.set(name, made);
  return made;
}

export function pdfReference(number: number): PdfReference {
  return { kind: "reference", number };
}

export function pdfArray(items: PdfObject[] = []): PdfArray {
  return { kind: "array", items };
}

/** A dictionary of these entries; those that are undefined are left out. */
export function pdfDictionary(entries: Record<string, PdfObject | undefined> = {}): PdfDictionary {
  const made = new Map<string, PdfObject>();
  for (const [key, value] of Object.entries(entries)) if (value !== undefined) made.set(key, value);
  return { kind: "dictionary", entries: made };
}

/** Whether it is the name, e.g. `isName(dictionary.entries.get("Type"), "Page")`. */
export function isName(object: PdfObject | undefined, name: string): boolean {
  return isKind(object, "name") && object.name === name;
}

/** Tells the kind of an object that is not a plain one. */
export function isKind<K extends Exclude<PdfObject, null | boolean | number>["kind"]>(
  object: PdfObject | undefined,
  kind: K,
): object is Extract<PdfObject, { kind: K }> {
  return typeof object === "object" && object !== null && object.kind === kind;
}
