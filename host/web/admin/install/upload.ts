import { asError } from "../../../system/errors.js";
import type { HostClient } from "../../client/host-client.js";
import { Observed } from "../../client/observed.js";
import type { PluginState } from "../../client/operations.js";
import { upload } from "../../client/upload.js";

/** An archive on its way to the host. */
export interface Upload {
  id: number;
  name: string;
  bytes: number;
  /** How much is sent, from 0 to 1. */
  share: number;
  /** Id of the newest event when it began: what comes later can be about it. */
  after: number;
  outcome: { plugin: PluginState } | { failure: Error } | undefined;
}

let lastId = 0;

/** Those that go on, and those that nobody has closed. */
export const uploads = new Observed<readonly Upload[]>([]);

/** Archives that somebody wants to install and has not confirmed. */
export const wanted = new Observed<readonly File[]>([]);

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

/** Sends the archive of a plugin. Resolves with where the plugin stands, which can be on its way. */
async function uploadPlugin(
  host: HostClient,
  archive: File,
  progressed: (share: number) => void,
): Promise<PluginState> {
  const body = archive.slice(0, archive.size, "application/octet-stream");
  const answer = await upload<{ plugin: PluginState }>(host, { path: "api/plugins", body, progressed });
  return answer.plugin;
}
