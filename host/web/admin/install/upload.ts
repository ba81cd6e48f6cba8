import { asError } from "../../../system/errors.js";
import type { HostClient } from "../../client/host-client.js";
import { Observed } from "../../client/observed.js";
import type { PluginState } from "../../client/operations.js";
import { errorOf, RefusedRequest } from "../../client/refusal.js";

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

/**
 * Sends the archive of a plugin; `progress` hears of the share that is sent, from 0 to 1. Resolves with where the plugin
 * stands, which can be on its way. Rejects with a `RefusedRequest`.
 */
function uploadPlugin(
  host: HostClient,
  archive: File,
  progress: (share: number) => void,
): Promise<PluginState> {
  return new Promise((resolve, reject) => {
    // Unlike `fetch` it tells how much is sent.
    const request = new XMLHttpRequest();
    request.open("POST", host.address("api/plugins"));
    for (const [name, value] of Object.entries(host.headers())) request.setRequestHeader(name, value);
    request.setRequestHeader("Content-Type", "application/octet-stream");
    request.upload.addEventListener("progress", ({ loaded, total }) =>
      progress(total > 0 ? loaded / total : 0),
    );
    request.upload.addEventListener("load", () => progress(1));
    request.addEventListener("error", () =>
      reject(
        new RefusedRequest({ id: "host-away", code: 0, message: "The connection to the host was lost." }),
      ),
    );
    request.addEventListener("load", () => {
      const { status, responseText } = request;
      if (status !== 201 && status !== 202)
        return reject(host.refused(status, errorOf(status, responseText)));
      const answer: { plugin: PluginState } = JSON.parse(responseText);
      resolve(answer.plugin);
    });
    request.send(archive);
  });
}
