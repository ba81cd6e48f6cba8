/** Files that are checked while they are written, without reading them again. */
import { once } from "node:events";
import { PassThrough } from "node:stream";
import type { RepeatedText, Suppression } from "@slipway/sdk";
import type { DocumentProblem } from "../checking/document-element.js";

const shownProblems = 20;

/** Checks a document to its end, or stops early. */
export type Check = (document: AsyncIterable<Uint8Array>) => Promise<DocumentProblem[]>;

/** A check of a document that passes through. */
export class CheckedFile {
  private readonly copy = new PassThrough();
  private readonly checking: Promise<DocumentProblem[]>;

  constructor(check: Check) {
    this.checking = check(this.copy);
    this.checking.catch(() => undefined);
  }

  /** Passes the document through. */
  async *of(pieces: AsyncIterable<string | RepeatedText>): AsyncGenerator<string | RepeatedText> {
    try {
      for await (const piece of pieces) {
        yield piece;
        // The checker may stop reading early.
        if (!this.copy.destroyed && !this.copy.write(String(piece)))
          await Promise.race([once(this.copy, "drain"), once(this.copy, "close")]);
      }
    } finally {
      this.copy.end();
    }
  }

  /** What is wrong with the document. Call when all of it has passed. */
  problems(): Promise<DocumentProblem[]> {
    return this.checking;
  }
}

/** `oex-document-invalid`; `what`: the document, at the beginning of a sentence. */
export function invalidDocument(what: string, problems: readonly DocumentProblem[]): Suppression {
  const cause = problems
    .slice(0, shownProblems)
    .map(
      ({ item, line, rule, message }) =>
        `${item === undefined ? "" : `item ${item}, `}line ${line}, ${rule}: ${message}`,
    );
  const more = problems.length > cause.length ? `, the first ${cause.length} under "cause"` : "";
  return {
    id: "oex-document-invalid",
    message: `${what} breaks the rules of its format in ${problems.length} ${problems.length === 1 ? "place" : "places"}${more}. Do not send it.`,
    cause,
  };
}
