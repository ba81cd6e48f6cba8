import { Rejection } from "../../system/rejection.js";
import { StorageRejection, storageProblem } from "../../system/storage-error.js";
import { describeProblem } from "../packages/place-problem.js";

/** Why a content was not staged. */
export interface Refusal {
  /** For admins. */
  reason: string;
  /** The content is at fault and has to change; the host, which tries again when somebody asks; or its disk, which may have room soon. */
  fault: "content" | "host" | "disk";
}

/** What an error of staging means. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof StorageRejection)
    return { reason: `${error.message}; it is tried again`, fault: "disk" };
  const problem = storageProblem(error) ?? (error instanceof Error ? storageProblem(error.cause) : undefined);
  if (problem !== undefined)
    return { reason: `${problem} to store the plugin; it is tried again`, fault: "disk" };
  if (error instanceof Rejection) return { reason: error.message, fault: "content" };
  return { reason: `it could not be staged: ${describeProblem(error)}`, fault: "host" };
}
