/** Item numbers and the references to them (OEX reference, sections 3, 10 and 11). */
import type { DocumentType } from "../document/oex-document.js";
import type { DocumentElement } from "./document-element.js";
import type { Report } from "./document-problem.js";

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
