import { type PDFContext, PDFDict, PDFNumber, type PDFObject, type PDFRef } from "@cantoo/pdf-lib";
import { dictionaryEntry, entry, listEntry, nameEntry, numberEntry, referenceEntry } from "./pdf-values.js";
import { standardTypes } from "./standard-types.js";

/** Any node of the structure tree. */
export type StructureNode = StructureElement | MarkedReference | ObjectReference;

export interface StructureElement {
  kind: "element";
  /** Standard type, after role mapping; the written one where that leads nowhere. */
  type: string;
  /** As it stands in the file. */
  written: string;
  dictionary: PDFDict;
  parent: StructureElement | undefined;
  children: StructureNode[];
}

/** A sequence of marked content of a page or, with `stream`, of a form. */
export interface MarkedReference {
  kind: "content";
  page: number | undefined;
  stream: PDFRef | undefined;
  identifier: number;
  parent: StructureElement;
}

/** An annotation. */
export interface ObjectReference {
  kind: "object";
  reference: PDFRef | undefined;
  parent: StructureElement;
}

export interface StructureTree {
  root: PDFDict;
  /** The children of the root. */
  top: StructureElement[];
  /** All elements in reading order. */
  elements: StructureElement[];
  /** All marked content in reading order. */
  contents: MarkedReference[];
  /** Written types by what they are mapped to; null where that is a circle or no standard type. */
  roles: ReadonlyMap<string, string | null>;
  /** The object behind each key of the parent tree: an array, or the dictionary of an element. */
  parents: ReadonlyMap<number, PDFObject>;
}

const deepest = 2000;

/** `pages`: their numbers by their references. Elements that contain themselves are read once. */
export function structureTree(
  root: PDFDict,
  context: PDFContext,
  pages: ReadonlyMap<PDFRef, number>,
): StructureTree {
  const roles = roleMap(root);
  const tree: StructureTree = {
    root,
    top: [],
    elements: [],
    contents: [],
    roles,
    parents: parentTree(root, context),
  };
  const seen = new Set<PDFDict>();

  const read = (
    dictionary: PDFDict,
    parent: StructureElement | undefined,
    depth: number,
  ): StructureElement => {
    seen.add(dictionary);
    const written = nameEntry(dictionary, "S") ?? "";
    const type = roles.get(written) ?? written;
    const element: StructureElement = { kind: "element", type, written, dictionary, parent, children: [] };
    tree.elements.push(element);
    const own = referenceEntry(dictionary, "Pg");
    for (const kid of listEntry(dictionary, "K")) {
      const node = child(kid, element, own, depth);
      if (node !== undefined) element.children.push(node);
    }
    return element;
  };

  const child = (kid: PDFObject, parent: StructureElement, own: PDFRef | undefined, depth: number) => {
    const value = context.lookup(kid);
    if (value instanceof PDFNumber) return marked(value.asNumber(), own, undefined, parent);
    if (!(value instanceof PDFDict)) return undefined;
    const page = referenceEntry(value, "Pg") ?? own;
    const type = nameEntry(value, "Type");
    if (type === "MCR")
      return marked(numberEntry(value, "MCID") ?? -1, page, referenceEntry(value, "Stm"), parent);
    if (type === "OBJR") return { kind: "object" as const, reference: referenceEntry(value, "Obj"), parent };
    return seen.has(value) || depth > deepest ? undefined : read(value, parent, depth + 1);
  };

  const marked = (
    identifier: number,
    page: PDFRef | undefined,
    stream: PDFRef | undefined,
    parent: StructureElement,
  ) => {
    const number = page && pages.get(page);
    const content: MarkedReference = { kind: "content", page: number, stream, identifier, parent };
    tree.contents.push(content);
    return content;
  };

  for (const kid of listEntry(root, "K")) {
    const value = context.lookup(kid);
    if (value instanceof PDFDict && !seen.has(value)) tree.top.push(read(value, undefined, 0));
  }
  return tree;
}

/** Children with those of `NonStruct` elements in their place, which say nothing themselves (ISO 32000-1, 14.8.4.2). */
export function significantChildren(element: StructureElement): StructureNode[] {
  return element.children.flatMap((child) =>
    child.kind === "element" && (child.type === "NonStruct" || child.type === "Private")
      ? significantChildren(child)
      : [child],
  );
}

/** The nearest parent that is no `NonStruct`. */
export function significantParent(element: StructureElement): StructureElement | undefined {
  let parent = element.parent;
  while (parent?.type === "NonStruct" || parent?.type === "Private") parent = parent.parent;
  return parent;
}

/** The page on which an element begins. */
export function pageOf(node: StructureNode): number | undefined {
  if (node.kind === "content") return node.page;
  if (node.kind === "object") return undefined;
  for (const child of node.children) {
    const page = pageOf(child);
    if (page !== undefined) return page;
  }
  return undefined;
}

function roleMap(root: PDFDict): Map<string, string | null> {
  const map = dictionaryEntry(root, "RoleMap");
  const roles = new Map<string, string | null>();
  if (map === undefined) return roles;
  for (const key of map.keys()) {
    const written = key.decodeText();
    const passed = new Set<string>();
    let type: string | undefined = written;
    while (type !== undefined && !passed.has(type) && (passed.size === 0 || !standardTypes.has(type))) {
      passed.add(type);
      type = nameEntry(map, type);
    }
    roles.set(written, type !== undefined && standardTypes.has(type) ? type : null);
  }
  return roles;
}

function parentTree(root: PDFDict, context: PDFContext): Map<number, PDFObject> {
  const found = new Map<number, PDFObject>();
  const seen = new Set<PDFDict>();
  const read = (node: PDFDict | undefined): void => {
    if (node === undefined || seen.has(node)) return;
    seen.add(node);
    const numbers = listEntry(node, "Nums");
    for (let index = 0; index + 1 < numbers.length; index += 2) {
      const key = context.lookup(numbers[index]);
      const value = context.lookup(numbers[index + 1]);
      if (key instanceof PDFNumber && value !== undefined) found.set(key.asNumber(), value);
    }
    for (const kid of listEntry(node, "Kids")) {
      const value = context.lookup(kid);
      if (value instanceof PDFDict) read(value);
    }
  };
  read(dictionaryEntry(root, "ParentTree"));
  return found;
}

/** Value of a structure attribute, such as `Scope` of the owner `Table`. */
export function attribute(element: StructureElement, owner: string, key: string): PDFObject | undefined {
  for (const each of listEntry(element.dictionary, "A")) {
    const dictionary = element.dictionary.context.lookup(each);
    if (!(dictionary instanceof PDFDict) || nameEntry(dictionary, "O") !== owner) continue;
    const value = entry(dictionary, key);
    if (value !== undefined) return value;
  }
  return undefined;
}
