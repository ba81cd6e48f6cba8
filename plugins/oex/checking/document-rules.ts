/** File rules that a schema cannot express: declared format, counts, and the rules of each document. */
import type { OexFormat } from "../document/oex-document.js";
import { byArea, checkAmounts, type PricedLine, pricedUnits, readLines } from "./amount-rules.js";
import type { DocumentElement, DocumentProblems, Report } from "./document-element.js";
import { DocumentTotals } from "./document-totals.js";
import { formatOf, schemaName, versionNumbers } from "./format-versions.js";
import { checkFrames } from "./frame-rules.js";
import { checkItem, type HeaderFacts, ItemNumbers, itemKinds, itemType } from "./item-rules.js";
import { checkLines } from "./line-rules.js";
import type { DocumentHandler } from "./read-document.js";

const instanceNamespace = "http://www.w3.org/2001/XMLSchema-instance";

/** Checks one file while it is read. */
export class DocumentRules implements DocumentHandler {
  /** The declared format, available once `vDocumentType` is read. */
  format: OexFormat | undefined;
  readonly #problems: DocumentProblems;
  #root: DocumentElement | undefined;
  #documentCount = 0;
  #document: OneDocument | undefined;

  constructor(problems: DocumentProblems) {
    this.#problems = problems;
  }

  declaration(encoding: string | undefined): void {
    if (encoding?.toUpperCase() === "UTF-8") return;
    const found = encoding === undefined ? "is missing or names none" : `names ${encoding}`;
    this.#report("xml-declaration", { line: 1 }, `the XML declaration ${found}, expected encoding="UTF-8"`);
  }

  begin(container: DocumentElement): void {
    if (container.name === "oexDocFrame") this.#root = container;
    if (container.name === "oexDocument") this.#beginDocument(container);
  }

  part(element: DocumentElement): void {
    if (element.name === "vDocumentType") this.#checkType(element);
    else this.#document?.part(element);
  }

  end(container: DocumentElement): void {
    if (container.name === "oexDocument") this.#endDocument(container);
    if (container.name === "oexFile") this.#checkCount(container, "aDocumentCount", this.#documentCount);
  }

  #beginDocument(document: DocumentElement): void {
    this.#documentCount += 1;
    const { aDocNo } = document.attributes;
    if (aDocNo !== String(this.#documentCount)) {
      const found = aDocNo ?? "missing";
      this.#report("document-count-number", document, `aDocNo is ${found}, expected ${this.#documentCount}`);
    }
    // Without a type nothing inside can be checked, and the missing type is already reported.
    if (this.format !== undefined) this.#document = new OneDocument(this.format, this.#problems);
  }

  #endDocument(container: DocumentElement): void {
    const document = this.#document;
    this.#document = undefined;
    if (document === undefined) return;
    this.#checkCount(container, "aItemCount", document.itemCount);
    document.finish();
  }

  #checkCount(element: DocumentElement, name: string, count: number): void {
    const stated = element.attributes[name];
    if (stated === String(count)) return;
    this.#report("count", element, `${element.name}/@${name} is ${stated ?? "missing"}, expected ${count}`);
  }

  /** Checks type and version, and that the root agrees (section 16). */
  #checkType(element: DocumentElement): void {
    this.format = formatOf(element);
    const root = this.#root;
    if (this.format === undefined || root === undefined) {
      const { aMajor, aMinor } = element.attributes;
      const found = `${element.text} ${aMajor ?? "?"}.${aMinor ?? "?"}`;
      this.#report(
        "document-type",
        element,
        `vDocumentType is ${found}, expected ORDERS or QUOTES 3.1, 3.0 or 2.3`,
      );
      return;
    }
    const { major } = versionNumbers[this.format.version];
    this.#expect(root, "aMajor", major, "frame-version");
    this.#expect(element, "aBuild", "0", "document-type");
    this.#expect(root, "xsi:noNamespaceSchemaLocation", schemaName(this.format), "schema-hint");
    this.#expect(root, "xmlns:xsi", instanceNamespace, "schema-hint");
  }

  #expect(element: DocumentElement, name: string, expected: string, rule: string): void {
    const found = element.attributes[name];
    if (found === expected) return;
    this.#report(rule, element, `${element.name}/@${name} is ${found ?? "missing"}, expected ${expected}`);
  }

  #report(rule: string, place: { line: number }, message: string): void {
    this.#problems.report(rule, place, undefined, message);
  }
}

// The rules of one `oexDocument`, part by part.

/** State that is available after the header. */
interface Begun {
  facts: HeaderFacts;
  currency: string | undefined;
  totals: DocumentTotals;
}

/** Keeps only the numbers and sums of the items. */
class OneDocument {
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

  /** Call after the last item. */
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

/** Rules of `docHeader` (OEX reference, section 4). */
function checkHeader(header: DocumentElement, format: OexFormat, report: Report): void {
  checkDueDates(header, format, report);
  checkDueAddresses(header, format, report);
  checkDocumentNumbers(header, format, report);
  for (const [index, payment] of header.all("hdrPayment").entries()) {
    const part = payment.value("vPaymentPart");
    if (part === String(index + 1)) continue;
    report("payment-part", payment, `vPaymentPart is ${part}, expected ${index + 1}`);
  }
}

function checkDueDates(header: DocumentElement, { type, version }: OexFormat, report: Report): void {
  const dates = new Map(header.all("hdrDateTime").map((date) => [date.value("vDateTimeType"), date]));
  const due = type === "ORDERS" ? ["DOC"] : version === "2.3" ? ["DOC", "QUO", "DLD"] : ["DOC", "QUO"];
  for (const code of due) {
    if (!dates.has(code))
      report("due-date", header, `hdrDateTime ${code} is missing, due in ${type} ${version}`);
  }
  const written = dates.get("DOC");
  if (written === undefined || written.child("vTimeValue") !== undefined) return;
  report("document-time", written, "hdrDateTime DOC has no vTimeValue, expected the time of writing");
}

function checkDueAddresses(header: DocumentElement, { type, version }: OexFormat, report: Report): void {
  if (type !== "QUOTES") return;
  const codes = header.all("hdrAddress").map((address) => address.value("vAddressType"));
  if (codes.length === 0)
    report("due-address", header, "hdrAddress is missing, expected at least one in QUOTES");
  if (version === "2.3" && !codes.includes("SH")) {
    report("due-address", header, "hdrAddress SH is missing, due in QUOTES 2.3");
  }
}

/** Repeats neither the document's own number nor that of the direct predecessor, which version 2.3 has nowhere else. */
function checkDocumentNumbers(header: DocumentElement, { type }: OexFormat, report: Report): void {
  const own = type === "ORDERS" ? "vOrderNumber" : "vQuoteNumber";
  const taken = new Map([
    [`${type === "ORDERS" ? "ORD" : "QUO"} ${header.value(own)}`, own],
    [`${header.value("vPrecedingDocType")} ${header.value("vPrecedingDocNo")}`, "vPrecedingDocNo"],
  ]);
  for (const frame of header.all("hdrDocNo")) {
    const number = `${frame.value("vDocNoType")} ${frame.value("vDocNo")}`;
    const name = taken.get(number);
    if (name === undefined) continue;
    report("document-number", frame, `hdrDocNo ${number} repeats ${name}, expected other documents only`);
  }
}
