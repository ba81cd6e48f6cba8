import { type Check, type Log, Validator } from "@slipway/sdk";
import { LogLine, MetricsReport } from "@slipway/sdk/runtime";
import { logWith } from "../../observability/log.js";
import type { PluginMeasures } from "../../observability/measures.js";
import { isJsonObject, parsedJson } from "../../system/json.js";
import { monotonicTime } from "../../system/monotonic-time.js";
import { requestOfPrinted } from "./messages.js";

const checkLine: Check<LogLine> = new Validator({ lazy: true }).compile(LogLine, "log");
const linesPerSecond = 200;

/** Writes what an instance logs and prints. A plugin that logs without end loses lines, not the host its time. */
export class InstanceLog {
  private second = 0;
  private lines = 0;
  private dropped = 0;

  private readonly own: Log;

  /** `logOf` gives the log that names a request, by its number in the instance. */
  constructor(
    log: Log,
    private readonly facts: { plugin: string; processId: number | undefined },
    private readonly logOf: (request: number) => Log | undefined,
  ) {
    this.own = logWith(log, facts);
  }

  /** A line that came over the channel. */
  write(values: unknown): void {
    const result = checkLine(values);
    if (!result.ok || !this.allowed()) return;
    const { level, message, fields, request } = result.value;
    this.during(request)[level](message, parsed(fields));
  }

  /** A line that the plugin printed. */
  printed(line: string, stream: "stdout" | "stderr"): void {
    if (!this.allowed()) return;
    const { request, text } = requestOfPrinted(line);
    this.during(request).info(text, { stream });
  }

  private during(request: number | undefined): Log {
    const log = request === undefined ? undefined : this.logOf(request);
    return log === undefined ? this.own : logWith(log, this.facts);
  }

  private allowed(): boolean {
    const now = Math.floor(monotonicTime() / 1000);
    if (now !== this.second) {
      if (this.dropped > 0) this.own.warn(`${this.dropped} lines of the plugin were dropped`);
      this.second = now;
      this.lines = 0;
      this.dropped = 0;
    }
    this.lines += 1;
    if (this.lines > linesPerSecond) this.dropped += 1;
    return this.lines <= linesPerSecond;
  }
}

/** What would take the place of the line's own members is kept below a name of its own. */
function parsed(fields: string): Record<string, unknown> {
  const value = parsedJson(fields);
  if (!isJsonObject(value)) return { fields: value ?? fields };
  return ["level", "time", "msg"].some((name) => name in value) ? { fields: value } : value;
}

const checkReport: Check<MetricsReport> = new Validator({ lazy: true }).compile(MetricsReport, "metrics");

/** Twice of what an instance sends by itself. */
const reportsPerSecond = 2;

/** Takes what an instance says of its plugin's metrics. One that says it without end costs the host nothing. */
export class InstanceMetrics {
  private readonly plugin: { name: string; version: string };
  private second = 0;
  private reports = 0;

  constructor(
    { name, version }: { name: string; version: string },
    private readonly measures: PluginMeasures | undefined,
  ) {
    this.plugin = { name, version };
  }

  /** A report that came over the channel. */
  take(values: unknown): void {
    if (this.measures === undefined || !this.isAllowed()) return;
    const result = checkReport(values);
    if (result.ok) this.measures.reported(this.plugin, result.value);
  }

  private isAllowed(): boolean {
    const second = Math.floor(performance.now() / 1000);
    if (second !== this.second) this.reports = 0;
    this.second = second;
    this.reports += 1;
    return this.reports <= reportsPerSecond;
  }
}
