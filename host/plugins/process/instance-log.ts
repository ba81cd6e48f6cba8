import { type Check, type Log, Validator } from "@slipway/sdk";
import { LogLine } from "../protocol/messages.js";

const checkLine: Check<LogLine> = new Validator().compile(LogLine, "log");
const linesPerSecond = 200;

/** Writes what an instance logs and prints. A plugin that logs without end loses lines, not the host its time. */
export class InstanceLog {
  private second = 0;
  private lines = 0;
  private dropped = 0;

  constructor(private readonly log: Log) {}

  /** A line that came over the channel; `requestId` gives the id of a request by its number. */
  write(values: unknown, requestId: (request: number) => string | undefined): void {
    const result = checkLine(values);
    if (!result.ok || !this.allowed()) return;
    const { level, message, fields, request } = result.value;
    const id = request === undefined ? undefined : requestId(request);
    this.log[level](message, { ...parsed(fields), ...(id === undefined ? {} : { requestId: id }) });
  }

  /** A line that the plugin printed. */
  printed(text: string, stream: "stdout" | "stderr"): void {
    if (this.allowed()) this.log.info(text, { stream });
  }

  private allowed(): boolean {
    const now = Math.floor(Date.now() / 1000);
    if (now !== this.second) {
      if (this.dropped > 0) this.log.warn(`${this.dropped} lines of the plugin were dropped`);
      this.second = now;
      this.lines = 0;
      this.dropped = 0;
    }
    this.lines += 1;
    if (this.lines > linesPerSecond) this.dropped += 1;
    return this.lines <= linesPerSecond;
  }
}

function parsed(fields: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(fields);
    return typeof value === "object" && value !== null ? { ...value } : { fields: value };
  } catch {
    return { fields };
  }
}
