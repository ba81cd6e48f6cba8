/** A transition that the table of stages does not allow is logged by the host; in tests it is an error. */

const isStageFault = (message: unknown): boolean =>
  typeof message === "string" && message.includes("the table of stages does not allow");

/** For journals of tests. */
export function failOnFault(message: string, fields: Record<string, unknown>): never {
  throw new Error(`${message}: ${JSON.stringify(fields)}`);
}

/** Throws when the log of a host tells of one. */
export function failOnStageFaults(lines: readonly Record<string, unknown>[]): void {
  const faults = lines.filter((line) => isStageFault(line["msg"] ?? line["message"]));
  if (faults.length > 0) throw new Error(JSON.stringify(faults, undefined, 2));
}
