import type { PdfPage } from "../page-tree.js";
import { isKind, isName, type PdfDictionary, type PdfReference } from "../pdf-object.js";
import { pdfText, textOf } from "../pdf-text.js";
import { contentOf } from "./page-content.js";
import { SequenceTexts } from "./sequence-texts.js";
import { contentPlace, kidsOf, type StructureElement, type TaggedStructure } from "./tagged-structure.js";

/** Gives links that have no `Contents` the text that is linked, or else their address, and pages the order of tabs. */
export function describeLinks(structure: TaggedStructure, pages: PdfPage[]): void {
  const texts = new LinkTexts(structure);
  for (const { dictionary } of pages) {
    const annotations = structure.file.array(dictionary.entries.get("Annots")) ?? [];
    if (annotations.length > 0) dictionary.entries.set("Tabs", { kind: "name", name: "S" });
    for (const each of annotations) {
      const link = structure.file.dictionary(each);
      if (link === undefined || !isName(link.entries.get("Subtype"), "Link") || link.entries.has("Contents"))
        continue;
      const key = structure.file.resolve(link.entries.get("StructParent"));
      const element = typeof key === "number" ? structure.element(structure.parents.get(key)) : undefined;
      const text = (element && texts.of(element)) || addressOf(structure, link);
      if (text !== "") link.entries.set("Contents", pdfText(text));
    }
  }
}

class LinkTexts {
  private readonly sequences: SequenceTexts;
  private readonly byPage = new Map<number, Map<number, string>>();

  constructor(private readonly structure: TaggedStructure) {
    this.sequences = new SequenceTexts(structure.file);
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
      if (child !== undefined) return this.text(child);
      const place = contentPlace(file, kid, element.dictionary);
      return place === undefined ? "" : (this.page(place.page).get(place.identifier) ?? "");
    });
    return parts.join("");
  }

  private page(reference: PdfReference): Map<number, string> {
    const known = this.byPage.get(reference.number);
    if (known !== undefined) return known;
    const { file } = this.structure;
    const page = file.dictionary(reference);
    const resources = file.dictionary(page?.entries.get("Resources"));
    const texts =
      page === undefined ? new Map<number, string>() : this.sequences.of(contentOf(file, page), resources);
    this.byPage.set(reference.number, texts);
    return texts;
  }
}

function addressOf({ file }: TaggedStructure, link: PdfDictionary): string {
  const address = file.resolve(file.dictionary(link.entries.get("A"))?.entries.get("URI"));
  return isKind(address, "string") ? textOf(address) : "";
}
