import { type Log, type SuppressedError, suppressedError } from "@slipway/sdk";
import type { Claim } from "./finish-messages.js";

/** What a client and the log are told of a tagged report that does not say that it conforms to PDF/UA-1. */
export function missingClaim(claim: Claim | undefined, log: Log): SuppressedError[] {
  if (claim === undefined || claim.made) return [];
  const { findings } = claim;
  const [first] = findings;
  if (first === undefined) {
    log.info("A report is not marked as accessible, because an attachment is not.");
    return [];
  }
  log.warn("A report is not marked as accessible.", { findings });
  const place = first.page === undefined ? "" : `page ${first.page}: `;
  return [
    suppressedError({
      id: "document-not-accessible",
      message: `The PDF does not say that it is accessible (PDF/UA-1): ${place}${first.message}`,
      scope: "WARN",
      additionalInformation: { findings },
    }),
  ];
}
