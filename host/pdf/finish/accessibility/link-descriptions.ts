import type { PdfPage } from "../page-tree.js";
import { isKind, isName, type PdfDictionary, pdfName, pdfReference } from "../pdf-object.js";
import { pdfText, textOf } from "../pdf-text.js";
import type { PageContents } from "./page-contents.js";
import { SequenceTexts } from "./sequence-texts.js";
import type { StructureElement } from "./structure-element.js";
import { type ContentPlace, contentPlace, kidsOf, type TaggedStructure } from "./tagged-structure.js";

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
