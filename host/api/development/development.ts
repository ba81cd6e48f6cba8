import { basename, sep } from "node:path";
import { inspect } from "node:util";
import type { PluginEvent } from "../../observability/events/plugin-event.js";
import type { HostLog } from "../../observability/log.js";
import type { PluginState } from "../../plugins/plugin-state.js";
import { takeFingerprint } from "../../plugins/sources/fingerprint.js";
import { installationFolder } from "../../system/installation.js";
import { RecentEntries } from "../../system/recent-entries.js";
import type { DevelopmentAnswer, DevelopmentLine } from "./development-answers.js";
import { type SourcePlace, sourcePlaceIn } from "./source-place.js";

const capacity = 2000;
/** Of the folder, packages included. */
export const mostFiles = 200_000;
/** Milliseconds; what has lain there for longer was not saved just now. */
const longestWait = 60_000;

/** The plugin in development. */
export interface DevelopedPlugin {
  /** Without symbolic links. */
  directory: string;
  /** Its name in the drop-in folder. */
  place: string;
  /** A debugger is attached: requests have no deadline. */
  isDebugged: boolean;
}

/** What a host tells of its plugins. */
export interface PluginNews {
  states(): PluginState[];
  /** Calls for every event from now on. */
  follow(listener: (event: PluginEvent) => void): void;
}

/** By the stage that a version ends up in. */
const problems = new Map<string, string>([
  ["rejected", "cannot be used"],
  ["failed", "does not come up"],
  ["quarantined", "serves badly"],
]);

type Level = DevelopmentLine["level"];
type NewLine = Omit<DevelopmentLine, "id" | "time">;

/** The plugin in development: its log, its requests, and the outcome of each save. */
export class Development {
  /** All that there was to say lately. */
  readonly lines = new RecentEntries<DevelopmentLine>(capacity);
  private lastId = 0;
  private news: PluginNews | undefined;
  private reload: DevelopmentLine | undefined;
  /** When the content was saved that is being taken over, in milliseconds since the epoch. */
  private saved: Promise<number | undefined> = Promise.resolve(undefined);
  /** With the project that its routes are tried with. */
  session: string | undefined;

  constructor(readonly plugin: DevelopedPlugin) {}

  /** A log that does what the given one does, and keeps the lines of the plugin. */
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

  /** Follows what becomes of the plugin. */
  attend(news: PluginNews): void {
    this.news = news;
    news.follow((event) => void this.happened(event));
  }

  /** Where the plugin stands. */
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

  /** The version that answers. */
  serving(): PluginState | undefined {
    return this.versions().find(({ stage }) => stage === "live");
  }

  /** Tells the author what to know beside log and saves. */
  warn(text: string): void {
    this.add({ kind: "reload", level: "warn", text, fields: {} });
  }

  private versions(): PluginState[] {
    return (this.news?.states() ?? []).filter(({ folder }) => basename(folder) === this.plugin.place);
  }

  private hear(level: Level, message: string, fields: Record<string, unknown>): void {
    const { plugin, processId: _process, event, requestId, traceId: _trace, stream, error, ...more } = fields;
    const rest = stream === "stderr" ? { stream, ...more } : more;
    // Steps of its life are told by `happened`.
    if (typeof plugin !== "string" || event !== undefined || !this.isOurs(plugin)) return;
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

  /** By its name and version. */
  private isOurs(label: string): boolean {
    return this.versions().some(({ name }) => name !== undefined && label.startsWith(`${name}@`));
  }

  private async happened(event: PluginEvent): Promise<void> {
    const { kind, place, plugin, version, hash, to, reason } = event;
    const label = `${plugin ?? this.plugin.place}${version === undefined ? "" : ` ${version}`}`;
    if (kind === "restart" && this.isOurs(`${plugin}@`))
      return this.warn(`The process of ${label} ended and is replaced: ${reason}`);
    if (kind !== "stage" || place !== this.plugin.place || to === undefined) return;
    // During its start, so that no request waits for it.
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

  /** Whether a version answers, or the one with this content does: what was undone needs no new start. */
  private serves(hash?: string): boolean {
    return this.versions().some(
      (each) => each.stage === "live" && (hash === undefined || each.hash === hash),
    );
  }

  private tellReload(level: Level, text: string, place?: SourcePlace): void {
    this.add({ kind: "reload", level, text, fields: {}, ...(place !== undefined && { place }) });
    this.reload = this.lines.list({ limit: 1 })[0];
  }

  /** Where setup fails, the line before says where, and the reason only what. */
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

  /** When a file was changed last; undefined where the folder cannot be read. */
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

/** Without the frames of the host, which no author can do anything about. */
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
