import { RefusedRequest } from "../../preview/refused-request.js";
import type { PluginState } from "./answers.js";
import { errorOf, type HostClient } from "./host-client.js";

/**
 * Sends the archive of a plugin; `progress` hears of the share that is sent, from 0 to 1. Resolves with where the plugin
 * stands, which can be on its way. Rejects with a `RefusedRequest`.
 */
export function uploadPlugin(
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
