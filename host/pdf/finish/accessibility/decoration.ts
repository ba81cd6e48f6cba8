import { isKind, isName, type PdfReference } from "@slipway/sdk/runtime/pdf";
import { attributeOf, type StructureElement } from "./structure-element.js";
import type { TaggedStructure } from "./tagged-structure.js";

/** Drawings and pictures in these are what they show (of a label: the bullet). */
const drawn = new Set(["Figure", "Formula", "Form", "Lbl"]);

/** Which content of elements says nothing: their borders and backgrounds, and heads of tables that are repeated. */
export class Decoration {
  private readonly meaning = new Map<StructureElement, boolean>();
  private readonly heads = new Map<StructureElement, StructureElement | undefined>();
  private readonly firstPages = new Map<StructureElement, number>();

  constructor(private readonly structure: TaggedStructure) {}

  /** Ask page by page in their order. `isWordless`: the content consists of lines, areas and pictures alone. */
  isArtifact(element: StructureElement, page: PdfReference, isWordless: boolean): boolean {
    if (isWordless && !this.hasMeaningfulPictures(element)) return true;
    return this.isRepeated(element, page);
  }

  private hasMeaningfulPictures(element: StructureElement): boolean {
    const known = this.meaning.get(element);
    if (known !== undefined) return known;
    const has =
      drawn.has(element.type) ||
      element.isDescribed ||
      (element.parent !== undefined && this.hasMeaningfulPictures(element.parent));
    this.meaning.set(element, has);
    return has;
  }

  /** Chromium prints the head of a table on every page, and takes each for more content of its cells. */
  private isRepeated(element: StructureElement, page: PdfReference): boolean {
    const row = this.headOf(element);
    if (row === undefined) return false;
    const first = this.firstPages.get(row);
    if (first === undefined) this.firstPages.set(row, page.number);
    return first !== undefined && first !== page.number;
  }

  /** The row of heads of columns that an element belongs to. */
  private headOf(element: StructureElement): StructureElement | undefined {
    if (this.heads.has(element)) return this.heads.get(element);
    const { parent } = element;
    const head = element.type === "TR" ? this.headRow(element) : parent && this.headOf(parent);
    this.heads.set(element, head);
    return head;
  }

  private headRow(row: StructureElement): StructureElement | undefined {
    const { file } = this.structure;
    const isHead =
      !row.hasContent &&
      row.children.every(
        (cell) => cell.type === "TH" && isName(attributeOf(file, cell.glimpse(), "Scope"), "Column"),
      );
    return isHead && isKind(row.parent?.dictionary, "dictionary") ? row : undefined;
  }
}
