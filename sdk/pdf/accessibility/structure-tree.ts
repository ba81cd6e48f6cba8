import type { PdfFile } from "../pdf-file.js";
import type { PdfDictionary, PdfObject, PdfReference } from "../pdf-object.js";
import {
  dictionaryEntry,
  entry,
  listEntry,
  nameEntry,
  numberEntry,
  plainDictionary,
  referenceEntry,
} from "../pdf-values.js";
import { numberTreeEntries } from "../sorted-trees.js";
import { standardTypes } from "./standard-types.js";

/** Any node of the structure tree. */
export type StructureNode = StructureElement | MarkedReference | ObjectReference;

export interface StructureElement {
  kind: "element";
  /** Standard type, after role mapping; the original type if the mapping leads nowhere. */
  type: string;
  /** The type in the file. */
  written: string;
  dictionary: PdfDictionary;
  parent: StructureElement | undefined;
  children: StructureNode[];
}

/** A marked-content sequence of a page or, with `stream`, of a form. */
export interface MarkedReference {
  kind: "content";
  page: number | undefined;
  /** The object number of the form. */
  stream: number | undefined;
  identifier: number;
  parent: StructureElement;
}

/** An annotation. */
export interface ObjectReference {
  kind: "object";
  /** Its object number. */
  annotation: number | undefined;
  parent: StructureElement;
}

export interface StructureTree {
  root: PdfDictionary;
  /** The children of the root. */
  top: StructureElement[];
  /** All elements in reading order. */
  elements: StructureElement[];
  /** All marked content in reading order. */
  contents: MarkedReference[];
  /** Mapping of original types to standard types; null for cycles and for mappings to non-standard types. */
  roles: ReadonlyMap<string, string | null>;
  /** Values of the parent tree by key: an array, or the dictionary of an element. */
  parents: ReadonlyMap<number, PdfObject>;
}

const deepest = 2000;

/** `pages`: page numbers by object number. Elements that contain themselves are read once. */
export function structureTree(
  file: PdfFile,
  root: PdfDictionary,
  pages: ReadonlyMap<number, number>,
): StructureTree {
  const roles = roleMap(file, root);
  const tree: StructureTree = {
    root,
    top: [],
    elements: [],
    contents: [],
    roles,
    parents: parentTree(file, root),
  };
  const seen = new Set<PdfDictionary>();

  const read = (
    dictionary: PdfDictionary,
    parent: StructureElement | undefined,
    depth: number,
  ): StructureElement => {
    seen.add(dictionary);
    const written = nameEntry(file, dictionary, "S") ?? "";
    const type = roles.get(written) ?? written;
    const element: StructureElement = { kind: "element", type, written, dictionary, parent, children: [] };
    tree.elements.push(element);
    const own = referenceEntry(dictionary, "Pg");
    for (const kid of listEntry(file, dictionary, "K")) {
      const node = child(kid, element, own, depth);
      if (node !== undefined) element.children.push(node);
    }
    return element;
  };

  const child = (kid: PdfObject, parent: StructureElement, own: PdfReference | undefined, depth: number) => {
    const place = file.resolve(kid);
    if (typeof place === "number") return marked(place, own, undefined, parent);
    const value = plainDictionary(file, place);
    if (value === undefined) return undefined;
    const page = referenceEntry(value, "Pg") ?? own;
    const type = nameEntry(file, value, "Type");
    if (type === "MCR")
      return marked(numberEntry(file, value, "MCID") ?? -1, page, referenceEntry(value, "Stm"), parent);
    if (type === "OBJR")
      return { kind: "object" as const, annotation: referenceEntry(value, "Obj")?.number, parent };
    return seen.has(value) || depth > deepest ? undefined : read(value, parent, depth + 1);
  };

  const marked = (
    identifier: number,
    page: PdfReference | undefined,
    stream: PdfReference | undefined,
    parent: StructureElement,
  ) => {
    const content: MarkedReference = {
      kind: "content",
      page: page && pages.get(page.number),
      stream: stream?.number,
      identifier,
      parent,
    };
    tree.contents.push(content);
    return content;
  };

  for (const kid of listEntry(file, root, "K")) {
    const value = plainDictionary(file, kid);
    if (value !== undefined && !seen.has(value)) tree.top.push(read(value, undefined, 0));
  }
  return tree;
}

/**
 * Children, with `NonStruct` elements replaced by their own children, as they have no meaning (ISO 32000-1,
 * 14.8.4.2).
 */
export function significantChildren({ children }: StructureElement): StructureNode[] {
  if (!children.some(saysNothing)) return children;
  return children.flatMap((child) => (saysNothing(child) ? significantChildren(child) : [child]));
}

function saysNothing(node: StructureNode | undefined): node is StructureElement {
  return node?.kind === "element" && (node.type === "NonStruct" || node.type === "Private");
}

/** The nearest ancestor that is not a `NonStruct`. */
export function significantParent(element: StructureElement): StructureElement | undefined {
  let parent = element.parent;
  while (saysNothing(parent)) parent = parent.parent;
  return parent;
}

/** The page on which an element starts. */
export function pageOf(node: StructureNode): number | undefined {
  if (node.kind === "content") return node.page;
  if (node.kind === "object") return undefined;
  for (const child of node.children) {
    const page = pageOf(child);
    if (page !== undefined) return page;
  }
  return undefined;
}

function roleMap(file: PdfFile, root: PdfDictionary): Map<string, string | null> {
  const map = dictionaryEntry(file, root, "RoleMap");
  const roles = new Map<string, string | null>();
  if (map === undefined) return roles;
  for (const written of map.entries.keys()) {
    const passed = new Set<string>();
    let type: string | undefined = written;
    while (type !== undefined && !passed.has(type) && (passed.size === 0 || !standardTypes.has(type))) {
      passed.add(type);
      type = nameEntry(file, map, type);
    }
    roles.set(written, type !== undefined && standardTypes.has(type) ? type : null);
  }
  return roles;
}

function parentTree(file: PdfFile, root: PdfDictionary): Map<number, PdfObject> {
  const entries = numberTreeEntries(file, root.entries.get("ParentTree"));
  return new Map([...entries].map(([key, value]) => [key, file.resolve(value)]));
}

/** Value of a structure attribute, such as `Scope` of the owner `Table`. */
export function attribute(
  file: PdfFile,
  element: StructureElement,
  owner: string,
  key: string,
): PdfObject | undefined {
  for (const each of listEntry(file, element.dictionary, "A")) {
    const dictionary = plainDictionary(file, each);
    if (dictionary === undefined || nameEntry(file, dictionary, "O") !== owner) continue;
    const value = entry(file, dictionary, key);
    if (value !== undefined) return value;
  }
  return undefined;
}
