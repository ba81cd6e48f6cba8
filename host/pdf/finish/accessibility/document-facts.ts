import {
  isKind,
  type PdfDictionary,
  type PdfFile,
  pdfDictionary,
  pdfName,
  textOf,
} from "@slipway/sdk/runtime/pdf";
import { internalDomain } from "../../pdf-service.js";

/** What the metadata of a document say; empty texts are left out. */
interface Metadata {
  title: string;
  language: string;
  creator: string;
  producer: string;
  /** Whether the document conforms to PDF/UA-1. */
  conforming: boolean;
}

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/**
 * Catalog and metadata: that the title is to be shown, and in XMP what the document says of itself elsewhere.
 * `conforming`: whether it says that it conforms to PDF/UA-1. Called again, it says it anew.
 */
export function stateFacts(file: PdfFile, conforming: boolean): void {
  const { catalog } = file;
  const information = informationOf(file);
  const title = titleOf(file, information);
  const language = textEntry(file, catalog, "Lang");
  const preferences = file.dictionary(catalog.entries.get("ViewerPreferences")) ?? pdfDictionary();
  preferences.entries.set("DisplayDocTitle", true);
  catalog.entries.set("ViewerPreferences", preferences);
  const packet = xmpPacket({
    title,
    language,
    creator: textEntry(file, information, "Creator"),
    producer: textEntry(file, information, "Producer"),
    conforming,
  });
  const dictionary = pdfDictionary({ Type: pdfName("Metadata"), Subtype: pdfName("XML") });
  catalog.entries.set("Metadata", file.add({ kind: "stream", dictionary, data: packet }));
}

function informationOf(file: PdfFile): PdfDictionary {
  const known = file.dictionary(file.trailer.entries.get("Info"));
  if (known !== undefined) return known;
  const made = pdfDictionary();
  file.trailer.entries.set("Info", file.add(made));
  return made;
}

/** A full Chromium gives a document that has no title the address which it was loaded from. */
function titleOf(file: PdfFile, information: PdfDictionary): string {
  const title = textEntry(file, information, "Title");
  if (!title.includes(internalDomain)) return title;
  information.entries.delete("Title");
  return "";
}

function textEntry(file: PdfFile, dictionary: PdfDictionary, key: string): string {
  const value = file.resolve(dictionary.entries.get(key));
  return isKind(value, "string") ? textOf(value) : "";
}

/** XMP (ISO 16684-1) in a packet, in UTF-8. */
function xmpPacket(metadata: Metadata): Uint8Array {
  const properties = [
    element("dc:title", list("Alt", metadata.title, ' xml:lang="x-default"')),
    element("dc:language", list("Bag", metadata.language)),
    element("xmp:CreatorTool", escaped(metadata.creator)),
    element("pdf:Producer", escaped(metadata.producer)),
    element("pdfuaid:part", metadata.conforming ? "1" : ""),
  ];
  const lines = [
    '<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>',
    '<x:xmpmeta xmlns:x="adobe:ns:meta/">',
    '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">',
    '<rdf:Description rdf:about=""',
    '  xmlns:dc="http://purl.org/dc/elements/1.1/"',
    '  xmlns:xmp="http://ns.adobe.com/xap/1.0/"',
    '  xmlns:pdf="http://ns.adobe.com/pdf/1.3/"',
    '  xmlns:pdfuaid="http://www.aiim.org/pdfua/ns/id/">',
    ...properties.filter((property) => property !== ""),
    "</rdf:Description>",
    "</rdf:RDF>",
    "</x:xmpmeta>",
    '<?xpacket end="w"?>',
  ];
  return Buffer.from(lines.join("\n"));
}

function element(name: string, content: string): string {
  return content === "" ? "" : `<${name}>${content}</${name}>`;
}

function list(kind: "Alt" | "Bag", text: string, attributes = ""): string {
  return text === "" ? "" : `<rdf:${kind}><rdf:li${attributes}>${escaped(text)}</rdf:li></rdf:${kind}>`;
}

/** Characters that XML cannot hold at all are left out. */
function escaped(text: string): string {
  return text
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "")
    .replace(/[&<>"]/g, (sign) => entities[sign] ?? sign);
}
