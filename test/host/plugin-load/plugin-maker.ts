/** Makes versions of plugins: a small sample, sound or broken, and the first-party ones under other versions. */
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { repository } from "../../start-host.js";
import type { FaultName } from "./sample/faults.js";

/** What a plugin consists of: content by path inside its folder, with "/" between folders. */
export type PluginFiles = ReadonlyMap<string, string | Buffer>;

/** What keeps a version from serving. */
export const startFaults = [
  "half-copied",
  "throws-in-setup",
  "failing-probe",
  "syntax-error",
  "other-sdk-major",
] as const;
export type StartFault = (typeof startFaults)[number];

export interface SampleOptions {
  version: string;
  /** Public name; "Sample" without it. */
  plugin?: string;
  /** Why it cannot serve. */
  broken?: StartFault;
  /** What it does with every request for its version. */
  answers?: FaultName;
}

const sampleFolder = join(import.meta.dirname, "sample");

/** The sample plugin. Its version stands in the manifest and in two of its modules. */
export async function samplePlugin(options: SampleOptions): Promise<PluginFiles> {
  const { version, broken } = options;
  const behaviour = {
    setup: broken === "throws-in-setup" ? "throws" : "fine",
    probe: broken === "failing-probe" ? "throws" : "fine",
    answers: options.answers ?? "fine",
  };
  const files = new Map(await readFiles(sampleFolder));
  const engines = broken === "other-sdk-major" ? "^99.0.0" : "^1.0.0";
  files.set("package.json", manifest(files, version, { engines, plugin: options.plugin ?? "Sample" }));
  files.set("version.ts", `export const version = ${JSON.stringify(version)};\n`);
  files.set("part.ts", `export const part = ${JSON.stringify(version)};\n`);
  files.set("behaviour.ts", `export const behaviour = ${JSON.stringify(behaviour)};\n`);
  if (broken === "syntax-error") files.set("part.ts", `export const part = ;\n`);
  if (broken === "half-copied") files.delete("part.ts");
  return files;
}

/** With the list of its files, which comes first, so that a slow copy has it from the beginning. */
export function listed(files: PluginFiles): PluginFiles {
  const entries = [...files].map(([path, content]) => {
    const sha256 = createHash("sha256").update(content).digest("hex");
    return [path, { size: Buffer.byteLength(content), sha256 }];
  });
  const list = JSON.stringify({ format: 1, files: Object.fromEntries(entries) });
  return new Map([["integrity.json", list], ...files]);
}

/** One of the plugins of the repository under another version. */
export async function firstPartyPlugin(name: "oex" | "reporter", version: string): Promise<PluginFiles> {
  const files = new Map(await readFiles(join(repository, "plugins", name)));
  files.set("package.json", manifest(files, version));
  return files;
}

/** Read once: copies of hundreds of versions are made of them. */
const folders = new Map<string, Promise<PluginFiles>>();

function readFiles(folder: string): Promise<PluginFiles> {
  const known = folders.get(folder) ?? readFolder(folder);
  folders.set(folder, known);
  return known;
}

async function readFolder(folder: string): Promise<PluginFiles> {
  const files = new Map<string, Buffer>();
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const entry of entries.filter((each) => each.isFile())) {
    const path = join(entry.parentPath, entry.name);
    files.set(path.slice(folder.length + 1).replaceAll("\\", "/"), await readFile(path));
  }
  return files;
}

function manifest(
  files: PluginFiles,
  version: string,
  changed: { engines?: string; plugin?: string } = {},
): string {
  const read: { engines: object; slipway: object } = JSON.parse(String(files.get("package.json")));
  const engines = changed.engines === undefined ? {} : { slipway: changed.engines };
  const slipway = changed.plugin === undefined ? {} : { plugin: changed.plugin };
  return JSON.stringify(
    {
      ...read,
      version,
      engines: { ...read.engines, ...engines },
      slipway: { ...read.slipway, ...slipway },
    },
    undefined,
    2,
  );
}
