import type { StoreTemplates } from "@slipway/sdk";

const longestReason = 300;

/** What came of asking a template store: `ok`, `ok; omitted=2`, or `failed; reason="The store answered with status 500."`. */
export function storeHeader({ failure, omitted }: StoreTemplates): string {
  if (failure !== undefined) return `failed; reason="${quotable(failure)}"`;
  return omitted === 0 ? "ok" : `ok; omitted=${omitted}`;
}

/** What a quoted string of a header can hold. */
function quotable(text: string): string {
  return text
    .replace(/["\\]/g, "'")
    .replace(/[^\x20-\x7e]/gu, "?")
    .slice(0, longestReason);
}
