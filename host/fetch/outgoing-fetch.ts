import { type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { type Log, RequestError } from "@slipway/sdk";
import {
  type Facts,
  linkTooLarge,
  linkUrl,
  refusedLink,
  untraced,
  type Work,
} from "@slipway/sdk/runtime/host";
import type { FetchConfiguration } from "../configuration/fetch-configuration.js";
import { AddressPolicy } from "./address-policy.js";

const redirectStatus = new Set([301, 302, 303, 307, 308]);

export interface FetchLimits {
  signal: AbortSignal;
  /** Limit in bytes; capped by the configuration. */
  maxBytes?: number;
  /** Sent only to the origin of the URL, not to other redirect targets. */
  headers?: Readonly<Record<string, string>>;
  /** The work that the request belongs to. Default: the host itself. */
  work?: Work;
}

export interface FetchedContent {
  status: number;
  /** Lower case, without parameters; "application/octet-stream" by default. */
  mediaType: string;
  content: Uint8Array;
  etag: string | undefined;
}

export type OutgoingFetch = (url: string, limits: FetchLimits) => Promise<FetchedContent>;

/**
 * A GET client for servers that the configuration allows. Rejects with a `RequestError`: 403 `request-forbidden`, 413
 * `request-too-large`, 502 `fetch-error`, 504 `request-timeout`; and with the signal's reason.
 */
export function createOutgoingFetch(options: {
  configuration: FetchConfiguration;
  /** https only for public servers. */
  secure?: boolean;
  log: Log;
}): OutgoingFetch {
  const { configuration, secure = false, log } = options;
  const policy = new AddressPolicy(configuration, secure);
  const own = untraced(log);
  return async (address, limits) => {
    const signal = AbortSignal.any([limits.signal, AbortSignal.timeout(configuration.timeout)]);
    const maxBytes = Math.min(limits.maxBytes ?? configuration.maxBytes, configuration.maxBytes);
    let url = linkUrl(address);
    const { origin } = url;
    for (let redirects = 0; redirects <= configuration.redirects; redirects++) {
      policy.checkUrl(url);
      const { work = own } = limits;
      try {
        const asked = url;
        const given = url.origin === origin ? limits.headers : {};
        const answer = await work.step(
          "GET",
          (step) => {
            // Only explicitly configured servers receive trace headers.
            const headers = { ...(policy.isNamed(asked) && step.traceHeaders), ...given };
            return get(asked, policy, configuration, { signal, maxBytes, headers, step });
          },
          { isOutgoing: true, facts: serverFacts(asked) },
        );
        if (!(answer instanceof URL)) return answer;
        url = answer;
      } catch (error) {
        limits.signal.throwIfAborted();
        work.log.info("an outgoing request failed", { host: url.host, error });
        throw explained(error);
      }
    }
    throw refusedLink(`The link leads to more than ${configuration.redirects} redirects.`);
  };
}

/** The response, or the redirect target. */
async function get(
  url: URL,
  policy: AddressPolicy,
  configuration: FetchConfiguration,
  limits: { signal: AbortSignal; maxBytes: number; headers: FetchLimits["headers"]; step: Work },
): Promise<FetchedContent | URL> {
  const response = await responseOf(url, policy, configuration, limits);
  try {
    const { statusCode: status = 0 } = response;
    limits.step.note({ "http.response.status_code": status });
    const { location, "content-type": type, "content-length": length, etag } = response.headers;
    if (redirectStatus.has(status) && location !== undefined) return linkUrl(location, url);
    if (Number(length ?? 0) > limits.maxBytes) throw linkTooLarge(limits.maxBytes);
    const parts: Buffer[] = [];
    let bytes = 0;
    for await (const part of response) {
      const data = Buffer.from(part);
      bytes += data.length;
      if (bytes > limits.maxBytes) throw linkTooLarge(limits.maxBytes);
      parts.push(data);
    }
    return {
      status,
      mediaType: mediaTypeOf(type),
      content: Buffer.concat(parts),
      etag,
    };
  } finally {
    response.destroy();
  }
}

/** The response without its body. A body that is late, or not wanted any more, ends with the reason. */
function responseOf(
  url: URL,
  policy: AddressPolicy,
  { connectTimeout, readTimeout }: FetchConfiguration,
  { signal, headers }: { signal: AbortSignal; headers: FetchLimits["headers"] },
): Promise<IncomingMessage> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const isSecure = url.protocol === "https:";
    const send = isSecure ? requestHttps : requestHttp;
    const request = send(url, { agent: false, headers: { ...headers }, lookup: policy.lookupFor(url) });
    let response: IncomingMessage | undefined;
    const end = (reason: Error): void => {
      response?.destroy(reason);
      request.destroy(reason);
    };
    const late = (what: string): void => end(new DOMException(`No ${what} in time`, "TimeoutError"));
    const aborted = (): void => end(signal.reason);
    const connecting = setTimeout(() => late("connection"), connectTimeout);
    signal.addEventListener("abort", aborted, { once: true });
    request.setTimeout(readTimeout, () => late("response"));
    request.once("socket", (socket) => {
      socket.once(isSecure ? "secureConnect" : "connect", () => clearTimeout(connecting));
    });
    request.once("close", () => {
      clearTimeout(connecting);
      signal.removeEventListener("abort", aborted);
      // Neither of the other events comes when a server switches the protocol.
      reject(new Error("The connection ended without a response"));
    });
    request.on("error", reject);
    request.once("response", (received) => {
      response = received;
      // The reader of the body gets the error.
      received.on("error", () => undefined);
      resolve(received);
    });
    request.end();
  });
}

/** Without path and query, which may contain secrets. */
function serverFacts(url: URL): Facts {
  const port = url.port === "" ? undefined : Number(url.port);
  return {
    "http.request.method": "GET",
    "url.scheme": url.protocol.slice(0, -1),
    "server.address": url.hostname,
    "server.port": port,
  };
}

function mediaTypeOf(header: string | string[] | undefined): string {
  const type = String(header ?? "").split(";", 1)[0] ?? "";
  return type.trim().toLowerCase() || "application/octet-stream";
}

function explained(error: unknown): RequestError {
  if (error instanceof RequestError) return error;
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const late = code.includes("TIMEOUT") || (error instanceof Error && error.name === "TimeoutError");
  if (late) {
    return new RequestError({
      id: "request-timeout",
      code: 504,
      message: "The server did not answer in time.",
      reason: error,
    });
  }
  return new RequestError({
    id: "fetch-error",
    code: 502,
    message: "The server cannot be reached.",
    reason: error,
  });
}
