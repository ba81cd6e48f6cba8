/**
 * Typed access to entries of PDF dictionaries; entries that are absent, null or of another type are
 * undefined.
 */
import type { PdfFile } from "./pdf-file.js";
import {
  isKind,
  type PdfDictionary,
  type PdfObject,
  type PdfReference,
  type PdfStream,
} from "./pdf-object.js";
import { textOf } from "./pdf-text.js";

/** The value of an entry, with references resolved. */
export function entry(file: PdfFile, dictionary: PdfDictionary, key: string): PdfObject | undefined {
  return file.resolve(dictionary.entries.get(key)) ?? undefined;
}

/** The reference in an entry; undefined if its value is direct. */
export function referenceEntry(dictionary: PdfDictionary, key: string): PdfReference | undefined {
  const value = dictionary.entries.get(key);
  return isKind(value, "reference") ? value : undefined;
}

/** The dictionary itself, or that of a stream. */
export function dictionaryEntry(
  file: PdfFile,
  dictionary: PdfDictionary,
  key: string,
): PdfDictionary | undefined {
  return file.dictionary(dictionary.entries.get(key));
}

/** Only a dictionary, not that of a stream. */
export function plainDictionary(file: PdfFile, object: PdfObject | undefined): PdfDictionary | undefined {
  const value = file.resolve(object);
  return isKind(value, "dictionary") ? value : undefined;
}

export function streamEntry(file: PdfFile, dictionary: PdfDictionary, key: string): PdfStream | undefined {
  const value = entry(file, dictionary, key);
  return isKind(value, "stream") ? value : undefined;
}

/** Without the slash, with escapes resolved. */
export function nameEntry(file: PdfFile, dictionary: PdfDictionary, key: string): string | undefined {
  return nameText(entry(file, dictionary, key));
}

export function nameText(value: PdfObject | undefined): string | undefined {
  return isKind(value, "name") ? value.name : undefined;
}

export function textEntry(file: PdfFile, dictionary: PdfDictionary, key: string): string | undefined {
  const value = entry(file, dictionary, key);
  return isKind(value, "string") ? textOf(value) : undefined;
}

export function numberEntry(file: PdfFile, dictionary: PdfDictionary, key: string): number | undefined {
  const value = entry(file, dictionary, key);
  return typeof value === "number" ? value : undefined;
}

export function flagEntry(file: PdfFile, dictionary: PdfDictionary, key: string): boolean | undefined {
  const value = entry(file, dictionary, key);
  return typeof value === "boolean" ? value : undefined;
}

/** Elements of an array entry, with references kept; a single value counts as an array with one element. */
export function listEntry(file: PdfFile, dictionary: PdfDictionary, key: string): PdfObject[] {
  const value = entry(file, dictionary, key);
  if (isKind(value, "array")) return value.items;
  const single = dictionary.entries.get(key);
  return value === undefined || single === undefined ? [] : [single];
}
