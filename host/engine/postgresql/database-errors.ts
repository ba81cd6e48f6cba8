/** Classifies errors of PostgreSQL and its connection, by the codes in appendix A of its manual. */
import { DatabaseError } from "pg";
import { engineUnavailable, overloaded } from "../../system/request-errors.js";

/** A statement did not end in time; the fate of what it writes is unknown. */
export class StatementTimeout extends Error {
  override readonly name = "StatementTimeout";
}

/** There was no connection, or it ended before the server answered. */
class ConnectionFailure extends Error {
  override readonly name = "ConnectionFailure";
}

/** Classes and codes: connection, shutdown, too many connections, read-only server. */
const unavailable = /^(?:08|57P0[123]|53300|25006)/;
/** Wrong credentials, or a missing database. */
const refusals = /^(?:28|3D000)/;
const noRoom: ReadonlySet<string> = new Set(["53100", "53200"]);
const conflicts: ReadonlySet<string> = new Set(["40001", "40P01"]);

/**
 * Errors of `pg` by their origin: any error that neither comes from the server nor is a wrong call concerns the connection, whatever
 * its message.
 */
export function failureOf(error: unknown): unknown {
  const isKnown = error instanceof DatabaseError || error instanceof StatementTimeout;
  const isMistake = error instanceof TypeError || error instanceof RangeError;
  if (isKnown || isMistake || !(error instanceof Error)) return error;
  return new ConnectionFailure(error.message, { cause: error });
}

/** The engine cannot be reached, or does not serve at present. */
export function isConnectionError(error: unknown): boolean {
  if (error instanceof StatementTimeout || error instanceof ConnectionFailure) return true;
  return unavailable.test(sqlState(error)) || isRefusal(error);
}

/** The engine refuses this host: an admin has to act. */
export function isRefusal(error: unknown): boolean {
  return refusals.test(sqlState(error));
}

/** Nothing was changed, because of a concurrent transaction: the same work again can succeed. */
export function isConflict(error: unknown): boolean {
  return conflicts.has(sqlState(error));
}

/** The row that a new one refers to does not exist any more. */
export function isForeignKeyMissing(error: unknown): boolean {
  return sqlState(error) === "23503";
}

/** A concurrent transaction created the same. */
export function isDuplicate(error: unknown): boolean {
  return /^(?:23505|42P0[67])$/.test(sqlState(error));
}

/** The code of an error of the server, such as "23505"; empty for any other error. */
function sqlState(error: unknown): string {
  return error instanceof DatabaseError ? (error.code ?? "") : "";
}

/** The error for clients: 503 if the engine is the cause, else the same. */
export function databaseError(error: unknown): unknown {
  if (isConnectionError(error)) return engineUnavailable();
  if (!noRoom.has(sqlState(error))) return error;
  return overloaded(
    "The database of the host is full; nothing was changed. Try again later, or tell the admin.",
    60,
  );
}
