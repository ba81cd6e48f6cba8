import type { Log } from "../../plugin/log.js";
import type { Clock } from "../../runtime/calls/work.js";
import type { LogLine } from "../../runtime/messages/request-messages.js";
import { remoteLog } from "../../runtime/plugin/remote-session.js";
import type { TestLogLine } from "../test-host.js";

/** Whom a line is about. */
export type LogFacts = Pick<TestLogLine, "plugin" | "requestId">;

/** The lines of all plugins of a test host. */
export class CollectedLog {
  readonly lines: TestLogLine[] = [];

  constructor(private readonly clock: Clock) {}

  /** Adds a line as a plugin sends it. */
  add({ level, message, fields }: Omit<LogLine, "request">, facts: LogFacts): void {
    const parsed: Record<string, unknown> = JSON.parse(fields);
    this.lines.push({ time: new Date(this.clock.now()), level, message, fields: parsed, ...facts });
  }

  /** A log whose lines carry a context. */
  of(facts: LogFacts): Log {
    return remoteLog({ log: (line) => this.add(line, facts) });
  }
}
