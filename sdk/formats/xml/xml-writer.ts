/** The interface of sequential XML writers. */
import type { RepeatedText } from "./repeated-text.js";

/** Attributes in order; undefined values are left out. */
export type XmlAttributes = Readonly<Record<string, string | number | undefined>>;

/**
 * Writes the parts of one document in order. Text may contain any characters: it is escaped, and characters that XML
 * 1.0 forbids are dropped. Names come from code and are not checked.
 */
export interface XmlWriter {
  /** Opens an element; further content is inside it until `close`. */
  open(name: string, attributes?: XmlAttributes): void;
  /** Writes an element with text only; without text it is an empty element. */
  element(name: string, text: string | RepeatedText, attributes?: XmlAttributes): void;
  /** Writes an element with a CDATA section; the text must not contain `]]>`. */
  cdataElement(name: string, text: string, attributes?: XmlAttributes): void;
  /** Closes the last opened element. */
  close(): void;
}
