/** What goes to the joining process and what comes back; one request per process. */

export interface MergeRequest {
  report: Uint8Array;
  /** Attachments before and after the report, in order. */
  before: Uint8Array[];
  after: Uint8Array[];
  /** Pages that the attachments may have in all. */
  pages: number;
}

export interface MergeReply {
  content: Uint8Array;
  pages: number;
  /** Attachments left out; `index` counts through `before` and then `after`. */
  refused: { index: number; reason: string }[];
}
