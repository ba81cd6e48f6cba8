import type { PdfFile } from "../pdf-file.js";
import { isKind, type PdfDictionary } from "../pdf-object.js";
import {
  dictionaryEntry,
  entry,
  flagEntry,
  listEntry,
  nameEntry,
  numberEntry,
  plainDictionary,
  textEntry,
} from "../pdf-values.js";
import { type StructureElement, significantParent } from "./structure-tree.js";
import {
  type AccessibilityFinding,
  type DocumentPage,
  quoted,
  type TaggedDocument,
} from "./tagged-document.js";

/** Bit 2 of the flags: neither shown nor printed, so it needs no description. */
const hidden = 1 << 1;

interface Annotation {
  /** Its object number. */
  number: number | undefined;
  dictionary: PdfDictionary;
  subtype: string;
  page: number;
}

/** Links, fields and other annotations: part of the structure, described, in structure order. */
export function checkAnnotations(tagged: TaggedDocument): AccessibilityFinding[] {
  const { file } = tagged;
  const owners = ownersByNumber(tagged);
  return tagged.pages.flatMap((page) => {
    const annotations = annotationsOf(file, page);
    const visible = annotations.filter(
      ({ dictionary }) => ((numberEntry(file, dictionary, "F") ?? 0) & hidden) === 0,
    );
    return [
      ...(annotations.length > 0 ? tabs(file, page) : []),
      ...visible.flatMap((annotation) => [...faults(annotation, owners, tagged)]),
    ];
  });
}

function tabs(file: PdfFile, { dictionary, number }: DocumentPage): AccessibilityFinding[] {
  const order = nameEntry(file, dictionary, "Tabs");
  if (order === "S") return [];
  const rule = order === undefined ? "28-008" : "28-009";
  return [
    { rule, message: "The page does not say that links follow in the order of the structure.", page: number },
  ];
}

function* faults(
  annotation: Annotation,
  owners: ReadonlyMap<number, StructureElement>,
  tagged: TaggedDocument,
): Generator<AccessibilityFinding> {
  const { file } = tagged;
  const { dictionary, subtype, number, page } = annotation;
  const owner = number === undefined ? undefined : owners.get(number);
  const required = requirementsOf(subtype);
  const what =
    subtype === "Link"
      ? `The link ${quoted(targetOf(file, dictionary))}`
      : `An annotation of the kind ${subtype}`;
  const fault = (rule: string, rest: string): AccessibilityFinding => ({
    rule,
    message: `${what} ${rest}`,
    page,
  });
  if (subtype === "TrapNet") yield fault("28-007", "has no place in accessible documents.");
  else if (subtype === "PrinterMark") {
    if (owner !== undefined)
      yield fault("28-017", "is a mark for the printer and must not be in the structure.");
  } else if (owner === undefined) yield fault(required.structure, "is not in the structure of the document.");
  else {
    if (!isIn(owner, required.parent)) yield fault(required.structure, `stands in ${owner.type}.`);
    if (!leadsTo(annotation, owner, tagged))
      yield fault("clause 7.18.1", "is not found through the parent tree.");
  }
  if (!isDescribed(file, dictionary, subtype, owner))
    yield fault(required.description, "has no description: give it a text that tells what it is for.");
  const action = dictionaryEntry(file, dictionary, "A");
  if (action !== undefined && flagEntry(file, action, "IsMap") === true)
    yield fault("28-013", "depends on the place that is clicked: use several links.");
  if (action !== undefined && ["JavaScript", "Launch"].includes(nameEntry(file, action, "S") ?? ""))
    yield fault("clause 7.19", "runs a script or a program: link to an address instead.");
}

/** The expected parent, and the rules for the structure and for descriptions. */
function requirementsOf(subtype: string): { parent: string; structure: string; description: string } {
  if (subtype === "Link") return { parent: "Link", structure: "28-011", description: "28-012" };
  if (subtype === "Widget") return { parent: "Form", structure: "28-010", description: "28-005" };
  return { parent: "Annot", structure: "28-002", description: "28-004" };
}

function isIn(owner: StructureElement, type: string): boolean {
  let element: StructureElement | undefined = owner;
  while (element?.type === "NonStruct") element = significantParent(element);
  return element?.type === type;
}

/** Whether it has a text for screen readers; for links, only `Contents` counts. */
function isDescribed(
  file: PdfFile,
  dictionary: PdfDictionary,
  subtype: string,
  owner: StructureElement | undefined,
): boolean {
  const texts = [textEntry(file, dictionary, subtype === "Widget" ? "TU" : "Contents")];
  if (subtype !== "Link" && owner !== undefined) texts.push(textEntry(file, owner.dictionary, "Alt"));
  return texts.some((text) => text !== undefined && text.trim() !== "");
}

function leadsTo(
  { dictionary }: Annotation,
  owner: StructureElement,
  { file, tree }: TaggedDocument,
): boolean {
  const key = numberEntry(file, dictionary, "StructParent");
  return key !== undefined && tree?.parents.get(key) === owner.dictionary;
}

function ownersByNumber({ tree }: TaggedDocument): Map<number, StructureElement> {
  const owners = new Map<number, StructureElement>();
  for (const element of tree?.elements ?? [])
    for (const child of element.children)
      if (child.kind === "object" && child.annotation !== undefined) owners.set(child.annotation, element);
  return owners;
}

function annotationsOf(file: PdfFile, page: DocumentPage): Annotation[] {
  return listEntry(file, page.dictionary, "Annots").flatMap((each) => {
    const dictionary = plainDictionary(file, each);
    if (dictionary === undefined) return [];
    const number = isKind(each, "reference") ? each.number : undefined;
    const subtype = nameEntry(file, dictionary, "Subtype") ?? "";
    return subtype === "Popup" ? [] : [{ number, dictionary, subtype, page: page.number }];
  });
}

function targetOf(file: PdfFile, link: PdfDictionary): string {
  const action = dictionaryEntry(file, link, "A");
  const address = action && textEntry(file, action, "URI");
  return (
    address ??
    nameEntry(file, link, "Dest") ??
    textEntry(file, link, "Dest") ??
    (entry(file, link, "Dest") ? "within the document" : "")
  );
}
