/** Writes XML from top to bottom. */

/** Attributes in order; those without a value are left out. */
export type XmlAttributes = Readonly<Record<string, string | number | undefined>>;

/**
 * Takes the parts of one document in order. Text may hold anything: it is escaped, and characters that XML 1.0 forbids
 * are dropped. Names come from code and are not checked.
 */
export interface XmlWriter {
  /** Begins an element; what comes next is inside it until `close`. */
  open(name: string, attributes?: XmlAttributes): void;
  /** A whole element with text and nothing else; without text it is an empty element. */
  element(name: string, text: string, attributes?: XmlAttributes): void;
  /** A whole element whose text is a CDATA section; the text must not hold `]]>`. */
  cdataElement(name: string, text: string, attributes?: XmlAttributes): void;
  /** Ends the element that was opened last. */
  close(): void;
}
