import { RequestError } from "@slipway/sdk";
import { Rejection } from "../../system/errors.js";
import { StorageRejection } from "../../system/request-errors.js";
import { describeProblem } from "../packages/plugin-files.js";
import type { Refusal } from "./switch-store.js";

/** An error of this host as other hosts and clients are told; the log has the whole error. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Rejection)
    return { reason: error.message, isOfContent: !(error instanceof StorageRejection) };
  if (error instanceof RequestError) return { reason: error.message, isOfContent: false };
  return { reason: `it fails because ${describeProblem(error)}`, isOfContent: false };
}
