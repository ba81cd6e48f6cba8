import type { Received } from "../messages/message.js";

/** The JSON of an answer's first part. The host is trusted: what it sends has the type that the protocol says. */
export function fromHost<T>({ parts }: Received): T {
  const value: T = JSON.parse(firstPart(parts).toString("utf8"));
  return value;
}

/** The same where no part stands for nothing. */
export function foundByHost<T>(received: Received): T | undefined {
  return received.parts.length === 0 ? undefined : fromHost<T>(received);
}

/** The first part of an answer, which has to have one. */
export function firstPart(parts: Buffer[]): Buffer {
  const [first] = parts;
  if (first === undefined) throw new Error("The host's answer lacks its content.");
  return first;
}
