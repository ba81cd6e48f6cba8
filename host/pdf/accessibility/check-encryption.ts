import { PDFDict, type PDFDocument } from "@cantoo/pdf-lib";
import type { AccessibilityFinding } from "./accessibility-finding.js";
import { numberEntry } from "./pdf-values.js";

/** Bit 10 of the permissions: text may be taken out for people who cannot see it. */
const permitsAccessibility = 1 << 9;

/** Encrypted documents, which could not be looked into further. */
export function checkEncryption(document: PDFDocument): AccessibilityFinding[] {
  const encryption = document.context.lookup(document.context.trailerInfo.Encrypt);
  const permissions = encryption instanceof PDFDict ? numberEntry(encryption, "P") : undefined;
  if (permissions === undefined)
    return [{ rule: "26-001", message: "The document is encrypted and does not say what it permits." }];
  if ((permissions & permitsAccessibility) === 0)
    return [
      { rule: "26-002", message: "The document is encrypted and forbids screen readers to take its text." },
    ];
  return [
    {
      rule: "clause 7.16",
      message:
        "The document is encrypted, so that nothing else could be checked: print it without a password.",
    },
  ];
}
