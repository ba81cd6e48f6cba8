/** One session on disk: `record.json`, `project-<revision>.json`, `assets/<sha256>`. */
import { readdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { Type, Uuid, Validator } from "@slipway/sdk";
import { mapConcurrent } from "../system/concurrency.js";
import { makeFolder, replaceSynced, syncFolder, unfinished, writeSynced } from "../system/durable-files.js";
import { Revision } from "./revisions.js";
import { ProjectSummary, type RevisionContent, type SessionRecord, Upload } from "./session-store.js";

/** Files to write concurrently; a project may have more pictures than a process may open files. */
const openFiles = 8;

const SessionEntry = Type.Object({
  record: Type.Object({
    id: Uuid,
    locale: Type.String(),
    revision: Type.Integer({ minimum: 1 }),
    created: Type.Number(),
    expiresAt: Type.Number(),
    summary: ProjectSummary,
  }),
  revisions: Type.Array(Revision, { minItems: 1 }),
  uploads: Type.Optional(Type.Array(Upload)),
});

/** The record file: the session's metadata and the files that belong to it. */
export interface SessionEntry {
  record: SessionRecord;
  revisions: Revision[];
  uploads?: readonly Upload[];
}

const checkEntry = new Validator({ lazy: true }).compile(SessionEntry, "record");

export const projectFile = (folder: string, revision: number): string =>
  join(folder, `project-${revision}.json`);
export const assetFile = (folder: string, sha256: string): string => join(folder, "assets", sha256);
const recordFile = (folder: string): string => join(folder, "record.json");

/** Writes the complete folder under a temporary name and renames it: the session exists completely or not at all. */
export async function createFolder(
  folder: string,
  entry: SessionEntry,
  { project, assets }: RevisionContent,
): Promise<void> {
  const beside = `${folder}${unfinished}`;
  try {
    await makeFolder(join(beside, "assets"));
    await mapConcurrent(assets, openFiles, (asset) =>
      writeSynced(assetFile(beside, asset.sha256), asset.content),
    );
    await writeSynced(projectFile(beside, entry.record.revision), project);
    await writeSynced(recordFile(beside), JSON.stringify(entry));
    await syncFolder(join(beside, "assets"));
    await syncFolder(beside);
    await rename(beside, folder);
    await syncFolder(join(folder, ".."));
  } catch (error) {
    await rm(beside, { recursive: true, force: true });
    throw error;
  }
}

/** Adds files that no record references yet. */
export async function addFiles(
  folder: string,
  revision: number,
  { project, assets }: RevisionContent,
): Promise<void> {
  await mapConcurrent(assets, openFiles, (asset) =>
    replaceSynced(assetFile(folder, asset.sha256), asset.content),
  );
  await replaceSynced(projectFile(folder, revision), project);
}

/** Commits the files that the entry references. */
export async function writeEntry(folder: string, entry: SessionEntry): Promise<void> {
  await replaceSynced(recordFile(folder), JSON.stringify(entry));
}

/** Undefined without a readable record. */
export async function readEntry(folder: string): Promise<SessionEntry | undefined> {
  try {
    const result = checkEntry(JSON.parse(await readFile(recordFile(folder), "utf8")));
    return result.ok ? result.value : undefined;
  } catch {
    return undefined;
  }
}

/** Removes unreferenced files. */
export async function sweepFolder(folder: string, entry: SessionEntry): Promise<void> {
  const assets = new Set(entry.revisions.flatMap((each) => each.assets.map((asset) => asset.sha256)));
  const files = new Set([
    "record.json",
    "assets",
    ...entry.revisions.map((each) => `project-${each.revision}.json`),
  ]);
  const orphans = [
    ...(await readdir(folder)).filter((name) => !files.has(name)).map((name) => join(folder, name)),
    ...(await readdir(join(folder, "assets")))
      .filter((name) => !assets.has(name))
      .map((name) => join(folder, "assets", name)),
  ];
  for (const orphan of orphans) await rm(orphan, { recursive: true, force: true });
}

/** Removes the session atomically, then its files. */
export async function removeFolder(folder: string): Promise<void> {
  const beside = `${folder}${unfinished}`;
  await rename(folder, beside);
  await syncFolder(join(folder, ".."));
  await rm(beside, { recursive: true, force: true });
}
