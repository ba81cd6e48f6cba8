/** What a document says of itself: its claims, as far as the checks of the SDK confirm them, its metadata and its colours. */
import {
  type AccessibilityFinding,
  type ArchiveFinding,
  type ArchiveLevel,
  accessibilityFindings,
  archiveFindings,
  type ExtensionSchema,
  escapedXmp as escaped,
  extensionSchemas,
  isKind,
  type PdfDictionary,
  type PdfFile,
  packedStream,
  pdfArray,
  pdfDictionary,
  pdfName,
  pdfText,
  type TaggedDocument,
  taggedDocument,
  textOf,
} from "@slipway/sdk/runtime/pdf";
import { errorMessage } from "../../system/errors.js";
import { internalDomain } from "../print/document-origins.js";
import type { ArchiveClaim, Claim, FinishOrder } from "./finish-messages.js";
import { writePdf } from "./write-pdf.js";

/** The standards that a document claims to conform to. */
export interface Claims {
  /** It conforms to PDF/UA-1. */
  accessible: boolean;
  /** The level of PDF/A-3 that it conforms to, if any. */
  archive: ArchiveLevel | undefined;
}

/** An attachment with its own claims. */
interface Attached {
  claims: Claims;
}

/** A finished document with what became of its claims. */
interface ClaimingPdf {
  content: Uint8Array;
  claim?: Claim;
  archive?: ArchiveClaim;
}

/** More findings are not reported. */
const mostFindings = 20;

/** From the one that promises the least. */
const levels: ArchiveLevel[] = ["B", "U", "A"];

/**
 * Writes a document with those requested claims that are true. The features of a browser do not tell what it does to tags
 * and fonts, so the repaired document itself is checked: while it is packed with the claims, because most documents keep
 * them.
 */
export async function writeWithClaims(
  file: PdfFile,
  attached: readonly Attached[],
  order: Pick<FinishOrder, "tagged" | "archive">,
): Promise<ClaimingPdf> {
  const hoped = hopedClaims(attached, order);
  stateFacts(file, hoped);
  const writing = writePdf(file);
  const { accessibility, archive, claims } = provenClaims(file, hoped);
  const hopedContent = await writing;
  const told = {
    ...(order.tagged && {
      claim: { made: claims.accessible, findings: accessibility.slice(0, mostFindings) },
    }),
    ...(order.archive !== undefined && {
      archive: { level: claims.archive, findings: archive.slice(0, mostFindings) },
    }),
  };
  if (claims.accessible === hoped.accessible && claims.archive === hoped.archive)
    return { content: hopedContent, ...told };
  stateFacts(file, claims);
  return { content: await writePdf(file), ...told };
}

/** What may be true: level A is that of accessible documents, and no document promises more than each of its parts. */
function hopedClaims(
  attached: readonly Attached[],
  { tagged, archive }: Pick<FinishOrder, "tagged" | "archive">,
): Claims {
  const accessible = tagged && attached.every(({ claims }) => claims.accessible);
  if (archive === undefined || attached.some(({ claims }) => claims.archive === undefined))
    return { accessible, archive: undefined };
  const own = archive === "A" && !accessible ? "U" : archive;
  const parts = [own, ...attached.flatMap(({ claims }) => claims.archive ?? [])];
  return { accessible, archive: levels.find((level) => parts.includes(level)) };
}

interface ProvenClaims {
  claims: Claims;
  accessibility: AccessibilityFinding[];
  archive: ArchiveFinding[];
}

function provenClaims(file: PdfFile, hoped: Claims): ProvenClaims {
  if (!hoped.accessible && hoped.archive === undefined)
    return { claims: hoped, accessibility: [], archive: [] };
  try {
    const document = taggedDocument(file);
    const accessibility = hoped.accessible ? accessibilityFindings(document) : [];
    const accessible = hoped.accessible && accessibility.length === 0;
    const archive = provenLevel(document, hoped.archive === "A" && !accessible ? "U" : hoped.archive);
    return {
      claims: { accessible, archive: archive.level },
      accessibility,
      archive: archive.findings,
    };
  } catch (error) {
    const message = `The document could not be checked: ${errorMessage(error)}`;
    return {
      claims: { accessible: false, archive: undefined },
      accessibility: hoped.accessible ? [{ rule: "06-002", message }] : [],
      archive: hoped.archive === undefined ? [] : [{ rule: "6.6.4", message }],
    };
  }
}

/** Level U, if only what level A asks for beyond it is missing. */
function provenLevel(document: TaggedDocument, level: ArchiveLevel | undefined): ArchiveClaim {
  if (level === undefined) return { level, findings: [] };
  const findings = archiveFindings(document, level);
  if (findings.length === 0) return { level, findings };
  if (level === "A") return provenLevel(document, "U");
  return { level: undefined, findings };
}

/**
 * Catalog and metadata: that the title is to be shown, what colours mean, and in XMP what the document says of itself
 * elsewhere, with its claims. A second call replaces them.
 */
export function stateFacts(file: PdfFile, claims: Claims): void {
  const { catalog } = file;
  const information = informationOf(file);
  const preferences = file.dictionary(catalog.entries.get("ViewerPreferences")) ?? pdfDictionary();
  preferences.entries.set("DisplayDocTitle", true);
  catalog.entries.set("ViewerPreferences", preferences);
  stateOutputIntent(file, claims.archive !== undefined);
  const packet = xmpPacket({
    title: titleOf(file, information),
    language: textEntry(file, catalog, "Lang"),
    creator: textEntry(file, information, "Creator"),
    producer: textEntry(file, information, "Producer"),
    created: isoDate(textEntry(file, information, "CreationDate")),
    modified: isoDate(textEntry(file, information, "ModDate")),
    claims,
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

/** A date of PDF (ISO 32000-1, 7.9.4) as XMP writes it; "" for anything else. */
function isoDate(date: string): string {
  const parts = /^D:(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(?:Z|([+-]\d\d)'(\d\d)'?)?/.exec(date);
  if (parts === null) return "";
  const [, year, month, day, hour, minute, second, zoneHours, zoneMinutes] = parts;
  const zone = zoneHours === undefined ? "Z" : `${zoneHours}:${zoneMinutes}`;
  return `${year}-${month}-${day}T${hour}:${minute}:${second}${zone}`;
}

/** What the metadata of a document say; empty texts are left out. */
interface Metadata {
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
function xmpPacket(metadata: Metadata): Uint8Array {
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

/** sRGB as an ICC profile of version 4, from the collection Compact-ICC-Profiles by saucecontrol (CC0). */
const profile = Buffer.from(
  "AAAB4GxjbXMEIAAAbW50clJHQiBYWVogB+IAAwAUAAkADgAdYWNzcE1TRlQAAAAAc2F3c2N0cmwAAAAAAAAAAAAAAAAAAPbWAAEA" +
    "AAAA0y1oYW5keem/Vlo+AbaDI4VVRvdPqgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAKZGVzYwAAAPwAAAAkY3BydAAA" +
    "ASAAAAAid3RwdAAAAUQAAAAUY2hhZAAAAVgAAAAsclhZWgAAAYQAAAAUZ1hZWgAAAZgAAAAUYlhZWgAAAawAAAAUclRSQwAAAcAA" +
    "AAAgZ1RSQwAAAcAAAAAgYlRSQwAAAcAAAAAgbWx1YwAAAAAAAAABAAAADGVuVVMAAAAIAAAAHABzAFIARwBCbWx1YwAAAAAAAAAB" +
    "AAAADGVuVVMAAAAGAAAAHABDAEMAMAAAWFlaIAAAAAAAAPbWAAEAAAAA0y1zZjMyAAAAAAABDD8AAAXd///zJgAAB5AAAP2S///7" +
    "of///aIAAAPcAADAcVhZWiAAAAAAAABvoAAAOPIAAAOPWFlaIAAAAAAAAGKWAAC3iQAAGNpYWVogAAAAAAAAJKAAAA+FAAC2xHBh" +
    "cmEAAAAAAAMAAAACZmkAAPKnAAANWQAAE9AAAApb",
  "base64",
);

/** Says that colours are those of sRGB, which is what browsers paint; without `stated`, that nothing is known. */
function stateOutputIntent(file: PdfFile, stated: boolean): void {
  const { entries } = file.catalog;
  if (!stated) entries.delete("OutputIntents");
  else if (!isKind(entries.get("OutputIntents"), "array")) {
    const name = pdfText("sRGB");
    const intent = pdfDictionary({
      Type: pdfName("OutputIntent"),
      S: pdfName("GTS_PDFA1"),
      OutputConditionIdentifier: name,
      Info: name,
      DestOutputProfile: file.add(packedStream(profile, { N: 3 })),
    });
    entries.set("OutputIntents", pdfArray([file.add(intent)]));
  }
}
