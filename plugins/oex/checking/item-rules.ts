/** Rules of single items (OEX reference, sections 5, 8, 12 and 16.2). */
import type { DocumentType, OexFormat } from "../document/oex-document.js";
import type { DocumentElement, Report } from "./document-element.js";

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

// Item numbers and the references to them (OEX reference, sections 3, 10 and 11).

/** In document order. */
export const itemKinds: readonly string[] = [
  "docArticleItem",
  "docItem",
  "docSetItem",
  "docFolderItem",
  "docTextItem",
];

/** Elements that refer to another item by number, and the item kinds they may refer to. */
const references: readonly { suffix: string; rule: string; kinds: readonly string[] }[] = [
  { suffix: "TopLevelNo", rule: "parent", kinds: itemKinds.filter((kind) => kind !== "docTextItem") },
  { suffix: "ComposNo", rule: "composite", kinds: ["docArticleItem", "docItem"] },
  { suffix: "AlterNo", rule: "alternative", kinds: ["docArticleItem", "docItem", "docSetItem"] },
];

interface Reference {
  rule: string;
  name: string;
  line: number;
  target: string;
  kinds: readonly string[];
  report: Report;
}

/** Collects the item numbers of one document. References may point to later items. */
export class ItemNumbers {
  count = 0;
  readonly #prefix: "vOrder" | "vQuote";
  readonly #kindOf = new Map<string, string>();
  readonly #ids = new Set<string>();
  readonly #references: Reference[] = [];
  readonly #folders: { number: string; line: number; report: Report }[] = [];
  #lastKind = "";

  constructor(type: DocumentType) {
    this.#prefix = type === "ORDERS" ? "vOrder" : "vQuote";
  }

  /** Label of the item in problems. */
  label(item: DocumentElement): string | undefined {
    return item.value(`${this.#prefix}ItemNumber`) ?? item.attributes["aItemNo"];
  }

  add(item: DocumentElement, report: Report): void {
    this.count += 1;
    this.#checkOrder(item, report);
    this.#checkId(item, report);
    const number = item.child(`${this.#prefix}ItemNumber`);
    if (number === undefined) return;
    if (this.#kindOf.has(number.text)) {
      report("item-number", number, `${number.name} is ${number.text}, which another item has`);
    } else this.#kindOf.set(number.text, item.name);
    if (item.name === "docFolderItem") this.#folders.push({ number: number.text, line: number.line, report });
    this.#addReferences(item, number, report);
  }

  /** Runs the checks that need all items. */
  finish(): void {
    for (const { rule, name, line, target, kinds: allowed, report } of this.#references) {
      const kind = this.#kindOf.get(target);
      if (kind === undefined) {
        report(rule, { line }, `${name} is ${target}, expected the number of an item of the document`);
      } else if (!allowed.includes(kind)) {
        report(rule, { line }, `${name} is ${target}, a ${kind}, expected one of ${allowed.join(", ")}`);
      }
    }
    const parents = new Set(
      this.#references.filter(({ rule }) => rule === "parent").map(({ target }) => target),
    );
    for (const { number, line, report } of this.#folders) {
      if (!parents.has(number)) report("empty-folder", { line }, `docFolderItem ${number} has no items`);
    }
  }

  #checkOrder(item: DocumentElement, report: Report): void {
    const { aItemNo } = item.attributes;
    if (aItemNo !== String(this.count)) {
      report(
        "item-count-number",
        item,
        `${item.name}/@aItemNo is ${aItemNo ?? "missing"}, expected ${this.count}`,
      );
    }
    if (itemKinds.indexOf(item.name) < itemKinds.indexOf(this.#lastKind)) {
      report(
        "item-kind-order",
        item,
        `${item.name} comes after ${this.#lastKind}, expected articles, sets, folders, texts`,
      );
    }
    this.#lastKind = item.name;
  }

  /** Ids are case-insensitive. */
  #checkId(item: DocumentElement, report: Report): void {
    const { aUUID } = item.attributes;
    if (aUUID === undefined) return;
    if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(aUUID)) {
      report("item-id", item, `${item.name}/@aUUID is ${aUUID}, expected a UUID`);
    }
    const id = aUUID.toLowerCase();
    if (this.#ids.has(id)) report("item-id", item, `${item.name}/@aUUID is ${aUUID}, which another item has`);
    this.#ids.add(id);
  }

  #addReferences(item: DocumentElement, number: DocumentElement, report: Report): void {
    for (const { suffix, rule, kinds: allowed } of references) {
      const element = item.child(this.#prefix + suffix);
      if (element === undefined) continue;
      const { name, line, text: target } = element;
      const mayBe = rule === "parent" && item.name === "docFolderItem" ? ["docFolderItem"] : allowed;
      this.#references.push({ rule, name, line, target, kinds: mayBe, report });
      // Numbers give the reading order with parents first, so an item cannot be its own ancestor.
      if (rule !== "alternative" && Number(target) >= Number(number.text)) {
        report(
          "reading-order",
          element,
          `${name} is ${target}, expected a number before that of the item, ${number.text}`,
        );
      }
      if (rule === "alternative" && target === number.text) {
        report(rule, element, `${name} is ${target}, the item itself`);
      }
    }
  }
}
