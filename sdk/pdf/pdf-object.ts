/** The object types of PDF. Numbers, booleans and null are JavaScript values. */

/** Any object. `typeof` identifies the primitive ones, `kind` the others. */
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

/** A name, without the slash and with escapes (`#20`) resolved: one character per byte. */
export interface PdfName {
  readonly kind: "name";
  readonly name: string;
}

/** A string as bytes, one character (0 to 255) each. See pdf-text.ts for human-readable text. */
export interface PdfString {
  readonly kind: "string";
  readonly bytes: string;
}

/**
 * A reference to an object of the same file. Compare `number`, not identity: several instances may refer to
 * one object.
 */
export interface PdfReference {
  readonly kind: "reference";
  readonly number: number;
}

/** Items may be changed in place. */
export interface PdfArray {
  readonly kind: "array";
  readonly items: PdfObject[];
}

/** Entries by name (without slash); they may be changed in place. */
export interface PdfDictionary {
  readonly kind: "dictionary";
  readonly entries: Map<string, PdfObject>;
}

/** Always an indirect object. `Length` is set when it is written. */
export interface PdfStream {
  readonly kind: "stream";
  readonly dictionary: PdfDictionary;
  /** The data of the file, encoded with the filters in the dictionary. */
  data: Uint8Array;
  /** The Flate level (1 to 9) with which the writer encodes the data, which has no filter until then. */
  packing?: number;
}

/** Maps object numbers of a source file to those of the file that adopted it. */
export interface Numbering {
  /** Added to every number. */
  readonly shift: number;
  /** The highest number in the source: references beyond it must not resolve to objects of other files. */
  readonly last: number;
}

/** The highest object number that PDF allows. */
export const highestNumber = 8_388_607;

/** For a file that was not adopted. */
export const ownNumbering: Numbering = { shift: 0, last: highestNumber };

/** Describes a damaged or unsupported PDF; for the log, not for clients. */
export class PdfFormatError extends Error {
  override readonly name: string = "PdfFormatError";
}

/** A PDF that only its password opens, or that is protected against changes. */
export class PdfEncryptedError extends PdfFormatError {
  override readonly name = "PdfEncryptedError";

  constructor() {
    super("The file is encrypted.");
  }
}

const names = new Map<string, PdfName>();
const keptNames = 4096;

/** A name; common names share one instance. */
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

/** A dictionary with these entries; undefined ones are left out. */
export function pdfDictionary(entries: Record<string, PdfObject | undefined> = {}): PdfDictionary {
  const made = new Map<string, PdfObject>();
  for (const [key, value] of Object.entries(entries)) if (value !== undefined) made.set(key, value);
  return { kind: "dictionary", entries: made };
}

/** Whether an object is this name, e.g. `isName(dictionary.entries.get("Type"), "Page")`. */
export function isName(object: PdfObject | undefined, name: string): boolean {
  return isKind(object, "name") && object.name === name;
}

/** Checks the kind of a non-primitive object. */
export function isKind<K extends Exclude<PdfObject, null | boolean | number>["kind"]>(
  object: PdfObject | undefined,
  kind: K,
): object is Extract<PdfObject, { kind: K }> {
  return typeof object === "object" && object !== null && object.kind === kind;
}
