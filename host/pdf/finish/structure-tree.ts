/** The structure tree of a tagged PDF: what its content means, for people who do not see it. */
import {
  addNameTree,
  addNumberTree,
  isKind,
  isName,
  nameTreeEntries,
  numberTreeEntries,
  type PdfDictionary,
  type PdfFile,
  type PdfObject,
  type PdfReference,
  pdfArray,
  pdfDictionary,
  pdfName,
} from "@slipway/sdk/runtime/pdf";

/** The tree of one part. */
export interface StructureTree {
  root: PdfDictionary;
  /** The topmost elements. */
  tops: PdfObject[];
  /** Elements by the number that pages, annotations and pictures name (`StructParents`, `StructParent`). */
  parents: Map<number, PdfObject>;
  ids: Map<string, PdfObject>;
  roles: Map<string, PdfObject>;
  classes: Map<string, PdfObject>;
}

/** The tree; undefined for an untagged part. Throws `PdfFormatError` for one that goes round. */
export function structureTreeOf(file: PdfFile, catalog: PdfDictionary): StructureTree | undefined {
  const root = file.dictionary(catalog.entries.get("StructTreeRoot"));
  if (root === undefined) return undefined;
  const kids = root.entries.get("K");
  return {
    root,
    tops: (file.array(kids) ?? [kids ?? null]).filter((each) => file.dictionary(each) !== undefined),
    parents: numberTreeEntries(file, root.entries.get("ParentTree")),
    ids: nameTreeEntries(file, root.entries.get("IDTree")),
    roles: file.dictionary(root.entries.get("RoleMap"))?.entries ?? new Map(),
    classes: file.dictionary(root.entries.get("ClassMap"))?.entries ?? new Map(),
  };
}

/** Whether the dictionary is an element of a structure tree. */
export function isStructureElement(dictionary: PdfDictionary | undefined): boolean {
  if (dictionary === undefined || !isKind(dictionary.entries.get("S"), "name")) return false;
  const { entries } = dictionary;
  return (
    isName(entries.get("Type"), "StructElem") ||
    (!entries.has("Type") && isKind(entries.get("P"), "reference"))
  );
}

/** A tree with what it belongs to. */
export interface TaggedPart {
  catalog: PdfDictionary;
  tree: StructureTree;
}

/**
 * One tree of the trees of all parts, in their order: a `Document` with a `Part` for each. Numbers, ids, roles and
 * classes of the parts must differ already, or mean the same.
 */
export function joinStructureTrees(file: PdfFile, catalog: PdfDictionary, parts: TaggedPart[]): void {
  const root = pdfDictionary({ Type: pdfName("StructTreeRoot") });
  const rootReference = file.add(root);
  const top = pdfDictionary({
    Type: pdfName("StructElem"),
    S: pdfName("Document"),
    P: rootReference,
    Lang: catalog.entries.get("Lang"),
  });
  const topReference = file.add(top);
  const kids = parts.flatMap(({ catalog, tree }) => {
    for (const each of tree.tops) hangBelow(file, each, topReference, catalog);
    return tree.tops;
  });
  top.entries.set("K", pdfArray(kids));
  root.entries.set("K", topReference);
  const parents = new Map(parts.flatMap(({ tree }) => [...tree.parents]));
  root.entries.set("ParentTree", addNumberTree(file, parents));
  root.entries.set("ParentTreeNextKey", nextKey(parents.keys()));
  const ids = new Map(parts.flatMap(({ tree }) => [...tree.ids]));
  if (ids.size > 0) root.entries.set("IDTree", addNameTree(file, ids));
  const roles = new Map(parts.flatMap(({ tree }) => [...tree.roles]));
  if (roles.size > 0) root.entries.set("RoleMap", { kind: "dictionary", entries: roles });
  const classes = new Map(parts.flatMap(({ tree }) => [...tree.classes]));
  if (classes.size > 0) root.entries.set("ClassMap", { kind: "dictionary", entries: classes });
  const namespaces = parts.flatMap(({ tree }) => file.array(tree.root.entries.get("Namespaces")) ?? []);
  if (namespaces.length > 0) root.entries.set("Namespaces", pdfArray(namespaces));
  catalog.entries.set("StructTreeRoot", rootReference);
}

/** The number after the highest one. */
export function nextKey(keys: Iterable<number>): number {
  let next = 0;
  for (const key of keys) next = Math.max(next, key + 1);
  return next;
}

/** A document that becomes a part says so, and in which language it is. */
function hangBelow(file: PdfFile, object: PdfObject, parent: PdfReference, catalog: PdfDictionary): void {
  const element = file.dictionary(object);
  if (element === undefined) return;
  element.entries.set("P", parent);
  if (isName(element.entries.get("S"), "Document")) element.entries.set("S", pdfName("Part"));
  const language = catalog.entries.get("Lang");
  if (language !== undefined && !element.entries.has("Lang")) element.entries.set("Lang", language);
}
