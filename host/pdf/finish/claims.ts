/** What a finished document may say of itself: only what the checks that tell people of mistakes do not deny. */
import {
  type AccessibilityFinding,
  type ArchiveFinding,
  type ArchiveLevel,
  accessibilityFindings,
  archiveFindings,
  type PdfFile,
  type TaggedDocument,
  taggedDocument,
} from "@slipway/sdk/runtime/pdf";
import { errorMessage } from "../../system/errors.js";
import { type Claims, stateFacts } from "./document-facts.js";
import type { AttachedPart } from "./document-part.js";
import type { ArchiveClaim, Claim, FinishOrder } from "./finish-messages.js";
import { writePdf } from "./write-pdf.js";

/** A finished document with what became of its claims. */
interface ClaimingPdf {
  content: Uint8Array;
  claim?: Claim;
  archive?: ArchiveClaim;
}

/** As many as somebody reads. */
const mostFindings = 20;

/** From the one that promises the least. */
const levels: ArchiveLevel[] = ["B", "U", "A"];

/**
 * Writes a document with the claims that are asked for and true. What a browser does to tags and fonts is told by no list
 * of its features, so the repaired document is looked at: while it is packed with the claims in it, because most
 * documents keep them.
 */
export async function writeWithClaims(
  file: PdfFile,
  attached: AttachedPart[],
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
  attached: AttachedPart[],
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
