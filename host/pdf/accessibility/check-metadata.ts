import type { AccessibilityFinding } from "./accessibility-finding.js";
import { decoded, streamEntry } from "./pdf-values.js";
import type { TaggedDocument } from "./tagged-document.js";

const dublinCore = "http://purl.org/dc/elements/1.1/";
const pdfUa = "http://www.aiim.org/pdfua/ns/id/";

/** XMP: that it is there, its title, and that it says what the document conforms to. */
export function checkMetadata({ catalog }: TaggedDocument): AccessibilityFinding[] {
  const stream = streamEntry(catalog, "Metadata");
  if (stream === undefined)
    return [
      { rule: "06-001", message: "The document has no XMP metadata, so it cannot say what it conforms to." },
    ];
  const xml = Buffer.from(decoded(stream)).toString("utf8");
  const found: AccessibilityFinding[] = [];
  if (property(xml, pdfUa, "part")?.trim() !== "1")
    found.push({
      rule: "06-002",
      message:
        "The document does not say that it conforms to PDF/UA-1: the host lets it say so when nothing else is wrong.",
    });
  const title = property(xml, dublinCore, "title")?.replace(/<[^>]*>/g, "");
  if (title === undefined || title.trim() === "")
    found.push({ rule: "06-003", message: "The document has no title in its metadata: give it a <title>." });
  return found;
}

/** Content of a property, written as an element or as an attribute, by the address of its namespace. */
function property(xml: string, namespace: string, name: string): string | undefined {
  for (const [, prefix] of xml.matchAll(/xmlns:([\w.-]+)\s*=\s*["']([^"']*)["']/g)) {
    if (prefix === undefined || !declares(xml, prefix, namespace)) continue;
    const tag = `${prefix}:${name}`;
    const element = new RegExp(`<${tag}(?:\\s[^>]*)?>(.*?)</${tag}\\s*>`, "s").exec(xml);
    const attribute = new RegExp(`\\s${tag}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(xml);
    const value = element?.[1] ?? attribute?.[1] ?? attribute?.[2];
    if (value !== undefined) return value;
  }
  return undefined;
}

function declares(xml: string, prefix: string, namespace: string): boolean {
  return [`"${namespace}"`, `'${namespace}'`].some((address) => xml.includes(`xmlns:${prefix}=${address}`));
}
