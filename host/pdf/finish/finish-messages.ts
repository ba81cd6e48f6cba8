/** What goes to whoever finishes reports and what comes back. */

import { type Log, type SuppressedError, suppressedError } from "@slipway/sdk";
import type { AccessibilityFinding } from "@slipway/sdk/runtime/pdf";

export interface FinishOrder {
  report: Uint8Array;
  /** Attachments before and after the report, in order. */
  before: Uint8Array[];
  after: Uint8Array[];
  /** Pages that the attachments may have in all. */
  pages: number;
  /** Whether the report is tagged: then it is made accessible as PDF/UA asks for. */
  tagged: boolean;
}

export interface FinishedPdf {
  content: Uint8Array;
  pages: number;
  refused: RefusedAttachment[];
  /** Of a tagged report. */
  claim?: Claim;
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

/** An attachment that was left out. */
export interface RefusedAttachment {
  /** Counts through `before` and then `after`. */
  index: number;
  /** Fit for a client. */
  reason: string;
  /** For the log. */
  cause: string;
}

/** Checks what a process or a thread sent: the finished report, or what went wrong in it. */
export function finishReply(message: unknown): FinishedPdf | { failure: string } {
  if (typeof message === "object" && message !== null) {
    if ("failure" in message && typeof message.failure === "string") return { failure: message.failure };
    if ("content" in message && "pages" in message && "refused" in message) {
      const { content, pages, refused } = message;
      if (content instanceof Uint8Array && typeof pages === "number" && Array.isArray(refused)) {
        const claim = "claim" in message ? claimOf(message.claim) : undefined;
        return { content, pages, refused: refused.filter(isRefused), ...(claim && { claim }) };
      }
    }
  }
  return { failure: "it sent something else than a reply" };
}

function isRefused(value: unknown): value is RefusedAttachment {
  if (typeof value !== "object" || value === null) return false;
  if (!("index" in value && "reason" in value && "cause" in value)) return false;
  return (
    typeof value.index === "number" && typeof value.reason === "string" && typeof value.cause === "string"
  );
}

function claimOf(value: unknown): Claim | undefined {
  if (typeof value !== "object" || value === null || !("made" in value && "findings" in value))
    return undefined;
  const { made, findings } = value;
  if (typeof made !== "boolean" || !Array.isArray(findings)) return undefined;
  return { made, findings: findings.filter(isFinding) };
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

/** What a client and the log are told of a tagged report that does not say that it conforms to PDF/UA-1. */
export function missingClaim(claim: Claim | undefined, log: Log): SuppressedError[] {
  if (claim === undefined || claim.made) return [];
  const { findings } = claim;
  const [first] = findings;
  if (first === undefined) {
    log.info("A report is not marked as accessible, because an attachment is not.");
    return [];
  }
  log.warn("A report is not marked as accessible.", { findings });
  const place = first.page === undefined ? "" : `page ${first.page}: `;
  return [
    suppressedError({
      id: "document-not-accessible",
      message: `The PDF does not say that it is accessible (PDF/UA-1): ${place}${first.message}`,
      scope: "WARN",
      additionalInformation: { findings },
    }),
  ];
}
