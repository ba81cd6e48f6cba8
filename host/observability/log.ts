import type { Log } from "@slipway/sdk";
import { destination, type Logger, pino } from "pino";
import type { LogConfiguration } from "../configuration/host-configuration.js";
import { isJsonObject, parsedJson } from "../system/json.js";
import { localTime, printable, printableLines } from "../system/terminal-text.js";

/** The log of the host. */
export interface HostLog extends Log {
  /** Writes what is still buffered; for the end of the process. */
  flush(): void;
  /** Writes lines of this level and of more severe ones from now on. */
  setLevel(level: LogConfiguration["level"]): void;
}

/** One JSON object or text per line on standard error; standard output belongs to the answers of commands. */
export function createLog({ level, format }: LogConfiguration): HostLog {
  const output = destination({ dest: 2, sync: false });
  // Requests are answered even if the log has lost its reader (EPIPE).
  output.on("error", () => undefined);
  const isText = format === "text" || (format === "auto" && process.stderr.isTTY);
  const texts = { write: (line: string) => void output.write(readableLine(line)) };
  const logger = pino({ level, base: null, errorKey: "error" }, isText ? texts : output);
  const setLevel = (next: LogConfiguration["level"]): void => {
    logger.level = next;
  };
  return { ...asLog(logger), flush: () => flush(output), setLevel };
}

/** A log that adds the same fields to every line; they win over fields of the line. */
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

/** By pino's numbers. */
const levels: Readonly<Record<number, string>> = {
  20: "debug",
  30: "info",
  40: "WARN",
  50: "ERROR",
  60: "FATAL",
};

/** A JSON line as one for people: time of this machine, level, message, the rest as `name=value`, stacks below. */
function readableLine(json: string): string {
  const line = parsedJson(json);
  if (!isJsonObject(line)) return json;
  const { level, time, msg, error, ...rest } = line;
  const clock = localTime(Number(time)).split(" ").at(-1) ?? "";
  const { shown, stack } = readableError(error);
  const facts = Object.entries({ ...rest, ...(shown !== undefined && { error: shown }) });
  const head = [
    clock,
    (levels[Number(level)] ?? "").padEnd(5),
    printable(String(msg ?? "")),
    ...facts.map(fact),
  ];
  return `${head.join(" ")}\n${stack === "" ? "" : `${printableLines(stack)}\n`}`;
}

function fact([name, value]: [string, unknown]): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  const plain = printable(text);
  return `${printable(name)}=${/^[^\s"=]+$/.test(plain) ? plain : JSON.stringify(plain)}`;
}

function readableError(error: unknown): { shown: unknown; stack: string } {
  if (!isJsonObject(error) || typeof error["stack"] !== "string") return { shown: error, stack: "" };
  return { shown: undefined, stack: error["stack"].replace(/^/gm, "    ") };
}
