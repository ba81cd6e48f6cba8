/** A part of a document held as a tree: the header, one item, or a single value. */
export class DocumentElement {
  readonly children: DocumentElement[] = [];
  /** All direct text, including blanks. */
  text = "";
  /** Number of direct CDATA sections. */
  sections = 0;
  /** There is non-blank text outside of CDATA sections. */
  hasPlainText = false;

  constructor(
    readonly name: string,
    readonly attributes: Readonly<Record<string, string>>,
    /** Line where the start tag ends, from 1. */
    readonly line: number,
  ) {}

  child(name: string): DocumentElement | undefined {
    return this.children.find((child) => child.name === name);
  }

  all(name: string): DocumentElement[] {
    return this.children.filter((child) => child.name === name);
  }

  value(name: string): string | undefined {
    return this.child(name)?.text;
  }

  /** The element and all descendants, in document order. */
  *descendants(): Generator<DocumentElement> {
    yield this;
    for (const child of this.children) yield* child.descendants();
  }
}

// Problems of an OEX document.

export interface DocumentProblem {
  /** Name of the rule, such as "header-net-total"; "schema" for schema violations. */
  rule: string;
  /** From 1. */
  line: number;
  /**
   * Number of the item (`vOrderItemNumber`, `vQuoteItemNumber`), else its `aItemNo`; undefined in the header and above.
   */
  item: string | undefined;
  /** Names the element, its value and the expectation. */
  message: string;
}

/** Reports a problem of the header or of one item; `place` is the element in question. */
export type Report = (rule: string, place: { line: number }, message: string) => void;

/** Collects problems in the order found. Keeps only the first ones: one mistake may occur in every item. */
export class DocumentProblems {
  readonly #found: DocumentProblem[] = [];
  readonly #limit: number;
  #more = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** `place` is the element in question. */
  report(rule: string, place: { line: number }, item: string | undefined, message: string): void {
    if (this.#found.length < this.#limit) this.#found.push({ rule, line: place.line, item, message });
    else this.#more += 1;
  }

  /** All kept problems, plus the number of the others. */
  list(): DocumentProblem[] {
    if (this.#more === 0) return this.#found;
    const message = `${this.#more} more problems are not listed`;
    return [...this.#found, { rule: "more-problems", line: 1, item: undefined, message }];
  }
}
