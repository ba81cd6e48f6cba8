/** Checks whole OEX documents against the schema of their type and version, and against the rules beyond it. */
import { XmlSchema } from "@slipway/sdk";
import { type DocumentProblem, DocumentProblems } from "./document-element.js";
import { DocumentRules } from "./document-rules.js";
import { formats, schemaName } from "./format-versions.js";
import { readDocument, UnreadableDocument } from "./read-document.js";

export type { DocumentProblem } from "./document-element.js";

export interface CheckOptions {
  /**
   * Documents up to this many bytes are validated against the schema, which blocks and takes ten times their size in
   * memory. Larger ones are checked against the rules only and get a problem of the rule `schema-skipped`. Default: 32
   * MiB.
   */
  schemaLimit?: number;
  /** Maximum number of rule problems listed; further ones are only counted. Default: 200. */
  problemLimit?: number;
}

/** Rule of the problem for a document that is too large for the schema. */
export const schemaSkipped = "schema-skipped";

/** Holds the compiled schemas. Use one checker for many documents and dispose of it. */
export class OexChecker {
  readonly #schemas: ReadonlyMap<string, XmlSchema>;

  private constructor(schemas: ReadonlyMap<string, XmlSchema>) {
    this.#schemas = schemas;
  }

  /** `schemas`: the text of every schema file by its name. Throws if one is missing or broken. */
  static async create(schemas: ReadonlyMap<string, string>): Promise<OexChecker> {
    const compiled = new Map<string, XmlSchema>();
    try {
      for (const name of formats.map(schemaName)) compiled.set(name, await XmlSchema.compile(name, schemas));
    } catch (error) {
      for (const schema of compiled.values()) schema.dispose();
      throw error;
    }
    return new OexChecker(compiled);
  }

  /**
   * Reads a document of any size to its end. An empty list means that it conforms to the format. Schema problems come
   * first, others in the order found. If the document is not XML, that is the last problem.
   */
  async check(
    document: AsyncIterable<Uint8Array> | Uint8Array,
    { schemaLimit = 32 * 1024 * 1024, problemLimit = 200 }: CheckOptions = {},
  ): Promise<DocumentProblem[]> {
    const problems = new DocumentProblems(problemLimit);
    const rules = new DocumentRules(problems);
    const kept = new KeptBytes(schemaLimit);
    try {
      await readDocument(kept.of(document instanceof Uint8Array ? [document] : document), rules);
    } catch (error) {
      if (!(error instanceof UnreadableDocument)) throw error;
      problems.report("readable", error, undefined, error.message);
      return problems.list();
    }
    return [...this.#validate(rules, kept), ...problems.list()];
  }

  #validate({ format }: DocumentRules, kept: KeptBytes): DocumentProblem[] {
    if (format === undefined) return [];
    const place = { line: 1, item: undefined };
    if (kept.bytes === undefined) {
      const message = `${kept.size} bytes are too many to be validated against ${schemaName(format)}`;
      return [{ ...place, rule: schemaSkipped, message }];
    }
    const found = this.#schemas.get(schemaName(format))?.validate(kept.bytes) ?? [];
    return found.map((problem) => ({ ...place, rule: "schema", ...problem }));
  }

  dispose(): void {
    for (const schema of this.#schemas.values()) schema.dispose();
  }
}

/** Passes pieces through and keeps them up to the limit. */
class KeptBytes {
  size = 0;
  readonly #limit: number;
  #pieces: Uint8Array[] | undefined = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  async *of(pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const piece of pieces) {
      this.size += piece.byteLength;
      if (this.size > this.#limit) this.#pieces = undefined;
      this.#pieces?.push(piece);
      yield piece;
    }
  }

  /** The whole document; undefined if it exceeds the limit. */
  get bytes(): Uint8Array | undefined {
    return this.#pieces === undefined ? undefined : Buffer.concat(this.#pieces);
  }
}
