import { ParseSpeeds, PDFDocument } from "@cantoo/pdf-lib";
import type { AccessibilityFinding } from "./accessibility-finding.js";
import { checkAnnotations } from "./check-annotations.js";
import { checkContent } from "./check-content.js";
import { checkDocument } from "./check-document.js";
import { checkEncryption } from "./check-encryption.js";
import { checkFigures } from "./check-figures.js";
import { checkFonts } from "./check-fonts.js";
import { checkHeadings } from "./check-headings.js";
import { checkMetadata } from "./check-metadata.js";
import { checkNesting } from "./check-nesting.js";
import { checkReadingOrder } from "./check-reading-order.js";
import { checkRoles } from "./check-roles.js";
import { checkTables } from "./check-tables.js";
import { taggedDocument } from "./tagged-document.js";

const checks = [
  checkDocument,
  checkMetadata,
  checkContent,
  checkRoles,
  checkNesting,
  checkHeadings,
  checkTables,
  checkFigures,
  checkAnnotations,
  checkFonts,
  checkReadingOrder,
];

/**
 * What keeps a PDF from conforming to PDF/UA-1 (ISO 14289-1), as far as a machine can tell; empty where nothing does.
 * The conditions are those of the Matterhorn Protocol 1.1. Whether texts say the right thing remains for people. Throws
 * where the file is damaged.
 */
export async function checkAccessibility(pdf: Uint8Array): Promise<AccessibilityFinding[]> {
  const document = await PDFDocument.load(pdf, {
    ignoreEncryption: true,
    updateMetadata: false,
    parseSpeed: ParseSpeeds.Fastest,
  });
  // Nothing else can be read of an encrypted document.
  if (document.isEncrypted) return checkEncryption(document);
  const tagged = taggedDocument(document);
  return checks.flatMap((check) => check(tagged));
}
