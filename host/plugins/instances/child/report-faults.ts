import { inspect } from "node:util";
import type { HostConnection } from "./host-connection.js";

const maximumDetail = 8000;

/**
 * An exception that nobody caught does not end the process at once: the requests that share it did nothing wrong. The
 * host hears of it, answers the request that it came from, and replaces this instance as soon as the others are done.
 */
export function reportFaults(connection: HostConnection): void {
  let reported = 0;
  const report = (error: unknown): void => {
    reported += 1;
    // One is enough to be replaced; a timer that throws for ever must not flood the host.
    if (reported <= 10)
      connection.fault({ kind: "exception", detail: inspect(error).slice(0, maximumDetail) });
  };
  process.on("uncaughtException", report);
  process.on("unhandledRejection", report);
  process.on("exit", (code) => {
    connection.fault({ kind: "exit", detail: `the plugin ended its process with exit code ${code}` });
  });
}
