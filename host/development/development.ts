import { inspect } from "node:util";
import type { HostLog } from "../log.js";
import type { PluginEvent } from "../plugins/events/plugin-event.js";
import { takeFingerprint } from "../plugins/intake/fingerprint.js";
import type { PluginState } from "../plugins/plugin-state.js";
import { RecentEntries } from "../recent-entries.js";
import type { DevelopmentAnswer } from "./development-answer.js";
import type { DevelopmentLine } from "./development-line.js";
import { type SourcePlace, sourcePlaceIn } from "./source-place.js";

const capacity = 2000;
/** Of one plugin; what has more is refused anyway. */
const mostFiles = 20_000;
/** Milliseconds; what has lain there for longer was not saved just now. */
const longestWait = 60_000;

/** Which plugin somebody is writing. */
export interface DevelopedPlugin {
  /** Without symbolic links. */
  directory: string;
  /** Its name in the drop-in folder. */
  place: string;
}

/** What a host tells of its plugins. */
export interface PluginNews {
  states(): PluginState[];
  /** Calls for every event from now on. */
  follow(listener: (event: PluginEvent) => void): void;
}

type Level = DevelopmentLine["level"];
type NewLine = Omit<DevelopmentLine, "id" | "time">;

/** The plugin that somebody is writing: what it logs, which requests it answers, and what comes of each save. */
export class Development {
  /** All that there was to say lately. */
  readonly lines = new RecentEntries<DevelopmentLine>(capacity);
  private lastId = 0;
  private news: PluginNews | undefined;
  private reload: DevelopmentLine | undefined;

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
    return { directory, place, versions: this.versions(), ...(this.reload && { reload: this.reload }) };
  }

  private versions(): PluginState[] {
    return (this.news?.states() ?? []).filter(({ folder }) => basenameOf(folder) === this.plugin.place);
  }

  private hear(level: Level, message: string, fields: Record<string, unknown>): void {
    const { plugin, processId: _process, event, requestId, traceId: _trace, error, ...rest } = fields;
    // Steps of its life are told by `happened`.
    if (typeof plugin !== "string" || event !== undefined || !this.isOurs(plugin)) return;
    const belongs = typeof requestId === "string" ? { requestId } : {};
    if (message === "request" || message.startsWith("request without")) {
      this.add({ kind: "request", level, text: requestText(rest), fields: {}, ...belongs });
      return;
    }
    const stack = stackOf(error);
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

  private async happened({ kind, place, plugin, version, to, reason }: PluginEvent): Promise<void> {
    const label = `${plugin ?? this.plugin.place}${version === undefined ? "" : ` ${version}`}`;
    if (kind === "restart" && this.isOurs(`${plugin}@`))
      return this.add({
        kind: "reload",
        level: "warn",
        text: `The process of ${label} ended and is replaced: ${reason}`,
        fields: {},
      });
    if (kind !== "stage" || place !== this.plugin.place || to === undefined) return;
    if (to === "live") return this.tellReload("info", `${label} is live${await this.sinceSave()}`);
    if (to !== "rejected" && to !== "failed" && to !== "quarantined") return;
    this.tellReload("error", `${label} is ${to}: ${reason}`, this.placeOf(reason ?? ""));
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

  private async sinceSave(): Promise<string> {
    const { directory } = this.plugin;
    const saved = await takeFingerprint(directory, mostFiles).catch(() => undefined);
    const past = saved === undefined ? Number.POSITIVE_INFINITY : Date.now() - saved.changed;
    return past > longestWait ? "" : `, ${(past / 1000).toFixed(2)} s after the save`;
  }

  private add(line: NewLine): void {
    this.lastId += 1;
    this.lines.add({ id: this.lastId, time: new Date().toISOString(), ...line });
  }
}

function basenameOf(folder: string): string {
  return folder.slice(Math.max(folder.lastIndexOf("/"), folder.lastIndexOf("\\")) + 1);
}

function requestText({ method, path, status, milliseconds }: Record<string, unknown>): string {
  return `${method} ${path} answered ${status} in ${Math.round(Number(milliseconds))} ms`;
}

function stackOf(error: unknown): string | undefined {
  if (error instanceof Error) return inspect(error);
  return typeof error === "string" && error.includes("\n") ? error : undefined;
}
