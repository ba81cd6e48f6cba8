/** Lines of the log for people at a terminal. */

import { isJsonObject } from "./json-object.js";
import { parsedJson } from "./parsed-json.js";
import { printable, printableLines } from "./terminal-text.js";

/** By pino's numbers. */
const levels: Readonly<Record<number, string>> = {
  20: "debug",
  30: "info",
  40: "WARN",
  50: "ERROR",
  60: "FATAL",
};

/** A JSON line as one for people: time of this machine, level, message, the rest as `name=value`, stacks below. */
export function readableLine(json: string): string {
  const line = parsedJson(json);
  if (!isJsonObject(line)) return json;
  const { level, time, msg, error, ...rest } = line;
  const clock = new Date(Number(time)).toLocaleTimeString("sv-SE");
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
