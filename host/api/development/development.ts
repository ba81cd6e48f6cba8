import { basename, sep } from "node:path";
import { inspect } from "node:util";
import type { PluginEvent } from "../../observability/events/plugin-event.js";
import type { HostLog } from "../../observability/log.js";
import type { PluginState } from "../../plugins/plugin-state.js";
import { takeFingerprint, watchingFailed } from "../../plugins/sources/sources.js";
import { installationFolder } from "../../system/installation.js";
import { RecentEntries } from "../../system/recent-entries.js";
import {
  type DevelopmentAnswer,
  type DevelopmentLine,
  type SourcePlace,
  sourcePlaceIn,
} from "./development-answers.js";

const capacity = 2000;
/** Limit of files in the folder, including packages. */
export const mostFiles = 200_000;
/** Milliseconds; older files do not belong to the current save. */
const longestWait = 60_000;

/** The plugin in development. */
export interface DevelopedPlugin {
  /** Symbolic links resolved. */
  directory: string;
  /** Its name in the drop-in folder. */
  place: string;
  /** Whether a debugger is attached: requests then have no deadline. */
  isDebugged: boolean;
}

/** Source of plugin states and events. */
export interface PluginNews {
  states(): PluginState[];
  /** Calls the listener for every later event. */
  follow(listener: (event: PluginEvent) => void): void;
}

/** Problems by final stage. */
const problems = new Map<string, string>([
  ["rejected", "cannot be used"],
  ["failed", "does not start"],
  ["quarantined", "serves badly"],
]);

type Level = DevelopmentLine["level"];
type NewLine = Omit<DevelopmentLine, "id" | "time">;

/** The plugin in development: its log, its requests, and the outcome of each save. */
export class Development {
  readonly lines = new RecentEntries<DevelopmentLine>(capacity);
  private lastId = 0;
  private news: PluginNews | undefined;
  /** The outcome of the last save. */
  reload: DevelopmentLine | undefined;
  /** Time of the save that is being processed, in milliseconds since the epoch. */
  private saved: Promise<number | undefined> = Promise.resolve(undefined);
  /** A session with a project for trying routes. */
  session: string | undefined;

  constructor(readonly plugin: DevelopedPlugin) {}

  /** Wraps a log and collects the lines of the plugin. */
  listening(log: HostLog): HostLog {
    const heard =
      (level: Level) =>
      (message: string, fields: Record<string, unknown> = {}): void => {
        log[level](message, fields);
        this.hear(level, message, fields);
      };
    const levels = { debug: heard("debug"), info: heard("info"), warn: heard("warn"), error: heard("error") };
    return { ...log, ...levels };
  }

  /** Follows the events of the plugin. */
  attend(news: PluginNews): void {
    this.news = news;
    news.follow((event) => void this.happened(event));
  }

  /** The state of the plugin. */
  answer(): DevelopmentAnswer {
    const { directory, place } = this.plugin;
    return {
      directory,
      place,
      versions: this.versions(),
      ...(this.session !== undefined && { session: this.session }),
      ...(this.reload !== undefined && { reload: this.reload }),
    };
  }

  /** The serving version. */
  serving(): PluginState | undefined {
    return this.versions().find(({ stage }) => stage === "live");
  }

  /** Logs what keeps a save from being live. */
  tellWait(text: string): void {
    this.add({ kind: "wait", level: "warn", text, fields: {} });
  }

  warn(text: string): void {
    this.add({ kind: "reload", level: "warn", text, fields: {} });
  }

  /** The states of its versions, including starting ones. */
  versions(): PluginState[] {
    return (this.news?.states() ?? []).filter(({ folder }) => basename(folder) === this.plugin.place);
  }

  private hear(level: Level, message: string, fields: Record<string, unknown>): void {
    const { plugin, processId: _process, event, requestId, traceId: _trace, stream, error, ...more } = fields;
    if (message === watchingFailed)
      this.warn(
        `Files cannot be watched (${error instanceof Error ? error.message : String(error)}); the host looks for changes every second instead.`,
      );
    const rest = stream === "stderr" ? { stream, ...more } : more;
    // Lifecycle events are handled in `happened`.
    if (typeof plugin !== "string" || event !== undefined) return;
    const { caller } = more;
    // Another plugin reports that ours called its service wrongly.
    const isAboutOurs = typeof caller === "string" && this.isOurs(caller);
    if (!this.isOurs(plugin) && !isAboutOurs) return;
    const belongs = typeof requestId === "string" ? { requestId } : {};
    if (message === "request" || message.startsWith("request without")) {
      this.add({ kind: "request", level, text: requestText(rest), fields: {}, ...belongs });
      return;
    }
    const stack = stackOf(error, this.plugin.directory);
    const place = stack === undefined ? undefined : sourcePlaceIn(stack, this.plugin.directory);
    const shown = stack === undefined && error !== undefined ? { ...rest, error } : rest;
    this.add({
      kind: "log",
      level,
      text: message,
      fields: shown,
      ...belongs,
      ...(stack !== undefined && { stack }),
      ...(place !== undefined && { place }),
    });
  }

  private isOurs(label: string): boolean {
    return this.versions().some(({ name }) => name !== undefined && label.startsWith(`${name}@`));
  }

  private async happened(event: PluginEvent): Promise<void> {
    const { kind, place, plugin, version, hash, to, reason } = event;
    const label = `${plugin ?? this.plugin.place}${version === undefined ? "" : ` ${version}`}`;
    if (kind === "restart" && this.isOurs(`${plugin}@`))
      return this.warn(`The process of ${label} ended and is replaced: ${reason}`);
    if (kind !== "stage" || place !== this.plugin.place || to === undefined) return;
    // Determined during the start, so that no request waits for it.
    if (to === "verified") this.saved = this.lastSave();
    if (to === "live" || (to === "staged" && this.serves(hash)))
      return this.tellReload("info", `${label} is live${await this.sinceSave(Date.parse(event.time))}`);
    const problem = problems.get(to);
    if (problem === undefined) return;
    const told = `${label} ${problem}: ${reason}`;
    const text = this.serves()
      ? `${told.replace(/[^.]$/, "$&.")}\nThe previous version keeps serving.`
      : told;
    this.tellReload("error", text, this.placeOf(reason ?? ""));
  }

  /** Whether a version serves, optionally with this content: a reverted change needs no restart. */
  private serves(hash?: string): boolean {
    return this.versions().some(
      (each) => each.stage === "live" && (hash === undefined || each.hash === hash),
    );
  }

  private tellReload(level: Level, text: string, place?: SourcePlace): void {
    this.add({ kind: "reload", level, text, fields: {}, ...(place !== undefined && { place }) });
    this.reload = this.lines.list({ limit: 1 })[0];
  }

  /** For a failed setup, the previous log line has the place, the reason only the message. */
  private placeOf(reason: string): SourcePlace | undefined {
    const [before] = this.lines.list({ limit: 1, isWanted: ({ kind }) => kind === "log" });
    const isBefore = before !== undefined && reason.startsWith(before.text);
    return isBefore ? before.place : sourcePlaceIn(reason, this.plugin.directory);
  }

  private async sinceSave(now: number): Promise<string> {
    const saved = await this.saved;
    const past = saved === undefined || this.reload === undefined ? Number.POSITIVE_INFINITY : now - saved;
    return past > longestWait ? "" : `, ${(past / 1000).toFixed(2)} s after the save`;
  }

  /** Time of the last change of a file; undefined when the folder cannot be read. */
  private async lastSave(): Promise<number | undefined> {
    const { directory } = this.plugin;
    return await takeFingerprint(directory, mostFiles).then(
      ({ changed }) => changed,
      () => undefined,
    );
  }

  private add(line: NewLine): void {
    this.lastId += 1;
    this.lines.add({ id: this.lastId, time: new Date().toISOString(), ...line });
  }
}

function requestText({ method, path, status, milliseconds }: Record<string, unknown>): string {
  return `${method} ${path} answered ${status} in ${Math.round(Number(milliseconds))} ms`;
}

/** Omits the frames of the host, which are irrelevant to authors. */
function stackOf(error: unknown, directory: string): string | undefined {
  const text = error instanceof Error ? inspect(error) : error;
  if (typeof text !== "string" || !/^[ \t]+at /m.test(text)) return undefined;
  const isForeign = (line: string): boolean =>
    /^\s+at /.test(line) &&
    !line.includes(directory + sep) &&
    (line.includes(installationFolder) || /[( ]node:/.test(line));
  return text
    .split("\n")
    .filter((line) => !isForeign(line))
    .join("\n");
}
