import { once } from "node:events";
import { PassThrough } from "node:stream";
import type { Suppression } from "@slipway/sdk";
import { type DocumentProblem, OexChecker, schemaSkipped } from "../checking/check-document.js";
import { schemaFiles } from "../checking/schema-files.js";

const shownProblems = 20;

let checker: Promise<OexChecker> | undefined;

/** Checks a document while it is written, so that it need not be read again. */
export class DocumentCheck {
  private readonly copy = new PassThrough();
  private readonly checking: Promise<DocumentProblem[]>;

  /** `schemaLimit` in bytes; larger documents are checked against the rules only. */
  constructor(schemaLimit: number) {
    checker ??= OexChecker.create(schemaFiles);
    this.checking = checker.then((ready) => ready.check(this.copy, { schemaLimit }));
    this.checking.catch(() => undefined);
  }

  /** Passes the pieces of the document on as bytes. */
  async *of(pieces: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
    try {
      for await (const piece of pieces) {
        const bytes = Buffer.from(piece);
        yield bytes;
        // A checker that has seen enough reads no further.
        if (!this.copy.destroyed && !this.copy.write(bytes))
          await Promise.race([once(this.copy, "drain"), once(this.copy, "close")]);
      }
    } finally {
      this.copy.end();
    }
  }

  /** What is wrong with the document: `oex-document-invalid`, and `oex-document-unchecked` where it was too large. */
  async findings(): Promise<Suppression[]> {
    const problems = await this.checking;
    const skipped = problems.filter(({ rule }) => rule === schemaSkipped);
    const wrong = problems.filter(({ rule }) => rule !== schemaSkipped);
    const findings: Suppression[] = skipped.map(({ message }) => ({
      id: "oex-document-unchecked",
      scope: "WARN",
      message,
    }));
    if (wrong.length > 0) findings.push(invalid(wrong));
    return findings;
  }
}

function invalid(problems: DocumentProblem[]): Suppression {
  const cause = problems
    .slice(0, shownProblems)
    .map(
      ({ item, line, rule, message }) =>
        `${item === undefined ? "" : `item ${item}, `}line ${line}, ${rule}: ${message}`,
    );
  const more = problems.length > cause.length ? `, the first ${cause.length} under "cause"` : "";
  return {
    id: "oex-document-invalid",
    message: `The document breaks the rules of its format in ${problems.length} places${more}.`,
    cause,
  };
}
