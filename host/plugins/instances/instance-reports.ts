import { type Check, type Log, Validator } from "@slipway/sdk";
import { LogLine, MetricsReport, ProgressNote } from "@slipway/sdk/runtime";
import { logWith } from "../../observability/log.js";
import type { PluginMeasures } from "../../observability/measures.js";
import { isJsonObject, parsedJson } from "../../system/json.js";
import { monotonicTime } from "../../system/time.js";
import { requestOfPrinted } from "./messages.js";

const checkLine: Check<LogLine> = new Validator({ lazy: true }).compile(LogLine, "log");
const linesPerSecond = 200;

/** Logs the messages and output of an instance. Lines above the rate limit are dropped. */
export class InstanceLog {
  private second = 0;
  private lines = 0;
  private dropped = 0;

  private readonly own: Log;

  /** `logOf` returns the log of a request, by its number in the instance. */
  constructor(
    log: Log,
    private readonly facts: { plugin: string; processId: number | undefined },
    private readonly logOf: (request: number) => Log | undefined,
  ) {
    this.own = logWith(log, facts);
  }

  /** Logs a line received over the channel. */
  write(values: unknown): void {
    const result = checkLine(values);
    if (!result.ok || !this.allowed()) return;
    const { level, message, fields, request } = result.value;
    this.during(request)[level](message, parsed(fields));
  }

  /** Logs a line that the plugin printed. */
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

/** Fields that collide with members of a log line are nested below `fields`. */
function parsed(fields: string): Record<string, unknown> {
  const value = parsedJson(fields);
  if (!isJsonObject(value)) return { fields: value ?? fields };
  return ["level", "time", "msg"].some((name) => name in value) ? { fields: value } : value;
}

const checkProgress: Check<ProgressNote> = new Validator({ lazy: true }).compile(ProgressNote, "progress");

/** How far a request is; undefined for a note that is not valid. */
export function readProgress(values: unknown): ProgressNote | undefined {
  const result = checkProgress(values);
  return result.ok ? result.value : undefined;
}

const checkReport: Check<MetricsReport> = new Validator({ lazy: true }).compile(MetricsReport, "metrics");

/** Twice the rate at which an instance reports. */
const reportsPerSecond = 2;

/** Receives the metrics reports of an instance. Reports above the rate limit are ignored. */
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

  /** Takes a report received over the channel. */
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
