/**
 * Requests to other servers: the door of this folder.
 *
 * In: an address with method, headers and body; the rules of the admin (`fetch`, `templates.store`, `eaiws.server`).
 * Out: the response, or the `RequestError` with the reason of the failure.
 * Owns: nothing. `address-policy.ts` decides which servers may be contacted.
 */
import { type IncomingHttpHeaders, type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { type FetchMethod, type FetchResponse, type Log, RequestError } from "@slipway/sdk";
import {
  type Facts,
  type LimitedRequest,
  linkTooLarge,
  linkUrl,
  refusedLink,
  timeLimit,
  untraced,
  type Work,
} from "@slipway/sdk/runtime/host";
import type { FetchConfiguration } from "../configuration/fetch-configuration.js";
import { AddressPolicy } from "./address-policy.js";

export { isServer } from "./address-policy.js";

const redirectStatus = new Set([301, 302, 303, 307, 308]);

/** What a request may leave out: GET, without headers and body, as large as the configuration allows, for the host itself. */
export type OutgoingRequest = Partial<LimitedRequest> &
  Pick<LimitedRequest, "signal"> & {
    /** The answer is its status: the body is not read, and a redirect is not followed. */
    isStatusOnly?: true;
    /** Headers for the first server alone: they are sent to no address that it redirects to. */
    credentials?: LimitedRequest["headers"];
    /** Called for all buffered bytes of the body; may throw. */
    take?: (bytes: number) => void;
  };

export type OutgoingFetch = (url: string, request: OutgoingRequest) => Promise<FetchResponse>;

/**
 * A client for servers that the configuration allows. Rejects with a `RequestError`: 403 `request-forbidden`, 413
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
  return async (address, limits) => {
    const { headers: own = {}, work = untraced(log), credentials, take } = limits;
    const signal = AbortSignal.any([limits.signal, timeLimit(configuration.timeout)]);
    const maxBytes = Math.min(limits.maxBytes ?? configuration.maxBytes, configuration.maxBytes);
    let url = linkUrl(address);
    let { method = "GET", body } = limits;
    const { origin } = url;
    for (let redirects = 0; redirects <= configuration.redirects; redirects++) {
      limits.permit?.(url);
      policy.checkUrl(url);
      try {
        const asked = { url, method, body };
        const given = { ...(url.origin === origin && own), ...(redirects === 0 && credentials) };
        const answer = await work.step(
          method,
          (step) => {
            // Only explicitly configured servers receive trace headers.
            const headers = { ...(policy.isNamed(asked.url) && step.traceHeaders), ...given };
            const { isStatusOnly = false } = limits;
            return exchange(asked, policy, configuration, {
              signal,
              maxBytes,
              headers,
              step,
              isStatusOnly,
              take,
            });
          },
          { isOutgoing: true, facts: serverFacts(asked) },
        );
        if (!("location" in answer)) return answer;
        url = answer.location;
        if (!isRepeated(method, answer.status)) {
          method = "GET";
          body = undefined;
        }
        if (body !== undefined && url.origin !== origin)
          throw refusedLink("The server redirects the body of the request to another server.");
      } catch (error) {
        limits.signal.throwIfAborted();
        work.log.info("an outgoing request failed", { host: url.host, error });
        throw explained(error);
      }
    }
    throw refusedLink(`The link leads to more than ${configuration.redirects} redirects.`);
  };
}

/** Throws 400 or 403 for a link to a server that the configuration does not allow; `secure` as of the client. */
export function checkTarget(link: string, configuration: FetchConfiguration, secure: boolean): void {
  new AddressPolicy(configuration, secure).checkUrl(linkUrl(link));
}

/** Whether a redirect is followed with the method and the body of the request. */
function isRepeated(method: FetchMethod, status: number): boolean {
  return method === "GET" || method === "HEAD" || status === 307 || status === 308;
}

/** A request to one server. */
interface AskedServer {
  url: URL;
  method: FetchMethod;
  body: Uint8Array | undefined;
}

interface RedirectTarget {
  status: number;
  location: URL;
}

/** The response, or the redirect target. */
async function exchange(
  asked: AskedServer,
  policy: AddressPolicy,
  configuration: FetchConfiguration,
  limits: {
    signal: AbortSignal;
    maxBytes: number;
    headers: LimitedRequest["headers"];
    step: Work;
    isStatusOnly: boolean;
    take: OutgoingRequest["take"];
  },
): Promise<FetchResponse | RedirectTarget> {
  const response = await responseOf(asked, policy, configuration, limits);
  try {
    const { statusCode: status = 0 } = response;
    limits.step.note({ "http.response.status_code": status });
    const { location, "content-type": type, "content-length": length } = response.headers;
    const headers = shownHeaders(response.headers);
    if (limits.isStatusOnly)
      return { status, mediaType: mediaTypeOf(type), headers, content: Buffer.alloc(0) };
    if (redirectStatus.has(status) && location !== undefined)
      return { status, location: linkUrl(location, asked.url) };
    // The response to HEAD has the length of a body that does not come.
    if (asked.method !== "HEAD" && Number(length ?? 0) > limits.maxBytes) throw linkTooLarge(limits.maxBytes);
    const parts: Buffer[] = [];
    let bytes = 0;
    for await (const part of response) {
      const data = Buffer.from(part);
      bytes += data.length;
      if (bytes > limits.maxBytes) throw linkTooLarge(limits.maxBytes);
      limits.take?.(data.length);
      parts.push(data);
    }
    return {
      status,
      mediaType: mediaTypeOf(type),
      headers,
      content: Buffer.concat(parts),
    };
  } finally {
    response.destroy();
  }
}

/** Without cookies, which belong to the connection of a browser. */
function shownHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : [])),
  );
}

/** The response without its body. A body that is late, or not wanted any more, ends with the reason. */
function responseOf(
  { url, method, body }: AskedServer,
  policy: AddressPolicy,
  { connectTimeout, readTimeout }: FetchConfiguration,
  { signal, headers }: { signal: AbortSignal; headers: LimitedRequest["headers"] },
): Promise<IncomingMessage> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const isSecure = url.protocol === "https:";
    const send = isSecure ? requestHttps : requestHttp;
    const request = send(url, {
      agent: false,
      method,
      headers: { ...headers },
      lookup: policy.lookupFor(url),
    });
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
    request.end(body);
  });
}

/** Without path and query, which may contain secrets. */
function serverFacts({ url, method }: AskedServer): Facts {
  const port = url.port === "" ? undefined : Number(url.port);
  return {
    "http.request.method": method,
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
      message: "The server of the link did not answer in time.",
      reason: error,
    });
  }
  return new RequestError({
    id: "fetch-error",
    code: 502,
    message: "The server of the link cannot be reached.",
    reason: error,
  });
}
