/** Writes templates as the static files of a store. */
import { createHash } from "node:crypto";
import { mkdir, readFile } from "node:fs/promises";
import { join, resolve, sep } from "node:path";
import { type Log, shownValue } from "@slipway/sdk";
import type { TemplatesConfiguration } from "../configuration/templates-configuration.js";
import { writeArchive } from "../system/archives/write-archive.js";
import { commonFile, replaceSynced } from "../system/durable-files.js";
import { Rejection } from "../system/errors.js";
import { createTemplateService } from "./create-template-service.js";
import { indexFile, type StoreEntry, type StoreIndex, storeProtocol } from "./stores/store-index.js";
import { readStoreTemplate } from "./stores/store-template.js";
import { readTemplateContent, selfContained } from "./template-content.js";
import { unlessGone } from "./template-folder.js";
import type { TemplateState } from "./template-service.js";

export interface PublishOptions {
  configuration: TemplatesConfiguration;
  /** Template folders, as in the configuration of a host. */
  folders: string[];
  /** Keys of the templates; empty for all. */
  keys: readonly string[];
  /** Output folder; created on demand. */
  out: string;
  log: Log;
}

/** The written files. */
export interface PublishedTemplates {
  /** File of the index. */
  index: string;
  entries: readonly StoreEntry[];
}

interface Publication {
  entry: StoreEntry;
  archive: Buffer;
}

/** Top folder of an archive; its name has no meaning. */
const topFolder = "template";

/**
 * Checks the templates as a host does, writes their archives and then the index, so that the folder can be served
 * throughout. The output is reproducible. Throws a `Rejection` with all problems and then writes nothing.
 */
export async function publishTemplates(options: PublishOptions): Promise<PublishedTemplates> {
  const all = await checkedStates(options);
  const states = chosen(all, options.keys);
  const broken = states.flatMap(({ key, error }) => (error === undefined ? [] : [`${key}: ${error}`]));
  const wrong = [...misplaced(options), ...unknownKeys(all, options.keys), ...broken];
  const published: Publication[] = [];
  for (const state of states.filter(({ error }) => error === undefined)) {
    try {
      published.push(await publication(state));
    } catch (error) {
      if (!(error instanceof Rejection)) throw error;
      wrong.push(`${state.key}: ${error.message}`);
    }
  }
  if (wrong.length > 0) throw new Rejection(wrong.join("\n"));
  return await write(published, options.out);
}

/** The states of all template folders as a host reports them. */
async function checkedStates({ configuration, folders, log }: PublishOptions): Promise<TemplateState[]> {
  const once = { ...configuration, processes: 1, watch: false };
  const service = createTemplateService({ configuration: once, folders, log });
  try {
    await service.start();
    return service.states();
  } finally {
    await service.stop();
  }
}

/** The problem of an output folder inside a template folder, as a sentence. */
function misplaced({ out, folders }: PublishOptions): string[] {
  const lies = (folder: string): boolean => `${resolve(out)}${sep}`.startsWith(`${resolve(folder)}${sep}`);
  return folders.some(lies)
    ? ["The output folder is inside a template folder, where it would count as a template."]
    : [];
}

/** The problems of the keys, as a sentence. */
function unknownKeys(states: readonly TemplateState[], keys: readonly string[]): string[] {
  const known = states.map(({ key }) => key).sort();
  if (known.length === 0) return ["There are no templates in the folders of templates."];
  const unknown = keys.filter((key) => !known.includes(key));
  if (unknown.length === 0) return [];
  const named = unknown.map((key) => shownValue(key)).join(", ");
  return [`There is no template ${named}; there are ${known.join(", ")}.`];
}

function chosen(states: readonly TemplateState[], keys: readonly string[]): TemplateState[] {
  const wanted = states.filter(({ key }) => keys.length === 0 || keys.includes(key));
  return wanted.sort((one, other) => (one.key < other.key ? -1 : 1));
}

async function publication({ folder, version: checked }: TemplateState): Promise<Publication> {
  const { files, version } = await readTemplateContent(folder);
  if (version !== checked) throw new Rejection("its files changed while it was published");
  const packed = [...selfContained(files)].map(([path, content]) => ({
    path,
    content: Buffer.from(content),
  }));
  const archive = writeArchive(topFolder, packed);
  const sha256 = createHash("sha256").update(archive).digest("hex");
  // The hosts that use the store decide whether to permit scripts.
  const { definition } = await readStoreTemplate(sha256, archive, { scripts: true });
  const entry = {
    key: definition.key,
    version: definition.version,
    sha256,
    bytes: archive.length,
    archive: archiveName(definition, sha256),
  };
  return { entry, archive };
}

function archiveName({ key, version }: { key: string; version: string }, sha256: string): string {
  return `${key}-${version.replaceAll(/[^A-Za-z0-9._-]/g, "-")}-${sha256.slice(0, 8)}.tgz`;
}

async function write(published: readonly Publication[], out: string): Promise<PublishedTemplates> {
  await mkdir(out, { recursive: true });
  for (const { entry, archive } of published) await writeNew(join(out, entry.archive), archive);
  const entries = published.map(({ entry }) => entry);
  const index: StoreIndex = { protocol: storeProtocol, templates: entries };
  const file = join(out, indexFile);
  await writeNew(file, Buffer.from(`${JSON.stringify(index, undefined, 2)}\n`));
  return { index: file, entries };
}

/** Keeps an unchanged file, so that its time stays valid for caches. */
async function writeNew(file: string, content: Buffer): Promise<void> {
  const present = await unlessGone(readFile(file));
  if (present === undefined || !present.equals(content))
    await replaceSynced(file, content, { mode: commonFile });
}
