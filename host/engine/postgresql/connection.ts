import type { ClientBase, QueryResult, QueryResultRow } from "pg";
import { to as copyTo } from "pg-copy-streams";
import { withTimeout } from "../../system/time.js";
import { failureOf, StatementTimeout } from "./database-errors.js";

/** The first column of some rows, which is `bytea`. */
export interface CopiedBytes {
  rows: number;
  /** In the order of the rows; one row can be several pieces. */
  pieces: Buffer[];
}

/** A connection to the database; each statement has a time limit. */
export class Connection {
  /** `limit`: milliseconds. */
  constructor(
    private readonly client: ClientBase,
    private readonly limit: number,
  ) {}

  /** Runs one statement; the type of its rows follows from its text. */
  query<Row extends QueryResultRow>(
    text: string,
    values: readonly unknown[] = [],
    limit = this.limit,
  ): Promise<QueryResult<Row>> {
    // Without values, a text may be several statements.
    const sent = values.length === 0 ? undefined : [...values];
    return limited(this.client.query<Row>(text, sent), limit);
  }

  /** A quoted text for statements without parameters. */
  quoted(text: string): string {
    return this.client.escapeLiteral(text);
  }

  /**
   * The bytes of a query with one column `bytea`. As binary COPY, because results of other statements pass as hexadecimal
   * text, which costs four times as much.
   */
  copy(query: string): Promise<CopiedBytes> {
    const copying = this.client.query(copyTo(`COPY (${query}) TO STDOUT (FORMAT binary)`));
    return limited(collect(copying), this.limit);
  }
}

/** The only row of a statement that always returns one. */
export function only<T>([first]: readonly T[]): T {
  if (first === undefined) throw new Error("A statement returned no row");
  return first;
}

/** An answer of `pg`; rejects with `StatementTimeout` after `limit` milliseconds. */
export async function limited<T>(answer: Promise<T>, limit: number): Promise<T> {
  const late = (): never => {
    throw new StatementTimeout(`The engine did not answer within ${Math.round(limit)} ms`);
  };
  try {
    return await withTimeout(answer, limit, late);
  } catch (error) {
    throw failureOf(error);
  }
}

/** Bytes of the header of binary COPY: signature, flags, length of an extension that is never there. */
const headerLength = 19;
/** Of a row: the number of its columns, the length of the only one. */
const rowHeaderLength = 6;

/** Reads binary COPY (manual of PostgreSQL, COPY, "Binary Format"). */
async function collect(source: AsyncIterable<Buffer>): Promise<CopiedBytes> {
  const copied: CopiedBytes = { rows: 0, pieces: [] };
  let rest: Buffer = Buffer.alloc(0);
  let toSkip = headerLength;
  /** Of the current row. */
  let left = 0;
  for await (const piece of source) {
    const bytes = rest.length === 0 ? piece : Buffer.concat([rest, piece]);
    let at = Math.min(toSkip, bytes.length);
    toSkip -= at;
    while (at < bytes.length) {
      if (left > 0) {
        const part = bytes.subarray(at, at + left);
        copied.pieces.push(part);
        left -= part.length;
        at += part.length;
      } else if (bytes.length - at >= rowHeaderLength) {
        left = bytes.readInt32BE(at + 2);
        at += rowHeaderLength;
        copied.rows += 1;
      } else break; // the rest of a row's header, or the mark of the end
    }
    rest = bytes.subarray(at);
  }
  return copied;
}
