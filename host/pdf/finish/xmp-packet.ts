import type { Claims } from "./document-facts.js";

/** What the metadata of a document say; empty texts are left out. */
export interface Metadata {
  title: string;
  language: string;
  creator: string;
  producer: string;
  /** ISO 8601. */
  created: string;
  modified: string;
  claims: Claims;
}

/** A schema that PDF/A does not know, with those of its properties that a packet has. */
interface ExtensionSchema {
  name: string;
  namespace: string;
  prefix: string;
  properties: { name: string; valueType: "Integer" | "Text"; description: string }[];
}

const accessibilitySchema: ExtensionSchema = {
  name: "PDF/UA identification schema",
  namespace: "http://www.aiim.org/pdfua/ns/id/",
  prefix: "pdfuaid",
  properties: [{ name: "part", valueType: "Integer", description: "Part of ISO 14289" }],
};

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** XMP (ISO 16684-1) in a packet, in UTF-8. */
export function xmpPacket(metadata: Metadata): Uint8Array {
  const { accessible, archive } = metadata.claims;
  const properties = [
    element("dc:title", list("Alt", metadata.title, ' xml:lang="x-default"')),
    element("dc:language", list("Bag", metadata.language)),
    element("xmp:CreatorTool", escaped(metadata.creator)),
    element("xmp:CreateDate", escaped(metadata.created)),
    element("xmp:ModifyDate", escaped(metadata.modified)),
    element("pdf:Producer", escaped(metadata.producer)),
    element("pdfuaid:part", accessible ? "1" : ""),
    element("pdfaid:part", archive === undefined ? "" : "3"),
    element("pdfaid:conformance", archive ?? ""),
    archive === undefined || !accessible ? "" : extensions([accessibilitySchema]),
  ];
  const lines = [
    '<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>',
    '<x:xmpmeta xmlns:x="adobe:ns:meta/">',
    '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">',
    '<rdf:Description rdf:about=""',
    '  xmlns:dc="http://purl.org/dc/elements/1.1/"',
    '  xmlns:xmp="http://ns.adobe.com/xap/1.0/"',
    '  xmlns:pdf="http://ns.adobe.com/pdf/1.3/"',
    '  xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/"',
    '  xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/"',
    '  xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#"',
    '  xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#"',
    `  xmlns:pdfuaid="${accessibilitySchema.namespace}">`,
    ...properties.filter((property) => property !== ""),
    "</rdf:Description>",
    "</rdf:RDF>",
    "</x:xmpmeta>",
    '<?xpacket end="w"?>',
  ];
  return Buffer.from(lines.join("\n"));
}

/** One list for all schemas: parsers take the second for a mistake, and the document for one that claims nothing. */
function extensions(schemas: ExtensionSchema[]): string {
  const bag = schemas.map(({ name, namespace, prefix, properties }) => {
    const parts = properties.map((property) =>
      item(
        element("pdfaProperty:name", property.name) +
          element("pdfaProperty:valueType", property.valueType) +
          element("pdfaProperty:category", "internal") +
          element("pdfaProperty:description", property.description),
      ),
    );
    return item(
      element("pdfaSchema:schema", name) +
        element("pdfaSchema:namespaceURI", namespace) +
        element("pdfaSchema:prefix", prefix) +
        element("pdfaSchema:property", element("rdf:Seq", parts.join(""))),
    );
  });
  return element("pdfaExtension:schemas", element("rdf:Bag", bag.join("\n")));
}

function item(content: string): string {
  return `<rdf:li rdf:parseType="Resource">${content}</rdf:li>`;
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
