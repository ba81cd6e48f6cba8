/** Schemas of settings that are whole numbers. */
import { Type } from "@slipway/sdk";

/** The largest time that a timer takes, in milliseconds. */
const longestTimer = 2_147_483_647;

/** A whole number within a range; without a maximum, any from the minimum on. */
export function Integer(
  [minimum, maximum]: readonly [minimum: number, maximum?: number],
  fallback: number,
  description: string,
  more: { readonly live?: true } = {},
) {
  return Type.Integer({
    minimum,
    ...(maximum !== undefined && { maximum }),
    default: fallback,
    description,
    ...more,
  });
}

/** A time in milliseconds that a timer can take. */
export function Milliseconds(
  fallback: number,
  description: string,
  { minimum = 1, ...more }: { minimum?: number; readonly live?: true } = {},
) {
  return Integer([minimum, longestTimer], fallback, description, more);
}

/** A number of things, or of bytes. */
export function Count(fallback: number, description: string, minimum = 1) {
  return Integer([minimum, Number.MAX_SAFE_INTEGER], fallback, description);
}
