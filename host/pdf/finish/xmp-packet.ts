import { type ExtensionSchema, escapedXmp as escaped, extensionSchemas } from "@slipway/sdk/runtime/pdf";
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

const accessibilitySchema: ExtensionSchema = {
  name: "PDF/UA identification schema",
  namespace: "http://www.aiim.org/pdfua/ns/id/",
  prefix: "pdfuaid",
  properties: [
    { name: "part", valueType: "Integer", category: "internal", description: "Part of ISO 14289" },
  ],
};

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
    archive === undefined || !accessible ? "" : extensionSchemas([accessibilitySchema]),
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

function element(name: string, content: string): string {
  return content === "" ? "" : `<${name}>${content}</${name}>`;
}

function list(kind: "Alt" | "Bag", text: string, attributes = ""): string {
  return text === "" ? "" : `<rdf:${kind}><rdf:li${attributes}>${escaped(text)}</rdf:li></rdf:${kind}>`;
}
