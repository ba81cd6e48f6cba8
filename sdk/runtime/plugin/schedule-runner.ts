/** The schedules of a plugin: checked, described for the host, and run. */
import type { Log } from "../../plugin/handler-context.js";
import type { Schedule } from "../../plugin/schedule.js";
import { isOfKind } from "../../schema/record.js";
import { type Message, plain } from "../messages/message.js";
import type { ScheduleDescription } from "../messages/plugin-description.js";
import type { Run } from "../messages/request-messages.js";
import { runHandler } from "./handler-errors.js";
import { milliseconds, namePattern, requireSummary } from "./prepared-handlers.js";

/** Runs the schedules of a plugin for the host. */
export class ScheduleRunner {
  constructor(
    private readonly log: Log,
    private readonly schedules: ReadonlyMap<string, Schedule>,
  ) {}

  /** Resolves without content when the handler is done. Rejects with a `RequestError`. */
  async run(call: Run, signal: AbortSignal): Promise<Message> {
    const { schedule: name, request, due, missed } = call;
    const schedule = this.schedules.get(name);
    if (schedule === undefined) throw new Error(`There is no schedule ${name}.`);
    return await runHandler(`Schedule ${name}`, { request, signal }, this.log, async () => {
      const context = { signal, log: this.log, due: new Date(due), missed };
      await Reflect.apply(schedule.handler, schedule, [context]);
      return plain;
    });
  }
}

/** The schedules of a plugin by name. Throws on the first error; the host checks expressions and time zones. */
export function preparedSchedules(schedules: unknown): Map<string, Schedule> {
  const prepared = new Map<string, Schedule>();
  if (schedules === undefined) return prepared;
  if (!Array.isArray(schedules)) throw new Error("`schedules` must be a list");
  for (const [index, schedule] of schedules.entries()) {
    if (!isSchedule(schedule)) throw new Error(`schedules[${index}] was not made with \`schedule\``);
    const { name, cron, timeZone, summary } = schedule;
    if (typeof name !== "string" || !namePattern.test(name))
      throw new Error(
        `\`schedules[${index}].name\` must be a letter, then letters, digits, "_" or "-", but is ${JSON.stringify(name)}`,
      );
    if (prepared.has(name)) throw new Error(`There are two schedules named ${name}`);
    for (const [field, value] of Object.entries({ cron, timeZone }))
      if (typeof value !== "string" || value.length > 200)
        throw new Error(
          `The schedule ${name}: \`${field}\` must be a text of at most 200 characters, but is ${JSON.stringify(value)}`,
        );
    requireSummary(`The schedule ${name}`, summary);
    prepared.set(name, schedule);
  }
  return prepared;
}

/** The description of a schedule for the host. Throws for an invalid timeout. */
export function describeSchedule({ name, cron, timeZone, summary, timeout }: Schedule): ScheduleDescription {
  const limit = milliseconds(`The schedule ${name}`, timeout);
  return { name, cron, timeZone, summary, ...(limit === undefined ? {} : { timeout: limit }) };
}

function isSchedule(value: unknown): value is Schedule {
  return isOfKind(value, "slipway-schedule", "handler");
}
