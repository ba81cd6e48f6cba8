import { inspect } from "node:util";
import type { Log } from "../../plugin/log.js";
import type { HostLink } from "./host-link.js";

const maximumMessage = 8000;
const maximumFields = 32_000;

/** The plugin's log; the host adds plugin, version, process and request to each line. */
export function remoteLog(link: Pick<HostLink, "log">): Log {
  const write =
    (level: "debug" | "info" | "warn" | "error") => (message: string, fields?: Record<string, unknown>) =>
      link.log({
        level,
        message: String(message).slice(0, maximumMessage),
        fields: fieldsAsJson(fields),
      });
  return { debug: write("debug"), info: write("info"), warn: write("warn"), error: write("error") };
}

/** Whatever somebody logs, it must neither fail nor be large. */
function fieldsAsJson(fields: Record<string, unknown> | undefined): string {
  if (fields === undefined) return "{}";
  try {
    const text = JSON.stringify(fields, (_key, value: unknown) =>
      value instanceof Error ? inspect(value) : typeof value === "bigint" ? String(value) : value,
    );
    return text.length <= maximumFields
      ? text
      : JSON.stringify({ fields: `${text.slice(0, maximumFields)}…` });
  } catch {
    return JSON.stringify({ fields: inspect(fields, { depth: 3 }).slice(0, maximumFields) });
  }
}
