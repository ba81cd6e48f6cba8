/** What became of a document or of one step of it. */
export interface MeasuredWork {
  /** "done", or how it ended otherwise: the id of an error, or "failed". */
  outcome: string;
  seconds: number;
}

/** Tells of a pass of the finisher when it is over. */
export type MeasuredPass = <T>(pass: Promise<T>) => Promise<T>;

/** Hears of what the printing service does; must not throw. */
export interface PdfMeasures {
  /** A document, from its arrival to the end of all steps; `pages` is 0 for one that failed. */
  printed(document: MeasuredWork & { pages: number }): void;
  /** The pass over a printed report that repairs it and joins its attachments. */
  finished(pass: MeasuredWork): void;
}
