/** What errors of PostgreSQL and of the connection to it mean; the codes are those of its manual, appendix A. */
import { errorCode } from "../../system/errors.js";
import { engineUnavailable, overloaded } from "../../system/request-errors.js";

/** A statement did not end in time; the fate of what it writes is unknown. */
export class StatementTimeout extends Error {
  override readonly name = "StatementTimeout";
}

const networkCodes = /^(?:ECONN|EPIPE|ETIMEDOUT|EHOST|ENET|ENOTFOUND|EAI_)/;
/** Classes and codes: connection, shutdown, too many connections, read-only server. */
const unavailable = /^(?:08|57P0[123]|53300|25006)/;
/** Wrong credentials, and a database that is not there. */
const refusals = /^(?:28|3D000)/;
const noRoom: ReadonlySet<string> = new Set(["53100", "53200"]);
const conflicts: ReadonlySet<string> = new Set(["40001", "40P01"]);

/** What `pg` says without a code where a connection ended or could not be had. */
const lostConnection = /^(?:Connection terminated|Client has encountered a connection error)/;

/** The engine cannot be reached, or does not serve at present. */
export function isConnectionError(error: unknown): boolean {
  if (error instanceof StatementTimeout) return true;
  const code = errorCode(error) ?? "";
  if (networkCodes.test(code) || unavailable.test(code) || isRefusal(error)) return true;
  return code === "" && error instanceof Error && lostConnection.test(error.message);
}

/** The engine answers, but does not let the host in: an admin has to do something. */
export function isRefusal(error: unknown): boolean {
  return refusals.test(errorCode(error) ?? "");
}

/** Nothing was changed, because of a concurrent transaction: the same work again can succeed. */
export function isConflict(error: unknown): boolean {
  return conflicts.has(errorCode(error) ?? "");
}

/** The row that a new one refers to is gone. */
export function isForeignKeyMissing(error: unknown): boolean {
  return errorCode(error) === "23503";
}

/** The same thing was created at the same time, by another transaction. */
export function isDuplicate(error: unknown): boolean {
  return /^(?:23505|42P0[67])$/.test(errorCode(error) ?? "");
}

/** The error for clients: 503 where the engine is the reason, every other one as it is. */
export function databaseError(error: unknown): unknown {
  if (isConnectionError(error)) return engineUnavailable();
  if (!noRoom.has(errorCode(error) ?? "")) return error;
  return overloaded("The engine has no room left to store anything; nothing was changed.", 60);
}
