/** File rules that a schema cannot express: declared format, counts, and the rules of each document. */
import type { OexFormat } from "../document/oex-document.js";
import type { DocumentElement } from "./document-element.js";
import type { DocumentProblems } from "./document-problem.js";
import { formatOf, schemaName, versionNumbers } from "./format-versions.js";
import { OneDocument } from "./one-document.js";
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
    const told = element.attributes[name];
    if (told === String(count)) return;
    this.#report("count", element, `${element.name}/@${name} is ${told ?? "missing"}, expected ${count}`);
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
