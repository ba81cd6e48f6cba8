/** Reloads the configuration at run time and reports changes. */
import { readFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import type { Log } from "@slipway/sdk";
import { followFile } from "../system/followed-file.js";
import type { Configuration } from "./configuration.js";
import { ConfigurationError } from "./configuration-error.js";
import { changedSettings, isLive, withLiveSettings } from "./live-settings.js";
import { type ConfigurationInput, fileOf, resolveConfiguration } from "./resolve-configuration.js";

export interface ConfigurationWatchOptions {
  /** Sources of the configuration, resolved at every reload. */
  input: ConfigurationInput;
  /** The initial configuration. */
  current: Configuration;
  /**
   * Applies live settings: `next` is the current configuration with the settings `keys` replaced. After a rejection,
   * the current configuration counts as unchanged.
   */
  changed(next: Configuration, keys: readonly string[]): Promise<void>;
  /** Called with every valid configuration; `waiting` are the keys of changed settings that need a restart. */
  read(waiting: readonly string[]): void;
  /** Called with an invalid configuration, which is not applied. */
  refused(error: ConfigurationError): void;
  log: Log;
}

/** A watched configuration file. */
export interface ConfigurationWatch {
  /** Reloads now; resolves when the configuration is in force or refused. */
  reload(): Promise<void>;
  /** Resolves when no reload is running. */
  stop(): Promise<void>;
}

/** Milliseconds without a change after which a file counts as written. */
const settlingTime = 100;
/** The same for a missing or invalid file, which may be incomplete. */
const patience = 1000;

/** Watches the configuration file and reloads after each change. Errors are logged, never thrown. */
export function watchConfiguration(options: ConfigurationWatchOptions): ConfigurationWatch {
  const watched = new WatchedFile(options);
  const look = (): void => void watched.look();
  const endFollowing = followFile(fileOf(options.input), look, options.log);
  // The file may have changed during the start.
  look();
  return {
    reload: () => watched.look("asked"),
    stop: async () => {
      endFollowing();
      await watched.stop();
    },
  };
}

class WatchedFile {
  private readonly file: string;
  private inForce: Configuration;
  /** Text of the last reload; undefined without a file. */
  private content: string | undefined;
  private readings = 0;
  private existed = false;
  private turn: Promise<void> = Promise.resolve();
  private waiting = false;
  private readonly stopping = new AbortController();

  constructor(private readonly options: ConfigurationWatchOptions) {
    this.file = fileOf(options.input);
    this.inForce = options.current;
  }

  /** One reload at a time; redundant ones are skipped. */
  look(why?: "asked"): Promise<void> {
    if (this.waiting && why !== "asked") return this.turn;
    this.waiting = true;
    this.turn = this.turn
      .then(() => {
        this.waiting = false;
        return this.read(why === "asked");
      })
      .catch((error: unknown) => {
        if (!this.stopping.signal.aborted)
          this.options.log.error("The configuration could not be read again", { error });
      });
    return this.turn;
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.turn;
  }

  private async read(asked: boolean): Promise<void> {
    this.stopping.signal.throwIfAborted();
    const content = await this.settled(asked);
    const isNew = this.readings === 0 || content !== this.content;
    if (!asked && !isNew) return;
    this.content = content;
    this.readings += 1;
    this.existed ||= content !== undefined;
    try {
      if (content === undefined && this.existed) throw missing(this.file);
      await this.takeOver(resolveConfiguration(this.options.input));
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      this.options.log.error("The configuration was refused as a whole; what was in force stays", {
        error: error.message,
      });
      this.options.refused(error);
    }
  }

  private async takeOver(next: Configuration): Promise<void> {
    const { log, changed, read } = this.options;
    const keys = changedSettings(this.inForce, next);
    const live = keys.filter(isLive);
    const others = keys.filter((key) => !isLive(key));
    if (live.length > 0) {
      const inForce = withLiveSettings(this.inForce, next);
      try {
        await changed(inForce, live);
        this.inForce = inForce;
        log.info("Changed settings are in force", { settings: live });
      } catch (error) {
        log.error("Changed settings could not be put into force", { settings: live, error });
      }
    }
    if (others.length > 0)
      log.warn("Changed settings need a restart of the host; until then they stay as they were", {
        settings: others,
      });
    read(others);
  }

  /** The content once it is stable; known content is returned at once. */
  private async settled(asked: boolean): Promise<string | undefined> {
    const { signal } = this.stopping;
    let content = await textOf(this.file);
    while (asked || this.readings === 0 || content !== this.content) {
      await pause(isJson(content) ? settlingTime : patience, undefined, { signal, ref: false });
      const later = await textOf(this.file);
      if (later === content) break;
      content = later;
    }
    return content;
  }
}

/** Removing the file is not a valid change: without it, other releases would be served. */
function missing(file: string): ConfigurationError {
  const expected = "a file that can be read";
  return new ConfigurationError([
    { source: `file ${file}`, key: "(whole file)", expected, value: "nothing" },
  ]);
}

async function textOf(file: string): Promise<string | undefined> {
  return await readFile(file, "utf8").catch(() => undefined);
}

function isJson(content: string | undefined): boolean {
  try {
    JSON.parse(content ?? "");
    return true;
  } catch {
    return false;
  }
}
