/** Entries of PDF dictionaries by type; what is absent, null or of another type is undefined. */
import {
  decodePDFRawStream,
  PDFArray,
  PDFBool,
  PDFDict,
  PDFHexString,
  PDFName,
  PDFNull,
  PDFNumber,
  type PDFObject,
  PDFRawStream,
  PDFRef,
  PDFStream,
  PDFString,
} from "@cantoo/pdf-lib";

/** Keys by their text, because the library looks for escapes in each key that it is asked for. */
const keys = new Map<string, PDFName>();
/** Texts of names, for the same reason. */
const texts = new WeakMap<PDFName, string>();

/** The value of an entry, with references followed. */
export function entry(dictionary: PDFDict, key: string): PDFObject | undefined {
  const value = dictionary.lookup(keyOf(key));
  return value === PDFNull ? undefined : value;
}

/** Where an entry points to; undefined where its value is direct. */
export function referenceEntry(dictionary: PDFDict, key: string): PDFRef | undefined {
  const value = dictionary.get(keyOf(key));
  return value instanceof PDFRef ? value : undefined;
}

export function dictionaryEntry(dictionary: PDFDict, key: string): PDFDict | undefined {
  return dictionaryOf(entry(dictionary, key));
}

/** The dictionary itself, or that of a stream. */
export function dictionaryOf(value: PDFObject | undefined): PDFDict | undefined {
  if (value instanceof PDFDict) return value;
  return value instanceof PDFStream ? value.dict : undefined;
}

export function streamEntry(dictionary: PDFDict, key: string): PDFRawStream | undefined {
  const value = entry(dictionary, key);
  return value instanceof PDFRawStream ? value : undefined;
}

/** Without the slash, with its escapes resolved. */
export function nameEntry(dictionary: PDFDict, key: string): string | undefined {
  return nameOf(entry(dictionary, key));
}

export function nameOf(value: PDFObject | undefined): string | undefined {
  if (!(value instanceof PDFName)) return undefined;
  const known = texts.get(value);
  if (known !== undefined) return known;
  const text = value.decodeText();
  texts.set(value, text);
  return text;
}

export function textEntry(dictionary: PDFDict, key: string): string | undefined {
  return textOf(entry(dictionary, key));
}

export function textOf(value: PDFObject | undefined): string | undefined {
  return value instanceof PDFString || value instanceof PDFHexString ? value.decodeText() : undefined;
}

export function numberEntry(dictionary: PDFDict, key: string): number | undefined {
  const value = entry(dictionary, key);
  return value instanceof PDFNumber ? value.asNumber() : undefined;
}

export function flagEntry(dictionary: PDFDict, key: string): boolean | undefined {
  const value = entry(dictionary, key);
  return value instanceof PDFBool ? value.asBoolean() : undefined;
}

/** Elements of an array entry, with references kept; a single value stands for an array of itself. */
export function listEntry(dictionary: PDFDict, key: string): PDFObject[] {
  const value = entry(dictionary, key);
  if (value instanceof PDFArray) return value.asArray();
  const single = dictionary.get(keyOf(key));
  return value === undefined || single === undefined ? [] : [single];
}

function keyOf(text: string): PDFName {
  const known = keys.get(text);
  if (known !== undefined) return known;
  const key = PDFName.of(text);
  keys.set(text, key);
  return key;
}

/** The decoded bytes of a stream. Throws for filters that are not known. */
export function decoded(stream: PDFRawStream): Uint8Array {
  return decodePDFRawStream(stream).decode();
}
