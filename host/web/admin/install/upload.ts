import { asError } from "../../../system/errors.js";
import type { HostClient } from "../../client/host-client.js";
import { Observed } from "../../client/observed.js";
import type { PluginState } from "../../client/operations.js";
import { upload } from "../../client/upload.js";

/** An archive that is being uploaded. */
export interface Upload {
  id: number;
  name: string;
  bytes: number;
  /** Uploaded share, from 0 to 1. */
  share: number;
  /** Id of the newest event at the start: later events can concern this upload. */
  after: number;
  outcome: { plugin: PluginState } | { failure: Error } | undefined;
}

let lastId = 0;

/** Running uploads, and finished ones that the admin has not closed. */
export const uploads = new Observed<readonly Upload[]>([]);

/** Chosen archives that await confirmation. */
export const chosenArchives = new Observed<readonly File[]>([]);

/** Sends an archive and keeps its progress in `uploads`. */
export async function startUpload(host: HostClient, file: File, after: number): Promise<void> {
  lastId += 1;
  const id = lastId;
  const change = (facts: Partial<Upload>): void =>
    uploads.set(uploads.value.map((each) => (each.id === id ? { ...each, ...facts } : each)));
  uploads.set([
    ...uploads.value,
    { id, name: file.name, bytes: file.size, share: 0, after, outcome: undefined },
  ]);
  try {
    const plugin = await uploadPlugin(host, file, (share) => change({ share }));
    change({ share: 1, outcome: { plugin } });
  } catch (error) {
    change({ outcome: { failure: asError(error) } });
  }
}

export function closeUpload(id: number): void {
  uploads.set(uploads.value.filter((each) => each.id !== id));
}

/** Uploads the archive of a plugin. Resolves with the plugin's stage, which may still change. */
async function uploadPlugin(
  host: HostClient,
  archive: File,
  progressed: (share: number) => void,
): Promise<PluginState> {
  const body = archive.slice(0, archive.size, "application/octet-stream");
  const answer = await upload<{ plugin: PluginState }>(host, { path: "api/plugins", body, progressed });
  return answer.plugin;
}
