import type { Log } from "@slipway/sdk";
import { destination, type Logger, pino } from "pino";
import { readableLine } from "../system/readable-lines.js";

export const logLevels = ["debug", "info", "warn", "error", "silent"] as const;
export type LogLevel = (typeof logLevels)[number];

/** The log of the host, with a way to be sure that its last lines are written. */
export interface HostLog extends Log {
  /** Writes what is still buffered; for the end of the process. */
  flush(): void;
  /** Writes lines of this level and of more severe ones from now on. */
  setLevel(level: LogLevel): void;
}

export const logFormats = ["auto", "json", "text"] as const;

/** The section `log` of the configuration. */
export interface LogSettings {
  level: LogLevel;
  /** "auto": texts at a terminal, else JSON. */
  format: (typeof logFormats)[number];
}

/** One JSON object or text per line on standard error; standard output belongs to the answers of commands. */
export function createLog({ level, format }: LogSettings): HostLog {
  const output = destination({ dest: 2, sync: false });
  // When nobody reads the log any more (EPIPE), requests are answered all the same.
  output.on("error", () => undefined);
  const isText = format === "text" || (format === "auto" && process.stderr.isTTY);
  const texts = { write: (line: string) => void output.write(readableLine(line)) };
  const logger = pino({ level, base: null, errorKey: "error" }, isText ? texts : output);
  const setLevel = (next: LogLevel): void => {
    logger.level = next;
  };
  return { ...asLog(logger), flush: () => flush(output), setLevel };
}

/** A log that adds the same fields to every line; nothing that is logged takes their place. */
export function logWith(log: Log, fields: Record<string, unknown>): Log {
  return {
    debug: (message, more) => log.debug(message, { ...more, ...fields }),
    info: (message, more) => log.info(message, { ...more, ...fields }),
    warn: (message, more) => log.warn(message, { ...more, ...fields }),
    error: (message, more) => log.error(message, { ...more, ...fields }),
  };
}

function asLog(logger: Logger): Log {
  return {
    debug: (message, fields = {}) => logger.debug(fields, message),
    info: (message, fields = {}) => logger.info(fields, message),
    warn: (message, fields = {}) => logger.warn(fields, message),
    error: (message, fields = {}) => logger.error(fields, message),
  };
}

/** Fails while the destination is still opening, when there is nothing to write yet. */
function flush(output: ReturnType<typeof destination>): void {
  try {
    output.flushSync();
  } catch {
    output.end();
  }
}
