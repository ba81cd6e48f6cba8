/** What goes to whoever finishes reports and what comes back. */

export interface FinishOrder {
  report: Uint8Array;
  /** Attachments before and after the report, in order. */
  before: Uint8Array[];
  after: Uint8Array[];
  /** Pages that the attachments may have in all. */
  pages: number;
  /** Whether the report is tagged: then it is made accessible as PDF/UA asks for. */
  tagged: boolean;
  /** Whether its fonts have all its characters: without, it may not say that it is accessible. */
  legible: boolean;
}

export interface FinishedPdf {
  content: Uint8Array;
  pages: number;
  refused: RefusedAttachment[];
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
      if (content instanceof Uint8Array && typeof pages === "number" && Array.isArray(refused))
        return { content, pages, refused: refused.filter(isRefused) };
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
