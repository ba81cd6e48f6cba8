import type { ZipArchive } from "archiver";
import { RequestError } from "../../errors.js";
import type { StoredFile } from "../../plugin/host.js";
import type { Artifact, GeneratedFiles } from "../calls/generated-files.js";
import { pluginMistake } from "../calls/request-errors.js";
import type { ParametersOf } from "../messages/host-parameters.js";
import { duringRequest, type ServiceContext } from "./service-context.js";
import { cleanFilename, storeFile } from "./stored-file.js";

/** A file and its name in the archive. */
interface Entry {
  artifact: Artifact;
  name: string;
}

/** The memory is worth a quarter of the processor time: larger tables, and fewer turns to another thread. */
const deflating = { level: 6, memLevel: 9, chunkSize: 65_536 };

/**
 * Packs files of the running request into a ZIP, streaming from store to store. Each entry has the creation
 * time of its file in UTC, so that the same files produce the same archive.
 */
export async function archiveFiles(
  artifacts: GeneratedFiles,
  context: ServiceContext,
  { name, files }: ParametersOf<"files.archive">,
): Promise<StoredFile> {
  const entries = await entriesOf(artifacts, context, files);
  const { signal } = context;
  signal.throwIfAborted();
  // Loaded on demand: most plugins never create an archive.
  const { ZipArchive } = await import("archiver");
  const archive = new ZipArchive({ zlib: deflating });
  // The store reports this error.
  archive.on("error", () => undefined);
  const abort = (): void => void archive.destroy(abortReason(signal));
  signal.addEventListener("abort", abort, { once: true });
  if (signal.aborted) abort();
  try {
    const stored = storeFile(artifacts, context, {
      name: /\.zip$/i.test(name) ? name : `${name}.zip`,
      mediaType: "application/zip",
      content: archive,
    });
    const [file] = await Promise.all([stored, pack(archive, entries, artifacts)]);
    return file;
  } finally {
    signal.removeEventListener("abort", abort);
    archive.destroy();
  }
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

/**
 * One file at a time, so that only one is open. Ends without an error if the archive is aborted: its reader
 * gets the error.
 */
async function pack(
  archive: ZipArchive,
  entries: readonly Entry[],
  artifacts: GeneratedFiles,
): Promise<void> {
  for (const { artifact, name } of entries) {
    if (archive.destroyed) return;
    const source = artifacts.read(artifact);
    const close = (): void => void source.destroy();
    // Without this, the archive would wait forever for a failed source, and a source for a destroyed archive.
    source.on("error", (error) => archive.destroy(error));
    archive.once("close", close);
    // Always deflated: streaming readers cannot find the end of a stored entry.
    archive.append(source, { name, date: new Date(artifact.created) });
    await taken(archive);
    archive.off("close", close);
  }
  // The archive's reader gets the same error.
  if (!archive.destroyed) archive.finalize().catch(() => undefined);
}

/** Resolves when the archive has consumed an entry or is closed. */
function taken(archive: ZipArchive): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      archive.off("entry", done).off("close", done);
      resolve();
    };
    archive.on("entry", done).on("close", done);
  });
}

function abortReason({ reason }: AbortSignal): Error {
  if (reason instanceof Error) return reason;
  return new RequestError({
    id: "plugin-unavailable",
    code: 503,
    message: "The request was cancelled.",
    reason,
  });
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
