import type { TaggedDocument } from "../accessibility/tagged-document.js";
import type { ArchiveLevel } from "../pdf-claims.js";

/** One violation of the rules for archivable PDFs. */
export interface ArchiveFinding {
  /** Clause of ISO 19005-3 ("6.1.3"). */
  rule: string;
  /** A sentence with the problem and the expectation. */
  message: string;
  /** From 1; absent if it concerns the whole document. */
  page?: number;
}

/** A rule over a document that is not encrypted. */
export type ArchiveCheck = (document: TaggedDocument, level: ArchiveLevel) => Iterable<ArchiveFinding>;
