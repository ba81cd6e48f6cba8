import type { TaggedDocument } from "../accessibility/tagged-document.js";
import { archiveNamespace } from "../pdf-claims.js";
import { streamEntry } from "../pdf-values.js";
import { descendants, rdf, readXmp, type XmpNode, type XmpPacket, xmpProperties } from "../xmp.js";
import type { ArchiveFinding } from "./archive-finding.js";

const extension = "http://www.aiim.org/pdfa/ns/extension/";
const schemaParts = "http://www.aiim.org/pdfa/ns/schema#";
const propertyParts = "http://www.aiim.org/pdfa/ns/property#";

/** Properties of schemas that need no description (ISO 16684-1; ISO 19005-3); undefined: any. */
const predefined = new Map<string, string[] | undefined>([
  [
    "http://purl.org/dc/elements/1.1/",
    words(
      "contributor coverage creator date description format identifier language publisher relation rights source subject title type",
    ),
  ],
  [
    "http://ns.adobe.com/xap/1.0/",
    words(
      "Advisory BaseURL CreateDate CreatorTool Identifier Label MetadataDate ModifyDate Nickname Rating Thumbnails",
    ),
  ],
  ["http://ns.adobe.com/pdf/1.3/", words("Keywords PDFVersion Producer Trapped")],
  [archiveNamespace, words("amd conformance corr part")],
  [extension, ["schemas"]],
  ["http://ns.adobe.com/xap/1.0/rights/", undefined],
  ["http://ns.adobe.com/xap/1.0/mm/", undefined],
  ["http://ns.adobe.com/xap/1.0/bj/", undefined],
  ["http://ns.adobe.com/xap/1.0/t/pg/", undefined],
  ["http://ns.adobe.com/xmp/1.0/DynamicMedia/", undefined],
  ["http://ns.adobe.com/photoshop/1.0/", undefined],
  ["http://ns.adobe.com/camera-raw-settings/1.0/", undefined],
  ["http://ns.adobe.com/tiff/1.0/", undefined],
  ["http://ns.adobe.com/exif/1.0/", undefined],
  ["http://ns.adobe.com/exif/1.0/aux/", undefined],
  ["http://www.w3.org/XML/1998/namespace", undefined],
]);

/** The metadata: well-formed, of known or described properties, and with the claim of PDF/A-3. */
export function* checkMetadata(document: TaggedDocument): Generator<ArchiveFinding> {
  const packet = metadata(document);
  if (packet === undefined) {
    yield { rule: "6.6.2.1", message: "The document has no XMP metadata." };
    return;
  }
  const { header, fault } = packet;
  if (fault !== undefined)
    yield { rule: "6.6.2.1", message: `The metadata are no well-formed XML: ${fault}` };
  if (header === undefined)
    yield { rule: "6.6.2.1", message: "The metadata are in no packet (<?xpacket …?>)." };
  else if (/\b(bytes|encoding)\s*=/.test(header))
    yield { rule: "6.6.2.1", message: "The header of the packet has bytes or encoding, which it must not." };
  yield* identification(packet);
  const described = new Map<string, Set<string>>();
  yield* extensionSchemas(packet, described);
  for (const { namespace, name } of xmpProperties(packet))
    if (!isPredefined(namespace, name) && !described.get(namespace)?.has(name))
      yield {
        rule: "6.6.2.3.1",
        message: `The property ${name} of ${JSON.stringify(namespace)} is neither predefined nor described by an extension schema.`,
      };
}

function metadata({ file, catalog }: TaggedDocument): XmpPacket | undefined {
  const stream = streamEntry(file, catalog, "Metadata");
  return stream && readXmp(file.content(stream));
}

function* identification(packet: XmpPacket): Generator<ArchiveFinding> {
  const rule = "6.6.4";
  const claims = descendants(packet.root).filter(({ namespace }) => namespace === archiveNamespace);
  const values = (name: string): string[] =>
    claims.filter((each) => each.name === name).map(({ text }) => text.trim());
  if (values("part").length === 0)
    yield { rule, message: "The document does not say that it is archivable (pdfaid:part)." };
  else if (values("part").some((part) => part !== "3") || values("part").length > 1)
    yield { rule, message: `The document claims PDF/A-${values("part").join(" and ")}: expected 3, once.` };
  const levels = values("conformance");
  if (levels.length !== 1 || !/^[ABU]$/.test(levels[0] ?? ""))
    yield {
      rule,
      message: `The document claims the level ${levels.join(" and ") || "of nothing"}: expected A, B or U, once.`,
    };
}

/** Schemas that the packet describes; adds their properties to `described`. */
function* extensionSchemas(
  packet: XmpPacket,
  described: Map<string, Set<string>>,
): Generator<ArchiveFinding> {
  const rule = "6.6.2.3.2";
  const lists = descendants(packet.root).filter(
    ({ namespace, name }) => namespace === extension && name === "schemas",
  );
  if (lists.length > 1)
    yield {
      rule,
      message: "The metadata have more than one list of extension schemas (pdfaExtension:schemas).",
    };
  for (const schema of lists.flatMap((list) => items(list, "Bag"))) {
    const part = (name: string): XmpNode | undefined => partOf(schema, schemaParts, name);
    const namespace = part("namespaceURI")?.text.trim() ?? "";
    for (const name of ["schema", "namespaceURI", "prefix"])
      if ((part(name)?.text.trim() ?? "") === "")
        yield { rule, message: `The extension schema ${JSON.stringify(namespace)} has no ${name}.` };
    const known = described.get(namespace) ?? new Set();
    described.set(namespace, known);
    for (const property of items(part("property"), "Seq")) {
      const name = partOf(property, propertyParts, "name")?.text.trim() ?? "";
      known.add(name);
      for (const needed of ["name", "valueType", "category", "description"])
        if ((partOf(property, propertyParts, needed)?.text.trim() ?? "") === "")
          yield {
            rule,
            message: `The property ${JSON.stringify(name)} of an extension schema has no ${needed}.`,
          };
      const category = partOf(property, propertyParts, "category")?.text.trim();
      if (category !== undefined && category !== "internal" && category !== "external")
        yield {
          rule,
          message: `The property ${JSON.stringify(name)} has the category ${category}: expected internal or external.`,
        };
    }
  }
}

function items(list: XmpNode | undefined, kind: "Bag" | "Seq"): XmpNode[] {
  const container = list && partOf(list, rdf, kind);
  return container?.children.filter(({ namespace, name }) => namespace === rdf && name === "li") ?? [];
}

/** A member of an item, which may be in a separate description. */
function partOf(node: XmpNode, namespace: string, name: string): XmpNode | undefined {
  const inner = node.children.find((each) => each.namespace === rdf && each.name === "Description");
  return [...node.children, ...(inner?.children ?? [])].find(
    (each) => each.namespace === namespace && each.name === name,
  );
}

function isPredefined(namespace: string, name: string): boolean {
  return predefined.has(namespace) && (predefined.get(namespace)?.includes(name) ?? true);
}

function words(text: string): string[] {
  return text.split(" ");
}
