import { once } from "node:events";
import type { ZipArchive } from "archiver";
import type { StoredFile } from "../../plugin/host.js";
import type { Artifact, GeneratedFiles } from "../calls/generated-files.js";
import { pluginMistake } from "../calls/request-errors.js";
import type { ParametersOf } from "../messages/host-parameters.js";
import { duringRequest, type ServiceContext } from "./service-context.js";
import { cleanFilename, createStreamed, madeFile } from "./stored-file.js";

/** A file and its name in the archive. */
interface Entry {
  artifact: Artifact;
  name: string;
}

/**
 * Packs files of the running request into a ZIP, streaming from store to store. Each entry has the creation time of its
 * file in UTC, so that the time zone of the host does not show.
 */
export async function archiveFiles(
  artifacts: GeneratedFiles,
  context: ServiceContext,
  { name, files }: ParametersOf<"files.archive">,
): Promise<StoredFile> {
  const entries = await entriesOf(artifacts, context, files);
  const { signal } = context;
  signal.throwIfAborted();
  const artifact = await createStreamed(artifacts, signal, {
    name: /\.zip$/i.test(name) ? name : `${name}.zip`,
    mediaType: "application/zip",
    content: archiveOf(entries, artifacts),
  });
  return madeFile(artifacts, context, { artifact });
}

async function entriesOf(
  artifacts: GeneratedFiles,
  context: ServiceContext,
  files: ParametersOf<"files.archive">["files"],
): Promise<Entry[]> {
  const own = duringRequest(context).files;
  const names = new EntryNames();
  const entries: Entry[] = [];
  for (const { id, name } of files) {
    const artifact = own.made(id) && (await artifacts.find(id));
    if (artifact === undefined)
      throw pluginMistake(`The plugin tried to archive the file ${id}, which this request has not made.`);
    entries.push({ artifact, name: names.unique(name ?? artifact.name) });
  }
  return entries;
}

/** The bytes of the archive. Fails with the error of a file that cannot be read. */
async function* archiveOf(entries: readonly Entry[], artifacts: GeneratedFiles): AsyncGenerator<Uint8Array> {
  // Loaded on demand: most processes that use the SDK never write an archive.
  const { ZipArchive } = await import("archiver");
  const archive = new ZipArchive({ zlib: { level: 6, memLevel: 9, chunkSize: 64 * 1024 } });
  // Its reader receives the error, if there is one.
  archive.on("error", () => undefined);
  const stop = new AbortController();
  const filled = fill(archive, entries, artifacts, stop.signal).catch((error: unknown) => {
    archive.destroy(error instanceof Error ? error : new Error("The archive failed.", { cause: error }));
  });
  try {
    yield* archive;
  } finally {
    stop.abort();
    archive.destroy();
    await filled;
  }
}

/** Adds one file after the other, so that only one is open. */
async function fill(
  archive: ZipArchive,
  entries: readonly Entry[],
  artifacts: GeneratedFiles,
  signal: AbortSignal,
): Promise<void> {
  for (const { artifact, name } of entries) {
    signal.throwIfAborted();
    const added = once(archive, "entry", { signal });
    const content = artifacts.read(artifact);
    content.once("error", (error) => archive.destroy(error));
    archive.append(content, { name, date: new Date(artifact.created) });
    await added.finally(() => content.destroy());
  }
  // Rejects with the error that the reader receives.
  archive.finalize().catch(() => undefined);
}

/** Makes entry names unique and valid on all systems. */
class EntryNames {
  /** In lower case, because many file systems are case-insensitive. */
  private readonly files = new Set<string>();
  private readonly folders = new Set<string>();

  /** The cleaned name, numbered if it is taken. "/" separates folders. */
  unique(wanted: string): string {
    const segments = wanted.split(/[\\/]/).filter((segment) => !/^\.*$/.test(segment.trim()));
    const name = cleanFilename(segments.pop() ?? "");
    let folder = "";
    for (const segment of segments) {
      folder += numbered(cleanFilename(segment), (each) => !this.files.has(`${folder}${each}`.toLowerCase()));
      this.folders.add(folder.toLowerCase());
      folder += "/";
    }
    const free = (each: string): boolean => {
      const key = `${folder}${each}`.toLowerCase();
      return !this.files.has(key) && !this.folders.has(key);
    };
    const path = `${folder}${numbered(name, free)}`;
    this.files.add(path.toLowerCase());
    return path;
  }
}

/** The name itself, or the first free one of "name (2).xml", "name (3).xml" and so on. */
function numbered(name: string, isFree: (name: string) => boolean): string {
  const dot = name.lastIndexOf(".");
  const [stem, extension] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ""];
  let candidate = name;
  for (let number = 2; !isFree(candidate); number += 1) candidate = `${stem} (${number})${extension}`;
  return candidate;
}
