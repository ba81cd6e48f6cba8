/**
 * Writes XMP (ISO 16684-1) with properties that PDF/A does not define, and the extension schema that describes them
 * (ISO 19005-3, 6.6.2.3), in UTF-8.
 */
import { PdfFormatError } from "./pdf-object.js";

/** A schema that PDF/A does not define, with its properties in a packet. */
export interface ExtensionSchema {
  name: string;
  namespace: string;
  prefix: string;
  properties: {
    name: string;
    valueType: "Integer" | "Text";
    category: "external" | "internal";
    description: string;
  }[];
}

/**
 * Metadata (XMP) about the files in a PDF, in properties of a standard for such PDFs, with the extension schema that PDF/A
 * requires.
 */
export interface XmpStatement {
  /** Name of the schema, for people. */
  schema: string;
  /** Its URI. */
  namespace: string;
  /** The usual prefix of the namespace. */
  prefix: string;
  /** At least one; values are texts. */
  properties: { name: string; value: string; description: string }[];
}

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const endOfSchemas = "</rdf:Bag></pdfaExtension:schemas>";
const endOfPacket = "</rdf:RDF>";
const namespaces = [
  'xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/"',
  'xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#"',
  'xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#"',
];

/** The list of all schemas. A packet may have only one: parsers reject a second, and the document then claims nothing. */
export function extensionSchemas(schemas: readonly ExtensionSchema[]): string {
  return `<pdfaExtension:schemas><rdf:Bag>${schemas.map(schemaItem).join("\n")}${endOfSchemas}`;
}

/**
 * The packet with the properties of a statement, and with their schema in its list of schemas. Throws `PdfFormatError` if the
 * packet is not one that was written here, or has properties of the same schema already.
 */
export function withStatement(packet: Uint8Array, statement: XmpStatement): Uint8Array {
  const text = Buffer.from(packet).toString("utf8");
  const { schema: name, namespace, prefix, properties } = statement;
  const end = text.lastIndexOf(endOfPacket);
  if (end === -1) throw new PdfFormatError("The metadata of the PDF cannot be extended.");
  if (text.includes(`"${escapedXmp(namespace)}"`))
    throw new PdfFormatError(`The PDF has properties of ${JSON.stringify(namespace)} already.`);
  const schema: ExtensionSchema = {
    name,
    namespace,
    prefix,
    properties: properties.map((property) => ({
      name: property.name,
      description: property.description,
      valueType: "Text",
      category: "external",
    })),
  };
  const place = text.lastIndexOf(endOfSchemas);
  const before = place === -1 ? text.slice(0, end) : inserted(text.slice(0, end), place, schemaItem(schema));
  const lines = [
    `<rdf:Description rdf:about="" xmlns:${prefix}="${escapedXmp(namespace)}"`,
    ...(place === -1 ? namespaces.map((each) => `  ${each}`) : []),
    ">",
    ...properties.map((property) => element(`${prefix}:${property.name}`, escapedXmp(property.value))),
    ...(place === -1 ? [extensionSchemas([schema])] : []),
    "</rdf:Description>",
  ];
  return Buffer.from(`${before}${lines.join("\n")}\n${text.slice(end)}`);
}

function inserted(text: string, place: number, more: string): string {
  return `${text.slice(0, place)}\n${more}${text.slice(place)}`;
}

function schemaItem({ name, namespace, prefix, properties }: ExtensionSchema): string {
  const parts = properties.map((property) =>
    item(
      element("pdfaProperty:name", property.name) +
        element("pdfaProperty:valueType", property.valueType) +
        element("pdfaProperty:category", property.category) +
        element("pdfaProperty:description", escapedXmp(property.description)),
    ),
  );
  return item(
    element("pdfaSchema:schema", escapedXmp(name)) +
      element("pdfaSchema:namespaceURI", escapedXmp(namespace)) +
      element("pdfaSchema:prefix", prefix) +
      element("pdfaSchema:property", `<rdf:Seq>${parts.join("")}</rdf:Seq>`),
  );
}

function item(content: string): string {
  return `<rdf:li rdf:parseType="Resource">${content}</rdf:li>`;
}

function element(name: string, content: string): string {
  return `<${name}>${content}</${name}>`;
}

/** Escapes the content of an element or an attribute; drops characters that XML forbids. */
export function escapedXmp(text: string): string {
  return text
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "")
    .replace(/[&<>"]/g, (sign) => entities[sign] ?? sign);
}
