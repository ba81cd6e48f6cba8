import type { ZipArchive } from "archiver";
import { RequestError } from "../../errors.js";
import type { StoredFile } from "../../plugin/host.js";
import { pluginMistake } from "../calls/call-errors.js";
import type { Artifact, GeneratedFiles } from "../calls/generated-files.js";
import type { ParametersOf } from "../messages/host-parameters.js";
import { duringRequest, type ServiceContext } from "./service-context.js";
import { cleanFilename, storeFile } from "./stored-file.js";

/** A file and its name in the archive. */
interface Entry {
  artifact: Artifact;
  name: string;
}

/**
 * Packs files of the running request into a ZIP, from store to store. Each entry has the time at which its file was made,
 * in UTC, so that the same files make the same archive.
 */
export async function archiveFiles(
  artifacts: GeneratedFiles,
  context: ServiceContext,
  { name, files }: ParametersOf<"files.archive">,
): Promise<StoredFile> {
  const entries = await entriesOf(artifacts, context, files);
  const { signal } = context;
  signal.throwIfAborted();
  // Loaded when it is needed: most plugins never pack anything.
  const { ZipArchive } = await import("archiver");
  const archive = new ZipArchive({ zlib: { level: 6 } });
  // The store tells of it; here nobody needs to hear.
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
    const artifact = own.has(id) ? await artifacts.find(id) : undefined;
    if (artifact === undefined)
      throw pluginMistake(`The plugin wanted to archive the file ${id}, which this request has not made.`);
    entries.push({ artifact, name: names.unique(name ?? artifact.name) });
  }
  return entries;
}

/** One file after the other, so that only one is open. Ends without an error when the archive ends early: its reader knows. */
async function pack(
  archive: ZipArchive,
  entries: readonly Entry[],
  artifacts: GeneratedFiles,
): Promise<void> {
  for (const { artifact, name } of entries) {
    if (archive.destroyed) return;
    const source = artifacts.read(artifact);
    const close = (): void => void source.destroy();
    // Left alone, an archive waits for ever for a source that failed, and a source for an archive that is gone.
    source.on("error", (error) => archive.destroy(error));
    archive.once("close", close);
    // Always deflated: of an entry that is only stored, readers of streams cannot tell where it ends.
    archive.append(source, { name, date: new Date(artifact.created) });
    await taken(archive);
    archive.off("close", close);
  }
  // Rejects with what the archive's reader hears anyway.
  if (!archive.destroyed) archive.finalize().catch(() => undefined);
}

/** Resolves when the archive has taken an entry, or is gone. */
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
    message: "The request was given up.",
    reason,
  });
}

/** Gives the entries of one archive names that every system can unpack side by side. */
class EntryNames {
  /** In lower case, because many file systems do not tell the cases apart. */
  private readonly files = new Set<string>();
  private readonly folders = new Set<string>();

  /** The cleaned name, with a number where another entry has it. "/" stands between folders. */
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

/** The name itself, or the first of "name (2).xml", "name (3).xml" and so on that is free. */
function numbered(name: string, isFree: (name: string) => boolean): string {
  const dot = name.lastIndexOf(".");
  const [stem, extension] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ""];
  let candidate = name;
  for (let number = 2; !isFree(candidate); number += 1) candidate = `${stem} (${number})${extension}`;
  return candidate;
}
