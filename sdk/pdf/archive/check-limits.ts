/** Limits of the values of a document (ISO 32000-1, annex C, as ISO 19005-3 has them). */
import type { TaggedDocument } from "../accessibility/tagged-document.js";
import type { PdfFile } from "../pdf-file.js";
import { isKind, type PdfDictionary, type PdfObject } from "../pdf-object.js";
import type { ArchiveFinding } from "./archive-finding.js";

const longestString = 32_767;
const longestName = 127;
const largestWhole = 2_147_483_647;
const shortestSide = 3;
const longestSide = 14_400;
const deepestSave = 28;
/** Texts of elements; the host writes their other entries. */
const texts = ["Alt", "ActualText", "E", "T"];
const boxes = ["MediaBox", "CropBox", "BleedBox", "TrimBox", "ArtBox"];

/** The sizes of pages, and all values but those of the structure, of which there are very many: only their texts. */
export function* checkLimits({ file, pages, tree }: TaggedDocument): Generator<ArchiveFinding> {
  const found = new Map<string, ArchiveFinding>();
  for (const object of reached(file)) findExceeded(object, found);
  for (const { dictionary } of tree?.elements ?? [])
    for (const key of texts) {
      const text = dictionary.entries.get(key);
      if (text !== undefined) findExceeded(text, found);
    }
  yield* found.values();
  for (const { number, dictionary, content } of pages) {
    if (content.deepestSave > deepestSave)
      yield {
        rule: "6.1.13",
        page: number,
        message: `The page saves ${content.deepestSave} graphics states within each other: expected at most ${deepestSave}.`,
      };
    for (const box of boxes) {
      const sides = sidesOf(file, dictionary, box);
      if (sides.some((side) => side < shortestSide || side > longestSide))
        yield {
          rule: "6.1.13",
          page: number,
          message: `The ${box} of the page has ${sides.join(" × ")} points: expected ${shortestSide} to ${longestSide}.`,
        };
    }
  }
}

function sidesOf(file: PdfFile, page: PdfDictionary, box: string): number[] {
  const corners = (file.array(page.entries.get(box)) ?? []).map((each) => Number(file.resolve(each)));
  const [left, bottom, right, top] = corners;
  if (left === undefined || bottom === undefined || right === undefined || top === undefined) return [];
  return [Math.abs(right - left), Math.abs(top - bottom)];
}

/** Entries that lead into the structure: of the catalog, of outlines and of actions. */
const intoStructure = new Set(["StructTreeRoot", "SE", "SD"]);

/** All objects that the catalog leads to, without the structure. */
function* reached(file: PdfFile): Generator<PdfObject> {
  const seen = new Set<number>();
  const waiting: PdfObject[] = [...file.trailer.entries.values()];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    let object = next;
    if (isKind(object, "reference")) {
      if (seen.has(object.number)) continue;
      seen.add(object.number);
      object = file.get(object);
    }
    yield object;
    collectReferences(object, waiting);
  }
}

function collectReferences(object: PdfObject, into: PdfObject[]): void {
  if (isKind(object, "reference")) into.push(object);
  else if (isKind(object, "array")) for (const item of object.items) collectReferences(item, into);
  else if (isKind(object, "stream")) collectReferences(object.dictionary, into);
  else if (isKind(object, "dictionary"))
    for (const [key, value] of object.entries) if (!intoStructure.has(key)) collectReferences(value, into);
}

/** Adds the limits that an object itself exceeds, by message; not those of what it refers to. */
export function findExceeded(object: PdfObject, found: Map<string, ArchiveFinding>): void {
  if (typeof object === "number") {
    if (Number.isInteger(object) && Math.abs(object) > largestWhole)
      tooLarge(`The number ${object}`, largestWhole, found);
  } else if (typeof object !== "object" || object === null) return;
  else if (object.kind === "string") {
    if (object.bytes.length > longestString)
      tooLarge(`A string of ${object.bytes.length} bytes`, longestString, found);
  } else if (object.kind === "name") checkName(object.name, found);
  else if (object.kind === "array") for (const item of object.items) findExceeded(item, found);
  else if (object.kind === "stream") findExceeded(object.dictionary, found);
  else if (object.kind === "dictionary")
    for (const [key, value] of object.entries) {
      checkName(key, found);
      findExceeded(value, found);
    }
}

function checkName(name: string, found: Map<string, ArchiveFinding>): void {
  if (name.length > longestName)
    tooLarge(`The name /${name.slice(0, 40)}… of ${name.length} bytes`, longestName, found);
}

function tooLarge(what: string, limit: number, found: Map<string, ArchiveFinding>): void {
  const message = `${what} is too large: expected at most ${limit}.`;
  found.set(message, { rule: "6.1.13", message });
}
