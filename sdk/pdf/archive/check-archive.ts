import { checkFonts } from "../accessibility/check-fonts.js";
import { type TaggedDocument, taggedDocument } from "../accessibility/tagged-document.js";
import { type ArchiveLevel, catalogClaims } from "../pdf-claims.js";
import { readPdf } from "../read-pdf.js";
import type { ArchiveCheck, ArchiveFinding } from "./archive-finding.js";
import { checkContents } from "./check-contents.js";
import { checkEmbeddedFiles } from "./check-embedded-files.js";
import { checkInteraction } from "./check-interaction.js";
import { checkLayers } from "./check-layers.js";
import { checkLimits } from "./check-limits.js";
import { checkMetadata } from "./check-metadata.js";
import { checkOutputIntents } from "./check-output-intents.js";
import { checkResources } from "./check-resources.js";
import { checkAllObjects, checkSyntax, checkTrailer } from "./check-syntax.js";
import { checkTags } from "./check-tags.js";

/** Clauses of ISO 19005-3 for the conditions of PDF/UA about fonts, which both standards have. */
const fontClauses: Record<string, string> = {
  "31-009": "6.2.11.4",
  "31-030": "6.2.11.8",
  "10-001": "6.2.11.7.2",
  "31-028": "6.2.11.7.2",
};

const checks: ArchiveCheck[] = [
  checkLimits,
  checkOutputIntents,
  checkResources,
  checkContents,
  checkUsedFonts,
  checkInteraction,
  checkMetadata,
  checkTags,
  checkEmbeddedFiles,
  checkLayers,
];

/**
 * Checks a PDF for conformance to PDF/A-3 (ISO 19005-3) at the level that it claims, as far as this can be done
 * without rendering; returns an empty list if it conforms. The programs within fonts, the compressed data of pictures
 * and the widths of glyphs are not checked. Throws `PdfFormatError` if the file is damaged.
 */
export function checkArchive(pdf: Uint8Array): ArchiveFinding[] {
  const file = readPdf(pdf, { encrypted: true });
  const outside = [...checkSyntax(pdf), ...checkTrailer(file)];
  // The content of an encrypted document cannot be read.
  if (file.trailer.entries.has("Encrypt")) return outside;
  const document = taggedDocument(file);
  return [
    ...outside,
    ...checkAllObjects(file),
    ...archiveFindings(document, catalogClaims(file, file.catalog).archive ?? "B"),
  ];
}

/**
 * Checks the content of a file that is not encrypted, even before it is written. Throws `PdfFormatError` if it is damaged.
 */
export function archiveFindings(document: TaggedDocument, level: ArchiveLevel): ArchiveFinding[] {
  return checks.flatMap((check) => [...check(document, level)]);
}

/** Level B does not require the meaning of characters. */
function* checkUsedFonts(document: TaggedDocument, level: ArchiveLevel): Generator<ArchiveFinding> {
  for (const { rule, ...finding } of checkFonts(document)) {
    const clause = fontClauses[rule] ?? "6.2.11";
    if (level !== "B" || clause !== "6.2.11.7.2") yield { ...finding, rule: clause };
  }
}
