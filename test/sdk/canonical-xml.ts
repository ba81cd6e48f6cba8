/** Canonical XML (C14N 1.0), in which documents that say the same are the same text. */
import { XmlDocument } from "libxml2-wasm";

/** The canonical form; throws for text that is not well-formed. */
export function canonicalXml(text: string): string {
  const document = XmlDocument.fromString(text);
  try {
    return document.canonicalizeToString();
  } finally {
    document.dispose();
  }
}
