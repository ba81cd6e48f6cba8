import { RequestError } from "@slipway/sdk";
import { errorCode } from "./error-code.js";

/** Codes of the system for "no room": the disk, the user's share of it, the size of a file, the number of open files. */
const noRoom = new Set(["ENOSPC", "EDQUOT", "EFBIG", "EMFILE", "ENFILE"]);

/** Whether the host has no room for what it should write. */
export function isOutOfRoom(error: unknown): boolean {
  const code = errorCode(error);
  return code !== undefined && noRoom.has(code);
}

/** A failure to write as 503 `request-overloaded` where the host has no room; every other error as it is. */
export function storageError(error: unknown): unknown {
  if (!isOutOfRoom(error)) return error;
  return new RequestError({
    id: "request-overloaded",
    code: 503,
    message: "The host has no room left to store anything; nothing was changed.",
    headers: { "Retry-After": "60" },
    reason: error,
  });
}
