/** How orders of admins end that cannot be carried out. */
import { RequestError } from "@slipway/sdk";

/** 409: as things stand. */
export function conflict(message: string): RequestError {
  return new RequestError({ id: "plugin-conflict", code: 409, message });
}

/** 404: for what is not there; `there` names what is. */
export function missing(message: string, there: Record<string, readonly string[]> = {}): RequestError {
  return new RequestError({ id: "request-not-found", code: 404, message, additionalInformation: there });
}

/** Throws the first failure of what had to end together. */
export function throwFailed(results: readonly PromiseSettledResult<unknown>[]): void {
  const failed = results.find(({ status }) => status === "rejected");
  if (failed?.status === "rejected") throw failed.reason;
}
