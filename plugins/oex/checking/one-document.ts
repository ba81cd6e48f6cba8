/** The rules of one `oexDocument`, part by part. */
import type { OexFormat } from "../document/oex-format.js";
import { checkAmounts, pricedUnits } from "./amount-rules.js";
import type { DocumentElement } from "./document-element.js";
import type { DocumentProblems, Report } from "./document-problem.js";
import { DocumentTotals } from "./document-totals.js";
import { checkFrames } from "./frame-rules.js";
import { checkHeader } from "./header-rules.js";
import { ItemNumbers, itemKinds } from "./item-numbers.js";
import { checkItem, type HeaderFacts, itemType } from "./item-rules.js";
import { checkLines } from "./line-rules.js";
import { byArea, type PricedLine, readLines } from "./pricing-lines.js";

/** What is known after the header. */
interface Begun {
  facts: HeaderFacts;
  currency: string | undefined;
  totals: DocumentTotals;
}

/** Holds of the items their numbers and sums only. */
export class OneDocument {
  readonly #format: OexFormat;
  readonly #problems: DocumentProblems;
  readonly #numbers: ItemNumbers;
  #begun: Begun | undefined;

  constructor(format: OexFormat, problems: DocumentProblems) {
    this.#format = format;
    this.#problems = problems;
    this.#numbers = new ItemNumbers(format.type);
  }

  get itemCount(): number {
    return this.#numbers.count;
  }

  /** `docHeader` or an item. */
  part(element: DocumentElement): void {
    if (element.name === "docHeader") this.#addHeader(element);
    else if (itemKinds.includes(element.name)) this.#addItem(element);
    else {
      const message = `${element.name} is inside of oexDocument, expected docHeader or one of ${itemKinds.join(", ")}`;
      this.#problems.report("item-kind", element, undefined, message);
    }
  }

  /** After the last item. */
  finish(): void {
    this.#numbers.finish();
    this.#begun?.totals.finish();
  }

  #addHeader(header: DocumentElement): void {
    const report: Report = (rule, place, message) => this.#problems.report(rule, place, undefined, message);
    const currency = header.value("vDocCurrency");
    checkFrames(header, report);
    checkHeader(header, this.#format, report);
    const lines = readLines(header);
    checkLines(lines, { type: this.#format.type, currency, report });
    for (const area of byArea(lines).values()) checkAmounts(area, undefined, report);
    const facts: HeaderFacts = {
      format: this.#format,
      language: header.value("vDocLanguage"),
      hasPredecessor: header.child("vPrecedingDocNo") !== undefined,
    };
    this.#begun = { facts, currency, totals: new DocumentTotals(header, lines, report) };
  }

  #addItem(item: DocumentElement): void {
    const label = this.#numbers.label(item);
    const report: Report = (rule, place, message) => this.#problems.report(rule, place, label, message);
    this.#numbers.add(item, report);
    checkFrames(item, report);
    if (this.#begun === undefined) return;
    checkItem(item, this.#begun.facts, report);
    this.#addPrices(item, this.#begun, report);
  }

  #addPrices(item: DocumentElement, { currency, totals }: Begun, report: Report): void {
    const lines: PricedLine[] = readLines(item);
    checkLines(lines, { type: this.#format.type, currency, report });
    for (const area of byArea(lines).values()) checkAmounts(area, pricedUnits(item, area), report);
    if (item.name === "docSetItem") totals.addSet(lines, report);
    else if (item.name === "docArticleItem" || item.name === "docItem") {
      totals.addArticle(item, lines, itemType(item) === undefined, report);
    }
  }
}
