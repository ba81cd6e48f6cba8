import type { PdfFile } from "./pdf-file.js";
import { type PdfDictionary, PdfFormatError } from "./pdf-object.js";
import { streamEntry } from "./pdf-values.js";
import { readPdf } from "./read-pdf.js";
import { readXmp, xmpProperty } from "./xmp.js";

/**
 * Conformance level of PDF/A: `B`, it will always look the same; `U`, its text can also be extracted; `A`, it is also
 * tagged.
 */
export type ArchiveLevel = "A" | "B" | "U";

/** The conformance that a document claims. */
export interface PdfClaims {
  /** It conforms to PDF/UA-1. */
  accessible: boolean;
  /** The level of PDF/A that it conforms to, if any. */
  archive: ArchiveLevel | undefined;
  /** The part of PDF/A, such as "3". */
  part: string | undefined;
}

export const archiveNamespace = "http://www.aiim.org/pdfa/ns/id/";
const accessibilityNamespace = "http://www.aiim.org/pdfua/ns/id/";

/** The claims of a PDF; none if it is encrypted. Throws `PdfFormatError` if it is damaged. */
export function claimsOf(pdf: Uint8Array): PdfClaims {
  const file = readPdf(pdf, { encrypted: true });
  return file.trailer.entries.has("Encrypt") ? noClaims : catalogClaims(file, file.catalog);
}

const noClaims: PdfClaims = { accessible: false, archive: undefined, part: undefined };

/** The claims in the metadata of a catalog. */
export function catalogClaims(file: PdfFile, catalog: PdfDictionary): PdfClaims {
  const metadata = streamEntry(file, catalog, "Metadata");
  if (metadata === undefined) return noClaims;
  try {
    const packet = readXmp(file.content(metadata));
    const property = (namespace: string, name: string): string | undefined =>
      xmpProperty(packet, namespace, name)?.trim();
    const level = property(archiveNamespace, "conformance");
    return {
      accessible: property(accessibilityNamespace, "part") === "1",
      archive: level === "A" || level === "U" || level === "B" ? level : undefined,
      part: property(archiveNamespace, "part"),
    };
  } catch (error) {
    if (error instanceof PdfFormatError) return noClaims;
    throw error;
  }
}
