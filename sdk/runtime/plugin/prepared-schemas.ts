/** What routes and service methods have in common: schemas to compile, a time to read. */

import { errorMessage } from "../../errors.js";
import type { Duration } from "../../plugin/route.js";
import type { TSchema } from "../../schema.js";
import type { Check, Validator } from "../../validation.js";

/** A compiled schema. Throws, naming `owner` and `part`, when the schema is broken. */
export function compiled(
  validator: Validator,
  owner: string,
  part: string,
  schema: TSchema | undefined,
): Check<unknown> | undefined {
  if (schema === undefined) return undefined;
  try {
    return validator.compile(schema, part);
  } catch (error) {
    const detail = errorMessage(error);
    throw new Error(`${owner}: the schema of its ${part} is not valid: ${detail}`, { cause: error });
  }
}

const unitMilliseconds: Record<string, number> = { ms: 1, s: 1000, m: 60_000 };

/** A time limit in milliseconds. Throws, naming `owner`, when it is none. */
export function milliseconds(owner: string, timeout: Duration | undefined): number | undefined {
  if (timeout === undefined) return undefined;
  const value = typeof timeout === "number" ? timeout : durationText(timeout);
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw new Error(`${owner}: a timeout is a whole number of milliseconds or a text such as "10s"`);
}

function durationText(duration: Exclude<Duration, number>): number {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m)$/.exec(duration);
  return Math.round(Number(match?.[1]) * (unitMilliseconds[match?.[2] ?? ""] ?? Number.NaN));
}
