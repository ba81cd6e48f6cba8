/** Work by the clock: the host runs it when it is due, without a request. */
import type { Log } from "./handler-context.js";
import type { Duration } from "./route.js";

/** What a scheduled run gets. There is no session, and no client that waits. */
export interface ScheduleContext {
  /** Aborts at the timeout, and when the version or the host stops. */
  signal: AbortSignal;
  /** Writes log lines with the plugin, the schedule and the id of the run. */
  log: Log;
  /** The time at which the run was due; it may begin later. */
  due: Date;
  /**
   * How many due times passed without a run since the last one, because the host was down, the plugin was not live or the last
   * run still went on; at most 100.
   */
  missed: number;
}

/** Options of `schedule`. */
export interface ScheduleOptions {
  /** Unique in the plugin: a letter, then at most 99 letters, digits, "_" or "-". The host remembers the last run by it. */
  name: string;
  /**
   * Minute, hour, day of the month, month and day of the week, such as "30 2 * * MON-FRI"; a field before them may give
   * seconds. Fields have numbers, names of months and days, "*", ",", "-" and "/". If both days are limited, either will do.
   */
  cron: string;
  /** IANA time zone of the expression, such as "Europe/Berlin"; default "UTC". */
  timeZone?: string;
  /** One sentence for admins. */
  summary: string;
  /** Timeout of one run; default 5 minutes. */
  timeout?: Duration;
  /** Does one run; what it returns is ignored. A thrown error is logged and ends this run only. */
  handler(context: ScheduleContext): void | Promise<void>;
}

/** A schedule for the host. */
export interface Schedule {
  /** Identifies the object, independent of the copy of the SDK that created it. */
  readonly kind: "slipway-schedule";
  /** Unique in the plugin. */
  name: string;
  /** Five fields, or six with seconds. */
  cron: string;
  /** IANA time zone of the expression. */
  timeZone: string;
  /** One sentence for admins. */
  summary: string;
  /** Timeout of one run, if any. */
  timeout: Duration | undefined;
  /** Does one run. */
  handler(context: ScheduleContext): void | Promise<void>;
}

/**
 * Defines work that the host runs by the clock; `setup` returns it in `schedules`. Only the live version of a plugin runs, and
 * one run of a schedule at a time. A host refuses to start a version whose expression or time zone is not valid.
 *
 * @example
 * ```ts
 * schedules: [
 *   schedule({
 *     name: "prices",
 *     cron: "30 2 * * MON-FRI",
 *     timeZone: "Europe/Berlin",
 *     summary: "Fetches the prices of the day.",
 *     async handler({ due, log }) {
 *       await host.store.set("prices/fetched", due.toISOString());
 *       log.info("The prices are there");
 *     },
 *   }),
 * ],
 * ```
 */
export function schedule(options: ScheduleOptions): Schedule {
  const { name, cron, timeZone = "UTC", summary, timeout, handler } = options;
  return { kind: "slipway-schedule", name, cron, timeZone, summary, timeout, handler };
}
