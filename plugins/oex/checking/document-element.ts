/** A part of a document that is held as a tree: the header, one item, or a single value. */
export class DocumentElement {
  readonly children: DocumentElement[] = [];
  /** All text directly inside, with its blanks. */
  text = "";
  /** CDATA sections directly inside. */
  sections = 0;
  /** There is text that is not in a CDATA section and not blank. */
  hasPlainText = false;

  constructor(
    readonly name: string,
    readonly attributes: Readonly<Record<string, string>>,
    /** Where its start tag ends, from 1. */
    readonly line: number,
  ) {}

  /** The first child of that name. */
  child(name: string): DocumentElement | undefined {
    return this.children.find((child) => child.name === name);
  }

  /** All children of that name. */
  all(name: string): DocumentElement[] {
    return this.children.filter((child) => child.name === name);
  }

  /** Text of the first child of that name. */
  value(name: string): string | undefined {
    return this.child(name)?.text;
  }

  /** Itself and everything below, in document order. */
  *descendants(): Generator<DocumentElement> {
    yield this;
    for (const child of this.children) yield* child.descendants();
  }
}
