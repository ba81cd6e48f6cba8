/** A host with a drop-in folder of its own, which changes while it runs. */
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type StartedHost, startHost } from "../../start-host.js";
import { writeFiles } from "./plugin-dropping.js";
import type { PluginFiles } from "./plugin-maker.js";

export interface HotHostOptions {
  /** What lies in the drop-in folder at first, by name of the place. */
  plugins: Readonly<Record<string, PluginFiles>>;
  /** Content of a configuration file. */
  configuration: Record<string, unknown>;
}

export interface HotHost extends StartedHost {
  /** A folder for what is neither the drop-in folder nor the host's own. */
  besides: string;
  /** Path of a place in the drop-in folder. */
  place(name: string): string;
}

/** Stopping it removes its folders. */
export async function startHotHost({ plugins, configuration }: HotHostOptions): Promise<HotHost> {
  const folder = await mkdtemp(join(tmpdir(), "slipway-hot-"));
  const dropIn = join(folder, "plugins");
  await mkdir(dropIn);
  for (const [name, files] of Object.entries(plugins)) await writeFiles(files, join(dropIn, name));
  const host = await startHost({ var: join(folder, "var"), plugins: [dropIn], configuration });
  return {
    ...host,
    besides: join(folder, "besides"),
    place: (name) => join(dropIn, name),
    async stop() {
      const code = await host.stop();
      await rm(folder, { recursive: true, force: true });
      return code;
    },
  };
}
