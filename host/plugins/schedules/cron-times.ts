import type { LiveSchedule } from "@slipway/sdk/runtime/host";
import { Cron } from "croner";
import { errorMessage } from "../../system/errors.js";

/** No more due times are counted: counting keeps the host busy, and expressions come from plugins. */
export const mostMissed = 100;

/** Extensions such as "L" and "@daily" are left out: plugins should mean the same with every library. */
const field = /^[\dA-Za-z*,/-]{1,100}$/;

/** The due times of a cron expression, in milliseconds since the epoch. */
export class CronTimes {
  private readonly cron: Cron;

  /** Throws with a sentence when expression or time zone are not valid, or nothing will ever be due. */
  constructor({ name, cron, timeZone }: Pick<LiveSchedule, "name" | "cron" | "timeZone">) {
    const fields = cron.trim().split(/\s+/);
    if (!isTimeZone(timeZone))
      throw new Error(
        `The schedule ${name}: \`timeZone\` must be an IANA time zone such as "Europe/Berlin", but is ${JSON.stringify(timeZone)}.`,
      );
    const expected = `The schedule ${name}: \`cron\` must be an expression of five fields such as "30 2 * * *", but is ${JSON.stringify(cron)}`;
    if ((fields.length !== 5 && fields.length !== 6) || !fields.every((each) => field.test(each)))
      throw new Error(`${expected}.`);
    try {
      this.cron = new Cron(fields.join(" "), { paused: true, timezone: timeZone, mode: "5-or-6-parts" });
    } catch (error) {
      throw new Error(`${expected}: ${errorMessage(error).replace(/^CronPattern: |\.$/g, "")}.`, {
        cause: error,
      });
    }
    if (this.next(Date.now()) === undefined) throw new Error(`${expected}, which is never due.`);
  }

  /** The first due time after another time; undefined when there is none. */
  next(after: number): number | undefined {
    return this.cron.nextRun(new Date(after))?.getTime();
  }

  /** How many due times are after one time and not after another, and the last of those; counts up to `mostMissed`. */
  between(after: number, until: number): { count: number; last: number | undefined } {
    let last: number | undefined;
    let count = 0;
    for (let next = this.next(after); next !== undefined && next <= until; next = this.next(next)) {
      last = next;
      count += 1;
      if (count === mostMissed) break;
    }
    return { count, last };
  }
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}
