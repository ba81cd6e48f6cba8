import { SaxesParser } from "saxes";
import { streamEntry } from "./pdf-values.js";
import type { AccessibilityFinding, TaggedDocument } from "./tagged-document.js";

const dublinCore = "http://purl.org/dc/elements/1.1/";
const pdfUa = "http://www.aiim.org/pdfua/ns/id/";

/** XMP: that it is there, its title, and that it says what the document conforms to. */
export function checkMetadata({ file, catalog }: TaggedDocument): AccessibilityFinding[] {
  const stream = streamEntry(file, catalog, "Metadata");
  if (stream === undefined)
    return [
      { rule: "06-001", message: "The document has no XMP metadata, so it cannot say what it conforms to." },
    ];
  const xml = Buffer.from(file.content(stream)).toString("utf8");
  const found: AccessibilityFinding[] = [];
  if (property(xml, pdfUa, "part")?.trim() !== "1")
    found.push({
      rule: "06-002",
      message:
        "The document does not say that it conforms to PDF/UA-1: the host lets it say so when nothing else is wrong.",
    });
  const title = property(xml, dublinCore, "title");
  if (title === undefined || title.trim() === "")
    found.push({ rule: "06-003", message: "The document has no title in its metadata: give it a <title>." });
  return found;
}

/** Content of a property, written as an element or as an attribute, by the address of its namespace. */
function property(xml: string, namespace: string, name: string): string | undefined {
  let depth = 0;
  let found: string | undefined;
  const parser = new SaxesParser({ xmlns: true });
  parser.on("error", () => {}); // what is told does without; the rest is read as far as it goes
  parser.on("opentag", ({ uri, local, attributes }) => {
    if (depth > 0) depth += 1;
    else if (found === undefined && uri === namespace && local === name) {
      depth = 1;
      found = "";
    }
    for (const each of Object.values(attributes))
      if (found === undefined && each.uri === namespace && each.local === name) found = each.value;
  });
  parser.on("text", (text) => {
    if (depth > 0) found = `${found ?? ""}${text}`;
  });
  parser.on("closetag", () => {
    if (depth > 0) depth -= 1;
  });
  parser.write(xml).close();
  return found;
}
