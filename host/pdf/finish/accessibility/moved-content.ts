import type { PdfObject } from "@slipway/sdk/runtime/pdf";
import type { StructureElement } from "./structure-element.js";
import {
  type ContentPlace,
  contentPlace,
  kidsOf,
  setKids,
  type TaggedStructure,
} from "./tagged-structure.js";

/** Content that leaves its elements or is referred to in another way; all at once, because there may be much of it. */
export class MovedContent {
  private readonly changes = new Map<StructureElement, Map<number, PdfObject | undefined>>();

  constructor(private readonly structure: TaggedStructure) {}

  remove(element: StructureElement, place: ContentPlace): void {
    this.change(element, place, undefined);
  }

  replace(element: StructureElement, place: ContentPlace, kid: PdfObject): void {
    this.change(element, place, kid);
  }

  apply(): void {
    const { file } = this.structure;
    for (const [element, changes] of this.changes) {
      const kids = kidsOf(file, element.dictionary).flatMap((kid) => {
        const place = contentPlace(file, kid, element.dictionary);
        const key = place && keyOf(place);
        if (key === undefined || !changes.has(key)) return [kid];
        return changes.get(key) ?? [];
      });
      setKids(element.dictionary, kids);
      if (kids.length === 0) this.leaveOut(element);
    }
  }

  private change(element: StructureElement, place: ContentPlace, kid: PdfObject | undefined): void {
    const changes = this.changes.get(element) ?? new Map<number, PdfObject | undefined>();
    this.changes.set(element, changes.set(keyOf(place), kid));
  }

  /** Removes an element without meaning and content. */
  private leaveOut(element: StructureElement): void {
    const { parent } = element;
    if (element.type !== "NonStruct" || parent === undefined) return;
    const { file } = this.structure;
    const kids = kidsOf(file, parent.dictionary).filter((kid) => this.structure.element(kid) !== element);
    setKids(parent.dictionary, kids);
    parent.children = parent.children.filter((child) => child !== element);
    if (kids.length === 0) this.leaveOut(parent);
  }
}

/** One number for both: pages do not have as many pieces of content. */
function keyOf({ stream, identifier }: ContentPlace): number {
  return stream.number * 2 ** 24 + identifier;
}
