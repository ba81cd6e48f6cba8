/** One thing that keeps a PDF from being accessible. */
export interface AccessibilityFinding {
  /** Failure condition of the Matterhorn Protocol 1.1 ("01-005"), or the clause of ISO 14289-1 where it has none. */
  rule: string;
  /** A sentence that tells the author of a template what is wrong and what to change. */
  message: string;
  /** From 1; absent where it concerns the whole document. */
  page?: number;
}

const shownCharacters = 60;

/** Text of a document as a message can quote it: on one line, in quotes, cut where it is long. */
export function quoted(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return `"${line.length > shownCharacters ? `${line.slice(0, shownCharacters)}…` : line}"`;
}
