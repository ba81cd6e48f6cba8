/** Messages between the host and the threads and processes that finish reports. */
import {
  type Log,
  type Static,
  type SuppressedError,
  shortened,
  suppressedError,
  Type,
  Validator,
} from "@slipway/sdk";
import type {
  AccessibilityFinding,
  ArchiveFinding,
  ArchiveLevel,
  FileToEmbed,
  PdfUpdate,
  XmpStatement,
} from "@slipway/sdk/runtime/pdf";
import { fullStop } from "../../system/errors.js";
import { orUndefined } from "../../system/or-undefined.js";
import { lostParts } from "./attachment-damage.js";

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

/** Position of an attachment, counted through `before` and then `after`. */
const index = Type.Integer({ minimum: 0 });

/** What speaks against a claim; empty also where only an attachment does not make it. */
const findings = Type.Array(
  Type.Object({ rule: Type.String(), message: Type.String(), page: Type.Optional(Type.Number()) }),
);

/** An attachment that was left out: `reason` is fit for a client, `cause` is for the log. */
const RefusedAttachment = Type.Object({ index, reason: Type.String(), cause: Type.String() });
export type RefusedAttachment = Static<typeof RefusedAttachment>;

/** An attachment that was repaired, and has lost something, see `AttachmentDamage`. */
const DamagedAttachment = Type.Object({
  index,
  pages: Type.Array(Type.Integer()),
  lost: Type.Array(Type.Enum([...lostParts])),
});
export type DamagedAttachment = Static<typeof DamagedAttachment>;

/** Whether a report says that it conforms to PDF/UA-1. */
const Claim = Type.Object({ made: Type.Boolean(), findings });
export type Claim = Static<typeof Claim>;

/** The level of PDF/A-3 that a report claims, if any. */
const ArchiveClaim = Type.Object({ level: orUndefined(Type.Enum(["A", "B", "U"])), findings });
export type ArchiveClaim = Static<typeof ArchiveClaim>;

const Finished = Type.Object({
  pages: Type.Integer(),
  refused: Type.Array(RefusedAttachment),
  damaged: Type.Array(DamagedAttachment),
  /** Attachments with forms of XML (XFA). */
  withXfa: Type.Array(index),
  /** Of a tagged report. */
  claim: Type.Optional(Claim),
  /** Of a report that is to be archivable. */
  archive: Type.Optional(ArchiveClaim),
});
export type FinishedPdf = Static<typeof Finished> & { content: Uint8Array };

const checkFinished = new Validator({ lazy: true }).compile(Finished, "reply");

/** A report could not be finished; it is still good as it was. `message` says why, for the log. */
export class FinishError extends Error {
  override readonly name = "FinishError";
}

/** Checks what a process or a thread sent: the finished report, or what went wrong in it. */
export function finishReply(message: unknown): FinishedPdf | { failure: string } {
  const failure = failureIn(message);
  if (failure !== undefined) return failure;
  const content = contentOf(message);
  const finished = checkFinished(message);
  if (content === undefined || !finished.ok) return { failure: "it sent something else than a reply" };
  return { ...finished.value, content };
}

function contentOf(message: unknown): Uint8Array | undefined {
  const isFull = typeof message === "object" && message !== null && "content" in message;
  return isFull && message.content instanceof Uint8Array ? message.content : undefined;
}

/** Checks what a thread sent: the plan of an update, or what went wrong in it. */
export function updateReply(message: unknown): PdfUpdate | { failure: string } {
  if (isUpdate(message)) return message;
  return failureIn(message) ?? { failure: "it sent something else than a plan" };
}

function failureIn(message: unknown): { failure: string } | undefined {
  if (typeof message !== "object" || message === null || !("failure" in message)) return undefined;
  return typeof message.failure === "string" ? { failure: message.failure } : undefined;
}

function isUpdate(message: unknown): message is PdfUpdate {
  return (
    typeof message === "object" &&
    message !== null &&
    "first" in message &&
    "objects" in message &&
    "trailer" in message &&
    "size" in message &&
    "previous" in message &&
    Array.isArray(message.objects) &&
    message.trailer instanceof Uint8Array
  );
}

/** In characters; all findings are in `additionalInformation`. */
const longestFinding = 220;

/** Warnings for the client and the log about a report that lacks a requested claim. */
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
