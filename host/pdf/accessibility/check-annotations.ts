import { PDFDict, PDFRef } from "@cantoo/pdf-lib";
import {
  dictionaryEntry,
  entry,
  flagEntry,
  listEntry,
  nameEntry,
  numberEntry,
  textEntry,
} from "./pdf-values.js";
import { type StructureElement, significantParent } from "./structure-tree.js";
import {
  type AccessibilityFinding,
  type DocumentPage,
  quoted,
  type TaggedDocument,
} from "./tagged-document.js";

/** Bit 2 of the flags: neither shown nor printed, so that it says nothing to anybody. */
const hidden = 1 << 1;

interface Annotation {
  reference: PDFRef | undefined;
  dictionary: PDFDict;
  subtype: string;
  page: number;
}

/** Links, fields and other annotations: in the structure, with a text, in the order of the structure. */
export function checkAnnotations(tagged: TaggedDocument): AccessibilityFinding[] {
  const owners = ownersByReference(tagged);
  return tagged.pages.flatMap((page) => {
    const annotations = annotationsOf(page);
    const visible = annotations.filter(
      ({ dictionary }) => ((numberEntry(dictionary, "F") ?? 0) & hidden) === 0,
    );
    return [
      ...(annotations.length > 0 ? tabs(page) : []),
      ...visible.flatMap((annotation) => [...faults(annotation, owners, tagged)]),
    ];
  });
}

function tabs({ dictionary, number }: DocumentPage): AccessibilityFinding[] {
  const order = nameEntry(dictionary, "Tabs");
  if (order === "S") return [];
  const rule = order === undefined ? "28-008" : "28-009";
  return [
    { rule, message: "The page does not say that links follow in the order of the structure.", page: number },
  ];
}

function* faults(
  annotation: Annotation,
  owners: ReadonlyMap<PDFRef, StructureElement>,
  tagged: TaggedDocument,
): Generator<AccessibilityFinding> {
  const { dictionary, subtype, reference, page } = annotation;
  const owner = reference && owners.get(reference);
  const what =
    subtype === "Link" ? `The link ${quoted(targetOf(dictionary))}` : `An annotation of the kind ${subtype}`;
  const fault = (rule: string, rest: string): AccessibilityFinding => ({
    rule,
    message: `${what} ${rest}`,
    page,
  });
  if (subtype === "TrapNet") yield fault("28-007", "has no place in accessible documents.");
  else if (subtype === "PrinterMark") {
    if (owner !== undefined)
      yield fault("28-017", "is a mark for the printer and must not be in the structure.");
  } else if (owner === undefined) yield fault(ruleOf(subtype), "is not in the structure of the document.");
  else {
    if (!isIn(owner, expectedParent(subtype))) yield fault(ruleOf(subtype), `stands in ${owner.type}.`);
    if (!leadsTo(annotation, owner, tagged))
      yield fault("clause 7.18.1", "is not found through the parent tree.");
  }
  if (!isDescribed(dictionary, subtype, owner))
    yield fault(describedRule(subtype), "has no description: give it a text that tells what it is for.");
  const action = dictionaryEntry(dictionary, "A");
  if (action !== undefined && flagEntry(action, "IsMap") === true)
    yield fault("28-013", "depends on the place that is clicked: use several links.");
  if (action !== undefined && ["JavaScript", "Launch"].includes(nameEntry(action, "S") ?? ""))
    yield fault("clause 7.19", "runs a script or a program: link to an address instead.");
}

function ruleOf(subtype: string): string {
  if (subtype === "Link") return "28-011";
  return subtype === "Widget" ? "28-010" : "28-002";
}

function describedRule(subtype: string): string {
  if (subtype === "Link") return "28-012";
  return subtype === "Widget" ? "28-005" : "28-004";
}

function expectedParent(subtype: string): string {
  if (subtype === "Link") return "Link";
  return subtype === "Widget" ? "Form" : "Annot";
}

function isIn(owner: StructureElement, type: string): boolean {
  let element: StructureElement | undefined = owner;
  while (element?.type === "NonStruct") element = significantParent(element);
  return element?.type === type;
}

/** What a screen reader says: of a link only `Contents` counts. */
function isDescribed(dictionary: PDFDict, subtype: string, owner: StructureElement | undefined): boolean {
  const texts = [textEntry(dictionary, subtype === "Widget" ? "TU" : "Contents")];
  if (subtype !== "Link" && owner !== undefined) texts.push(textEntry(owner.dictionary, "Alt"));
  return texts.some((text) => text !== undefined && text.trim() !== "");
}

function leadsTo({ dictionary }: Annotation, owner: StructureElement, { tree }: TaggedDocument): boolean {
  const key = numberEntry(dictionary, "StructParent");
  return key !== undefined && tree?.parents.get(key) === owner.dictionary;
}

function ownersByReference({ tree }: TaggedDocument): Map<PDFRef, StructureElement> {
  const owners = new Map<PDFRef, StructureElement>();
  for (const element of tree?.elements ?? [])
    for (const child of element.children)
      if (child.kind === "object" && child.reference !== undefined) owners.set(child.reference, element);
  return owners;
}

function annotationsOf({ dictionary: page, number }: DocumentPage): Annotation[] {
  return listEntry(page, "Annots").flatMap((each) => {
    const dictionary = page.context.lookup(each);
    if (!(dictionary instanceof PDFDict)) return [];
    const reference = each instanceof PDFRef ? each : undefined;
    const subtype = nameEntry(dictionary, "Subtype") ?? "";
    return subtype === "Popup" ? [] : [{ reference, dictionary, subtype, page: number }];
  });
}

function targetOf(link: PDFDict): string {
  const action = dictionaryEntry(link, "A");
  const address = action && textEntry(action, "URI");
  return (
    address ??
    nameEntry(link, "Dest") ??
    textEntry(link, "Dest") ??
    (entry(link, "Dest") ? "within the document" : "")
  );
}
