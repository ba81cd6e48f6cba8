import {
  ContentOperators,
  codesOf,
  contentStrings,
  isKind,
  isName,
  leadingName,
  markedIdentifier,
  type PdfDictionary,
  type PdfFile,
  type PdfPage,
  pdfName,
  pdfReference,
  pdfText,
  textOf,
  unicodeMap,
} from "@slipway/sdk/runtime/pdf";
import { endOfMark, fontChoice, markWithProperties, plainMark, showing } from "../text-operators.js";
import type { PageContents } from "./page-contents.js";
import type { StructureElement } from "./structure-element.js";
import { type ContentPlace, contentPlace, kidsOf, type TaggedStructure } from "./tagged-structure.js";

type FontReader = (bytes: Uint8Array) => string;

/** Gives links that have no `Contents` the text that is linked, or else their address, and pages the order of tabs. */
export function describeLinks(structure: TaggedStructure, pages: PdfPage[], contents: PageContents): void {
  const links = pages.flatMap(({ dictionary }) => linksOf(structure, dictionary));
  const texts = new LinkTexts(
    structure,
    links.flatMap(({ element }) => element ?? []),
    contents,
  );
  for (const { link, element } of links) {
    const text = (element && texts.of(element)) || addressOf(structure, link);
    if (text !== "") link.entries.set("Contents", pdfText(text));
  }
}

/** Links of a page that nothing describes yet. */
function linksOf(structure: TaggedStructure, page: PdfDictionary) {
  const { file } = structure;
  const annotations = file.array(page.entries.get("Annots")) ?? [];
  if (annotations.length > 0) page.entries.set("Tabs", pdfName("S"));
  return annotations.flatMap((each) => {
    const link = file.dictionary(each);
    if (link === undefined || !isName(link.entries.get("Subtype"), "Link") || link.entries.has("Contents"))
      return [];
    const key = file.resolve(link.entries.get("StructParent"));
    const element = typeof key === "number" ? structure.element(structure.parents.get(key)) : undefined;
    return [{ link, element }];
  });
}

class LinkTexts {
  /** By page or form, and identifier. */
  private readonly texts = new Map<number, Map<number, string>>();

  constructor(
    private readonly structure: TaggedStructure,
    elements: StructureElement[],
    contents: PageContents,
  ) {
    const wanted = new Map<number, Set<number>>();
    for (const element of elements)
      for (const { stream, identifier } of this.places(element))
        wanted.set(stream.number, (wanted.get(stream.number) ?? new Set()).add(identifier));
    const { file } = structure;
    const sequences = new SequenceTexts(file);
    for (const [number, identifiers] of wanted) {
      const object = file.resolve(pdfReference(number));
      const dictionary = file.dictionary(object);
      if (dictionary === undefined) continue;
      const content = isKind(object, "stream") ? file.content(object) : contents.of(dictionary);
      const resources = file.dictionary(dictionary.entries.get("Resources"));
      this.texts.set(number, sequences.of(content, resources, identifiers));
    }
  }

  /** What an element says: its own text for people who do not see it, else the text of its content. */
  of(element: StructureElement): string {
    return this.text(element).replace(/\s+/g, " ").trim();
  }

  private text(element: StructureElement): string {
    const { file } = this.structure;
    for (const key of ["Alt", "ActualText"]) {
      const own = file.resolve(element.dictionary.entries.get(key));
      if (isKind(own, "string")) return textOf(own);
    }
    const parts = kidsOf(file, element.dictionary).map((kid) => {
      const child = this.structure.element(kid);
      // An element that is named twice is read where it belongs, so that nothing goes round.
      if (child !== undefined) return child.parent === element ? this.text(child) : "";
      const place = contentPlace(file, kid, element.dictionary);
      return place === undefined ? "" : (this.texts.get(place.stream.number)?.get(place.identifier) ?? "");
    });
    return parts.join("");
  }

  private places(element: StructureElement): ContentPlace[] {
    const { file } = this.structure;
    const own = kidsOf(file, element.dictionary).flatMap(
      (kid) => contentPlace(file, kid, element.dictionary) ?? [],
    );
    return [...own, ...element.children.flatMap((child) => this.places(child))];
  }
}

function addressOf({ file }: TaggedStructure, link: PdfDictionary): string {
  const address = file.resolve(file.dictionary(link.entries.get("A"))?.entries.get("URI"));
  return isKind(address, "string") ? textOf(address) : "";
}

/** Reads the text of marked sequences of pages. Fonts are read once. */
class SequenceTexts {
  private readonly fonts = new Map<PdfDictionary, FontReader>();

  constructor(private readonly file: PdfFile) {}

  /** By identifier; of all others nothing is read. */
  of(
    content: Uint8Array,
    resources: PdfDictionary | undefined,
    wanted: ReadonlySet<number>,
  ): Map<number, string> {
    const texts = new Map<number, string>();
    const marks: (number | undefined)[] = [];
    const operators = new ContentOperators(content);
    let font: number | undefined;
    let mark: number | undefined;
    while (operators.next()) {
      const { code, operands: from, start } = operators;
      if (code === fontChoice) font = from;
      else if (code === markWithProperties || code === plainMark) {
        marks.push(mark);
        const identifier = code === markWithProperties ? markedIdentifier(content, from, start) : undefined;
        mark = identifier !== undefined && wanted.has(identifier) ? identifier : mark;
      } else if (code === endOfMark) mark = marks.pop();
      else if (mark !== undefined && showing.has(code)) {
        const read = this.font(resources, font === undefined ? undefined : leadingName(content, font));
        for (const string of contentStrings(content, from, start))
          texts.set(mark, (texts.get(mark) ?? "") + (read?.(string) ?? ""));
      }
    }
    return texts;
  }

  private font(resources: PdfDictionary | undefined, name: string | undefined): FontReader | undefined {
    const fonts = this.file.dictionary(resources?.entries.get("Font"));
    const font = name === undefined ? undefined : this.file.dictionary(fonts?.entries.get(name));
    if (font === undefined) return undefined;
    const known = this.fonts.get(font) ?? this.reader(font);
    this.fonts.set(font, known);
    return known;
  }

  private reader(font: PdfDictionary): FontReader {
    const map = this.file.resolve(font.entries.get("ToUnicode"));
    if (!isKind(map, "stream")) return () => "";
    const characters = unicodeMap(this.file.content(map));
    const width = isName(font.entries.get("Subtype"), "Type0") ? 2 : 1;
    return (bytes) =>
      codesOf(bytes, width)
        .map((code) => characters.get(code) ?? "")
        .join("");
  }
}
