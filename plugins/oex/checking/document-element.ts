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
