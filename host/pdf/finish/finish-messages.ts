/** What goes to whoever finishes reports and what comes back. */

import { type Log, type SuppressedError, shortened, suppressedError } from "@slipway/sdk";
import type {
  AccessibilityFinding,
  ArchiveFinding,
  ArchiveLevel,
  FileToEmbed,
  PdfUpdate,
  XmpStatement,
} from "@slipway/sdk/runtime/pdf";
import { fullStop } from "../../system/errors.js";
import { type AttachmentDamage, lostParts } from "./attachment-damage.js";

export interface FinishOrder {
  report: Uint8Array;
  /** Attachments before and after the report, in order. */
  before: Uint8Array[];
  after: Uint8Array[];
  /** Pages that the attachments may have in all. */
  pages: number;
  /** Whether the report is tagged: then it is made accessible as PDF/UA asks for. */
  tagged: boolean;
  /** The highest level of PDF/A-3 that the report may claim; undefined if it is not to be archivable. */
  archive: ArchiveLevel | undefined;
}

/** Files to embed in a finished report. */
export interface EmbedOrder {
  pdf: Uint8Array;
  files: FileToEmbed[];
  statement?: XmpStatement | undefined;
}

export interface FinishedPdf {
  content: Uint8Array;
  pages: number;
  refused: RefusedAttachment[];
  damaged: DamagedAttachment[];
  /** Indices of attachments with forms of XML (XFA), counted as in `damaged`. */
  withXfa: number[];
  /** Of a tagged report. */
  claim?: Claim;
  /** Of a report that is to be archivable. */
  archive?: ArchiveClaim;
}

/** A report could not be finished; it is still good as it was. `message` says why, for the log. */
export class FinishError extends Error {
  override readonly name = "FinishError";
}

/** Whether a report says that it conforms to PDF/UA-1. */
export interface Claim {
  made: boolean;
  /** What speaks against it; empty also where only an attachment does not say so of itself. */
  findings: AccessibilityFinding[];
}

/** What a report says of PDF/A-3. */
export interface ArchiveClaim {
  /** Undefined if it claims nothing. */
  level: ArchiveLevel | undefined;
  /** What speaks against it; empty also where only an attachment does not say so of itself. */
  findings: ArchiveFinding[];
}

/** An attachment that was left out. */
export interface RefusedAttachment {
  /** Counts through `before` and then `after`. */
  index: number;
  /** Fit for a client. */
  reason: string;
  /** For the log. */
  cause: string;
}

/** An attachment that was repaired, and has lost something. */
export interface DamagedAttachment extends AttachmentDamage {
  /** Counts through `before` and then `after`. */
  index: number;
}

/** Checks what a process or a thread sent: the finished report, or what went wrong in it. */
export function finishReply(message: unknown): FinishedPdf | { failure: string } {
  if (typeof message === "object" && message !== null) {
    if ("failure" in message && typeof message.failure === "string") return { failure: message.failure };
    if (
      "content" in message &&
      "pages" in message &&
      "refused" in message &&
      "damaged" in message &&
      "withXfa" in message
    ) {
      const { content, pages, refused, damaged, withXfa } = message;
      if (
        content instanceof Uint8Array &&
        typeof pages === "number" &&
        Array.isArray(refused) &&
        Array.isArray(damaged) &&
        Array.isArray(withXfa)
      ) {
        const claim = "claim" in message ? claimOf(message.claim) : undefined;
        const archive = "archive" in message ? archiveClaimOf(message.archive) : undefined;
        const claims = { ...(claim && { claim }), ...(archive && { archive }) };
        return {
          content,
          pages,
          refused: refused.filter(isRefused),
          damaged: damaged.filter(isDamaged),
          withXfa: withXfa.filter((each) => typeof each === "number"),
          ...claims,
        };
      }
    }
  }
  return { failure: "it sent something else than a reply" };
}

/** Checks what a thread sent: the plan of an update, or what went wrong in it. */
export function updateReply(message: unknown): PdfUpdate | { failure: string } {
  if (typeof message === "object" && message !== null) {
    if ("failure" in message && typeof message.failure === "string") return { failure: message.failure };
    if (isUpdate(message)) return message;
  }
  return { failure: "it sent something else than a plan" };
}

function isUpdate(message: object): message is PdfUpdate {
  return (
    "first" in message &&
    "objects" in message &&
    "trailer" in message &&
    "size" in message &&
    "previous" in message &&
    Array.isArray(message.objects) &&
    message.trailer instanceof Uint8Array
  );
}

function isRefused(value: unknown): value is RefusedAttachment {
  if (typeof value !== "object" || value === null) return false;
  if (!("index" in value && "reason" in value && "cause" in value)) return false;
  return (
    typeof value.index === "number" && typeof value.reason === "string" && typeof value.cause === "string"
  );
}

function isDamaged(value: unknown): value is DamagedAttachment {
  if (typeof value !== "object" || value === null) return false;
  if (!("index" in value && "pages" in value && "lost" in value)) return false;
  const { index, pages, lost } = value;
  return (
    typeof index === "number" &&
    Array.isArray(pages) &&
    pages.every((page) => typeof page === "number") &&
    Array.isArray(lost) &&
    lost.every((each) => lostParts.includes(each))
  );
}

function claimOf(value: unknown): Claim | undefined {
  if (typeof value !== "object" || value === null || !("made" in value && "findings" in value))
    return undefined;
  const { made, findings } = value;
  if (typeof made !== "boolean" || !Array.isArray(findings)) return undefined;
  return { made, findings: findings.filter(isFinding) };
}

function archiveClaimOf(value: unknown): ArchiveClaim | undefined {
  if (typeof value !== "object" || value === null || !("level" in value && "findings" in value))
    return undefined;
  const { level, findings } = value;
  if (!Array.isArray(findings)) return undefined;
  const isLevel = level === "A" || level === "B" || level === "U";
  return { level: isLevel ? level : undefined, findings: findings.filter(isFinding) };
}

function isFinding(value: unknown): value is AccessibilityFinding {
  if (typeof value !== "object" || value === null || !("rule" in value && "message" in value)) return false;
  const page = "page" in value ? value.page : undefined;
  return (
    typeof value.rule === "string" &&
    typeof value.message === "string" &&
    (page === undefined || typeof page === "number")
  );
}

/** In characters; all findings are in `additionalInformation`. */
const longestFinding = 220;

/** What a client and the log are told of a report that does not say of itself what it was meant to. */
export function missingClaims(
  { claim, archive }: Pick<FinishedPdf, "claim" | "archive">,
  log: Log,
): SuppressedError[] {
  const missing: SuppressedError[] = [];
  if (claim !== undefined && !claim.made) {
    const { findings } = claim;
    const [first] = findings;
    if (first === undefined) log.info("A report is not marked as accessible, because an attachment is not.");
    else {
      log.warn("A report is not marked as accessible.", { findings });
      const message = `The PDF is not marked as accessible (PDF/UA-1): ${shortened(fullStop(placed(first)), longestFinding)}`;
      const more = { scope: "WARN", additionalInformation: { findings } } as const;
      missing.push(suppressedError({ id: "document-not-accessible", message, ...more }));
    }
  }
  if (archive !== undefined && archive.level === undefined) {
    const { findings } = archive;
    const [first] = findings;
    const reason = first === undefined ? "a PDF before or after the report is not." : placed(first);
    log.warn("A report is not marked as archivable.", { reason, findings });
    const message = `The PDF is not marked as archivable (PDF/A-3): ${shortened(fullStop(reason), longestFinding)}`;
    const more = { scope: "WARN", additionalInformation: { findings } } as const;
    missing.push(suppressedError({ id: "pdf-not-archivable", message, ...more }));
  }
  return missing;
}

function placed({ message, page }: AccessibilityFinding | ArchiveFinding): string {
  return page === undefined ? message : `page ${page}: ${message}`;
}
