/** A piece of a message that may be large: text as UTF-8, or bytes. */
export type Part = Uint8Array | string;

/** What a call or its answer carries: small values, and parts for everything that may be large. */
export interface Message {
  values: Record<string, unknown>;
  parts: Part[];
}

/** A message that came in. */
export interface Received {
  values: Record<string, unknown>;
  parts: Buffer[];
}
