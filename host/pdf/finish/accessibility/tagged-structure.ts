/** The structure tree of a PDF with what it takes to change it. */
import {
  addNumberTree,
  isKind,
  isName,
  type PdfDictionary,
  type PdfFile,
  type PdfObject,
  type PdfReference,
  pdfArray,
  pdfDictionary,
  pdfName,
} from "@slipway/sdk/runtime/pdf";
import { nextKey, structureTreeOf } from "../structure-tree.js";
import { StructureElement, sketchedElement } from "./structure-element.js";

/** The place of marked content of an element. */
export interface ContentPlace {
  /** The page, or the form. */
  stream: PdfReference;
  identifier: number;
}

/** Deeper elements are left as they are: no document is built like that, and no stack should suffer from it. */
const deepest = 1000;

export class TaggedStructure {
  /** In reading order, parents before their children. */
  readonly elements: StructureElement[] = [];
  private readonly byNumber: (StructureElement | undefined)[] = [];
  private hasNewParents = false;

  private constructor(
    readonly file: PdfFile,
    readonly root: PdfDictionary,
    private readonly rootReference: PdfReference,
    readonly parents: Map<number, PdfObject>,
  ) {
    for (const kid of kidsOf(file, root)) this.read(kid, undefined, 0);
  }

  /** Undefined for a file without tags. */
  static of(file: PdfFile): TaggedStructure | undefined {
    const { catalog } = file;
    const tree = structureTreeOf(file, catalog);
    if (tree === undefined) return undefined;
    const given = catalog.entries.get("StructTreeRoot");
    const reference = isKind(given, "reference") ? given : file.add(tree.root);
    catalog.entries.set("StructTreeRoot", reference);
    return new TaggedStructure(file, tree.root, reference, tree.parents);
  }

  /** The element that an entry of the parent tree or of a list of kids refers to. */
  element(object: PdfObject | undefined): StructureElement | undefined {
    return isKind(object, "reference") ? this.byNumber[object.number] : undefined;
  }

  /** Elements by identifier of the content of a page or form with this `StructParents`. */
  owners(key: PdfObject | undefined): PdfObject[] | undefined {
    return typeof key === "number" ? this.file.array(this.parents.get(key)) : undefined;
  }

  /** Adds an entry to the parent tree; gives its key. */
  addParents(value: PdfObject): number {
    const key = nextKey(this.parents.keys());
    this.parents.set(key, value);
    this.hasNewParents = true;
    return key;
  }

  /** A new element around some of the kids of another one, at the place of the first of them. */
  wrap(parent: StructureElement, type: string, kids: PdfObject[]): StructureElement {
    const wrapper = this.newElement(type, parent.reference, parent.dictionary.entries.get("Pg"));
    wrapper.parent = parent;
    wrapper.children = parent.children.filter((child) => kids.some((kid) => this.element(kid) === child));
    for (const child of wrapper.children) {
      child.parent = wrapper;
      child.dictionary.entries.set("P", wrapper.reference);
    }
    for (const kid of kids) this.moveContent(kid, parent, wrapper);
    setKids(wrapper.dictionary, kids);
    const all = kidsOf(this.file, parent.dictionary);
    const first = all.indexOf(kids[0] ?? null);
    setKids(
      parent.dictionary,
      all.flatMap((kid, index) => (index === first ? [wrapper.reference] : kids.includes(kid) ? [] : [kid])),
    );
    parent.children = [...parent.children.filter((child) => child.parent === parent), wrapper];
    return wrapper;
  }

  /** Puts one element above all others. */
  wrapAll(type: string): void {
    const kids = kidsOf(this.file, this.root);
    const top = this.newElement(type, this.rootReference, undefined);
    top.children = this.elements.filter(({ parent }) => parent === undefined);
    for (const child of top.children) {
      child.parent = top;
      child.dictionary.entries.set("P", top.reference);
    }
    setKids(top.dictionary, kids);
    setKids(this.root, [top.reference]);
  }

  /** An element without content, such as an empty cell, that its parent does not have yet. */
  newElement(type: string, parent: PdfReference, page: PdfObject | undefined): StructureElement {
    const dictionary = pdfDictionary({ Type: pdfName("StructElem"), S: pdfName(type), P: parent, Pg: page });
    const element = new StructureElement(this.file, this.file.add(dictionary), type);
    this.byNumber[element.reference.number] = element;
    return element;
  }

  /** Writes what was added to the parent tree. */
  finish(): void {
    if (!this.hasNewParents) return;
    this.root.entries.set("ParentTree", addNumberTree(this.file, this.parents));
    this.root.entries.set("ParentTreeNextKey", nextKey(this.parents.keys()));
  }

  private read(object: PdfObject, parent: StructureElement | undefined, depth: number): void {
    if (!isKind(object, "reference") || this.byNumber[object.number] !== undefined || depth > deepest) return;
    const sketch = sketchedElement(this.file, object);
    if (sketch === undefined) return;
    const { type, isDescribed } = sketch;
    const element = new StructureElement(this.file, object, type, isDescribed);
    element.parent = parent;
    this.byNumber[object.number] = element;
    this.elements.push(element);
    parent?.children.push(element);
    const kids = kidList(this.file, sketch.kids);
    for (const kid of kids) this.read(kid, element, depth + 1);
    element.hasContent = element.children.length < kids.length;
  }

  /** The parent tree has to name the new owner of content. */
  private moveContent(kid: PdfObject, from: StructureElement, to: StructureElement): void {
    const place = contentPlace(this.file, kid, from.dictionary);
    const stream = place && this.file.dictionary(place.stream);
    const owners = stream && this.owners(stream.entries.get("StructParents"));
    if (place !== undefined && owners !== undefined && this.element(owners[place.identifier]) === from)
      owners[place.identifier] = to.reference;
  }
}

/** Kids of an element or of the root: elements, content and objects. */
export function kidsOf(file: PdfFile, dictionary: PdfDictionary): PdfObject[] {
  return kidList(file, dictionary.entries.get("K"));
}

function kidList(file: PdfFile, kids: PdfObject | undefined): PdfObject[] {
  if (kids === undefined || kids === null) return [];
  return file.array(kids) ?? [kids];
}

export function setKids(dictionary: PdfDictionary, kids: PdfObject[]): void {
  const [first, ...more] = kids;
  if (first === undefined) dictionary.entries.delete("K");
  else dictionary.entries.set("K", more.length === 0 ? first : pdfArray(kids));
}

/** The place of content; undefined for other kids. */
export function contentPlace(file: PdfFile, kid: PdfObject, owner: PdfDictionary): ContentPlace | undefined {
  const own = owner.entries.get("Pg");
  if (typeof kid === "number") return isKind(own, "reference") ? { stream: own, identifier: kid } : undefined;
  if (!isKind(kid, "dictionary")) return undefined;
  const { entries } = kid;
  if (!isName(entries.get("Type"), "MCR")) return undefined;
  const stream = entries.get("Stm") ?? entries.get("Pg") ?? own;
  const identifier = file.resolve(entries.get("MCID"));
  return isKind(stream, "reference") && typeof identifier === "number" ? { stream, identifier } : undefined;
}
