/** Rules of single items (OEX reference, sections 5, 8, 12 and 16.2). */
import type { OexFormat } from "../document/oex-document.js";
import type { DocumentElement } from "./document-element.js";
import type { Report } from "./document-problem.js";

/** Header values that item rules depend on. */
export interface HeaderFacts {
  format: OexFormat;
  language: string | undefined;
  hasPredecessor: boolean;
}

/** "A" alternative, "O" optional; undefined: standard. */
export function itemType(item: DocumentElement): string | undefined {
  return item.attributes["aItemType"] ?? item.attributes["aItemTypeVendor"];
}

export function checkItem(item: DocumentElement, facts: HeaderFacts, report: Report): void {
  checkShortText(item, facts, report);
  checkModifiedText(item, report);
  if (facts.format.type === "QUOTES") checkAlternative(item, facts, report);
  const preceding = item.child("vPrecDocItemNo");
  if (preceding !== undefined && !facts.hasPredecessor) {
    const expected = "expected only with vPrecedingDocNo in the header";
    report("preceding-item", preceding, `vPrecDocItemNo is ${preceding.text}, ${expected}`);
  }
}

/** Articles need a short text in the document's language; sets only if they have no number. */
function checkShortText(item: DocumentElement, { language }: HeaderFacts, report: Report): void {
  const isSet = item.name === "docSetItem";
  if (!isSet && item.name !== "docArticleItem" && item.name !== "docItem") return;
  if (isSet && item.child("vVendorArticleNo") !== undefined) return;
  const found = item
    .all("itmText")
    .some((text) => text.value("vTextType") === "ARTS" && text.value("vTextLanguage") === language);
  if (found) return;
  report(
    "due-short-text",
    item,
    `${item.name} has no itmText ARTS in ${language}, the language of the document`,
  );
}

function checkModifiedText(item: DocumentElement, report: Report): void {
  const number = item.child("vVendorArticleNo");
  const status = number?.attributes["aStatus"];
  const text = item.all("itmText").find((candidate) => candidate.value("vTextType") === "ARTM");
  if (status === "M" && text === undefined) {
    report(
      "modified-text",
      number ?? item,
      "vVendorArticleNo/@aStatus is M, expected an itmText ARTM with the change",
    );
  }
  if (status !== "M" && text !== undefined) {
    const found = status === undefined ? "has no status" : `has the status ${status}`;
    report("modified-text", text, `itmText ARTM on an item that ${found}, expected aStatus="M"`);
  }
}

function checkAlternative(item: DocumentElement, { format }: HeaderFacts, report: Report): void {
  const number = item.child("vQuoteAlterNo");
  const type = itemType(item);
  if (number !== undefined && type !== "A") {
    const found = type === undefined ? "a standard item" : `an item of type ${type}`;
    report(
      "alternative",
      number,
      `vQuoteAlterNo is ${number.text} on ${found}, expected only on alternatives (A)`,
    );
  }
  if (number === undefined && type === "A" && format.version === "2.3") {
    report("alternative", item, "vQuoteAlterNo is missing, due on alternatives in 2.3");
  }
}
