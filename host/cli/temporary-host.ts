import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Development } from "../api/development/development.js";
import type { Configuration } from "../configuration/configuration.js";
import { createLog } from "../observability/log.js";
import { addedFontsFolder } from "../pdf/fonts/fonts.js";
import { askedToStop, type RunningHost, runHost } from "./running-host.js";
import { forgiveAllReaders } from "./standard-output.js";
import { withTemporaryFolder } from "./temporary-folder.js";

export interface TemporaryHostOptions {
  /** Default: a free port. */
  port?: number;
  /** The host keeps running after `use` until it is interrupted. */
  untilAsked?: boolean;
  /** Folder of run-time data to keep. Default: a temporary folder. */
  keptVar?: string | undefined;
  /** The plugin in development, if any. */
  development?: Development;
  /** Prepares the temporary folder of the host; returns the changed settings. */
  prepare?(folder: string): Promise<Partial<Configuration>>;
}

/**
 * Runs a host on a local port for the duration of `use`. Leaves nothing behind, even after an interruption, which is an
 * error.
 */
export async function withTemporaryHost<T>(
  configuration: Configuration,
  use: (host: RunningHost) => Promise<T>,
  { port = 0, untilAsked = false, keptVar, development, prepare }: TemporaryHostOptions = {},
): Promise<T> {
  const asked = askedToStop({ atHangup: true });
  // A closed terminal no longer reads the remaining output.
  void asked.then(forgiveAllReaders);
  const interrupted = asked.then((): never => {
    throw new Error("Stopped before the end.");
  });
  interrupted.catch(() => undefined); // it may have no listener any more
  return withTemporaryFolder("slipway-", async (folder) => {
    const { publicUrl: _, ...settings } = configuration;
    // Only this process uses the host: it needs no key and no shared database.
    const access = { ...configuration.access, keys: join(folder, "keys.json") };
    const prepared = await prepare?.(folder);
    const { url: __, ...engine } = configuration.engine;
    const given = { ...settings, ...prepared };
    // A single task does not profit from a warm-up.
    const plugins = { ...given.plugins, warmUp: false };
    const pdf = { ...given.pdf, fontFolders: [...presentFonts(configuration), ...given.pdf.fontFolders] };
    const own = { ...given, plugins, pdf, access, engine, host: "127.0.0.1", port, var: keptVar ?? folder };
    const log = createLog(settings.log);
    const host = await runHost(own, { log: development?.listening(log) ?? log, development, interrupted });
    try {
      const used = await Promise.race([interrupted, use(host)]);
      if (untilAsked) await asked;
      return used;
    } finally {
      await host.stop();
      host.log.flush();
    }
  });
}

/** The added fonts of the configured host, because the temporary host has another folder. */
function presentFonts({ var: folder }: Configuration): string[] {
  return [addedFontsFolder(folder)].filter((each) => existsSync(each));
}
