import type { HostClient } from "./host-client.js";
import { errorOf, RefusedRequest } from "./refusal.js";

/** An upload to a path below the host. */
export interface Upload {
  path: string;
  /** A file with its media type, or a form. */
  body: Blob | FormData;
  /** Receives the uploaded share, from 0 to 1. */
  progressed(share: number): void;
  /** Cancels the upload, which then rejects with the reason. */
  signal?: AbortSignal;
}

/** POSTs a large body; resolves with the response. Rejects with a `RefusedRequest`. */
export async function upload<Answer>(host: HostClient, given: Upload): Promise<Answer> {
  const { status, responseText } = await sent(host, given);
  if (status < 200 || status >= 300) throw host.refused(status, errorOf(status, responseText));
  return JSON.parse(responseText);
}

function sent(host: HostClient, { path, body, progressed, signal }: Upload): Promise<XMLHttpRequest> {
  return new Promise((resolve, reject) => {
    // `fetch` does not report upload progress.
    const request = new XMLHttpRequest();
    request.open("POST", host.address(path));
    for (const [name, value] of Object.entries(host.headers())) request.setRequestHeader(name, value);
    if (body instanceof Blob)
      request.setRequestHeader("Content-Type", body.type || "application/octet-stream");
    request.upload.addEventListener("progress", ({ loaded, total }) =>
      progressed(total > 0 ? loaded / total : 0),
    );
    request.upload.addEventListener("load", () => progressed(1));
    request.addEventListener("error", () =>
      reject(
        new RefusedRequest({ id: "host-away", code: 0, message: "The connection to the host was lost." }),
      ),
    );
    request.addEventListener("load", () => resolve(request));
    signal?.addEventListener("abort", () => {
      request.abort();
      reject(signal.reason);
    });
    request.send(body);
  });
}
