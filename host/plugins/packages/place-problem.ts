/** A sentence part for admins that names no path; the log has the whole error. */
export function describeProblem(error: unknown): string {
  // Errors of the system read "CODE: what it means, operation 'path'".
  if (isSystemError(error)) return error.message.split(", ")[0] ?? error.code;
  return "of an error inside the host, which its log describes";
}

/** What kept a file from being found, read or written, with the system's code. */
export function isSystemError(error: unknown): error is Error & { code: string } {
  return error instanceof Error && "syscall" in error && "code" in error && typeof error.code === "string";
}
