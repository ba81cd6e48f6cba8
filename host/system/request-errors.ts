/** Errors for requests, shared by several parts of the host. */
import { type Log, RequestError, shortened } from "@slipway/sdk";
import { errorCode, Rejection } from "./errors.js";

/** 404 `request-not-found` for a plugin, with the names of the existing ones. */
export function pluginNotFound(plugin: string, names: readonly string[]): RequestError {
  return new RequestError({
    id: "request-not-found",
    code: 404,
    message: `There is no plugin "${plugin.slice(0, 80)}". Check its name.`,
    additionalInformation: { plugins: names },
  });
}

/** 415 that names the accepted types. */
export function unsupportedMediaType(received: string, accepted: readonly string[]): RequestError {
  return new RequestError({
    id: "request-unsupported-media-type",
    code: 415,
    message: `The content type ${received === "" ? "is missing" : `"${shortened(received, 100)}" is not supported`}; send ${accepted.join(", ")}.`,
    additionalInformation: { accepted },
  });
}

/** 503 `request-overloaded`: there is too much of something; `seconds` until another try makes sense. */
export function overloaded(message: string, seconds = 1): RequestError {
  const headers = { "Retry-After": String(seconds) };
  return new RequestError({ id: "request-overloaded", code: 503, message, headers });
}

/** 503 `engine-unavailable`: the engine cannot be reached; the log and `/readyz` report the outage. */
export function engineUnavailable(): RequestError {
  return new RequestError({
    id: "engine-unavailable",
    code: 503,
    message: "The host cannot reach the database of its sessions, files and jobs at the moment. Try again.",
    headers: { "Retry-After": "2" },
  });
}

export function isEngineUnavailable(error: unknown): boolean {
  return error instanceof RequestError && error.id === "engine-unavailable";
}

/** Logs an error, except an outage of the engine, which `Availability` logs once. */
export function logUnlessOutage(log: Pick<Log, "error">, message: string, error: unknown): void {
  if (!isEngineUnavailable(error)) log.error(message, { error });
}

/** Codes of the system for "no room": the disk, the user's share of it, the size of a file, the number of open files. */
const noRoom = new Set(["ENOSPC", "EDQUOT", "EFBIG", "EMFILE", "ENFILE"]);
/** Codes for a disk that rejects all writes. */
const broken = new Set(["EROFS", "EIO", "ENXIO", "ENODEV", "ESTALE", "ENOTCONN"]);
/** Codes for a folder of the host that was removed or closed. */
const takenAway = new Set(["EACCES", "EPERM", "ENOENT", "ENOTDIR"]);

/** Why the disk cannot be written, as a part of a sentence; undefined for errors with other causes. */
export function storageProblem(error: unknown): string | undefined {
  const code = errorCode(error) ?? "";
  if (noRoom.has(code)) return "there is no room";
  return broken.has(code) ? `the disk cannot be written (${code})` : undefined;
}

/** The same for a folder of the host, including its removal and its permissions. */
export function ownStorageProblem(error: unknown): string | undefined {
  const code = errorCode(error) ?? "";
  const problem = storageProblem(error);
  return problem ?? (takenAway.has(code) ? `the folder of the host cannot be written (${code})` : undefined);
}

/** Nothing can be stored at present; the content to store is not the reason. */
export class StorageRejection extends Rejection {}

/**
 * 503 `request-overloaded` for a failure to write into a folder of the host because of the disk or the folder; every other error
 * unchanged. `outcome` ends the sentence for the client.
 */
export function storageError(error: unknown, outcome = "nothing was changed"): unknown {
  if (ownStorageProblem(error) === undefined) return error;
  const isFull = noRoom.has(errorCode(error) ?? "");
  return new RequestError({
    id: "request-overloaded",
    code: 503,
    message: isFull
      ? `The disk of the host is full; ${outcome}. Try again later, or tell the admin.`
      : `The host cannot write to its disk at the moment; ${outcome}. Try again later, or tell the admin.`,
    headers: { "Retry-After": "60" },
    reason: error,
  });
}

/** The result of writing into the host's own folder; rejects with `storageError`. */
export function stored<T>(writing: Promise<T>): Promise<T> {
  return writing.catch((error: unknown) => {
    throw storageError(error);
  });
}
