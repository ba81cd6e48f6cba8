/** What the metadata of a document say; empty texts are left out. */
export interface Metadata {
  title: string;
  language: string;
  creator: string;
  producer: string;
  /** Whether the document conforms to PDF/UA-1. */
  conforming: boolean;
}

/** XMP (ISO 16684-1) in a packet, in UTF-8. */
export function xmpPacket(metadata: Metadata): Uint8Array {
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

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Characters that XML cannot hold at all are left out. */
function escaped(text: string): string {
  return text
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "")
    .replace(/[&<>"]/g, (sign) => entities[sign] ?? sign);
}
