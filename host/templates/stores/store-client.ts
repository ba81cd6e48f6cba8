/** HTTP client for template stores. */
import { createHash } from "node:crypto";
import type { FetchResponse, Log } from "@slipway/sdk";
import type { TemplateStoreConfiguration } from "../../configuration/templates-configuration.js";
import { createOutgoingFetch, type OutgoingFetch } from "../../fetch/fetch.js";
import { Rejection } from "../../system/errors.js";
import type { StoreAccess } from "./store-address.js";
import { StoreFailure } from "./store-failure.js";
import { indexFile, readStoreIndex, type StoreEntry } from "./store-index.js";

/** An index with its ETag for the next request. */
export interface FetchedIndex {
  entries: readonly StoreEntry[];
  etag: string | undefined;
}

const redirects = 3;

export class StoreClient {
  private readonly fetch: OutgoingFetch;

  constructor(
    private readonly configuration: TemplateStoreConfiguration,
    log: Log,
  ) {
    const { url, allowedHosts, allowedInternalHosts, timeout, indexBytes, archiveBytes } = configuration;
    const own = url === undefined ? [] : [new URL(url).host];
    this.fetch = createOutgoingFetch({
      configuration: {
        allowedHosts: [...own, ...allowedHosts],
        allowedInternalHosts,
        connectTimeout: timeout,
        readTimeout: timeout,
        timeout,
        maxBytes: Math.max(indexBytes, archiveBytes),
        redirects,
      },
      secure: true,
      log,
    });
  }

  /** The current index; `known` itself when unchanged. Rejects with `StoreFailure` or `RequestError`. */
  async index(
    access: StoreAccess,
    known: FetchedIndex | undefined,
    signal: AbortSignal,
  ): Promise<FetchedIndex> {
    const { indexBytes, templates } = this.configuration;
    const condition = known?.etag === undefined ? {} : { "If-None-Match": known.etag };
    const headers = { ...authorization(access), ...condition, Accept: "application/json" };
    const answer = await this.fetch(new URL(indexFile, access.url).href, {
      signal,
      maxBytes: indexBytes,
      headers,
    });
    if (known?.etag !== undefined && answer.status === 304) return known;
    requireSuccess(answer);
    return { entries: readStoreIndex(answer.content, templates), etag: answer.headers["etag"] };
  }

  /** The archive of an entry, verified by size and hash. Rejects with `Rejection`, `StoreFailure` or `RequestError`. */
  async archive(access: StoreAccess, entry: StoreEntry, signal: AbortSignal): Promise<Buffer> {
    const { archiveBytes } = this.configuration;
    const { bytes, sha256 } = entry;
    if (bytes > archiveBytes)
      throw new Rejection(`its archive has ${bytes} bytes; at most ${archiveBytes} are taken`);
    const url = archiveUrl(access, entry);
    // One extra byte is enough to detect an oversized archive.
    const maxBytes = Math.min(bytes + 1, archiveBytes);
    const answer = await this.fetch(url.href, { signal, maxBytes, headers: authorization(access) });
    requireSuccess(answer);
    const content = Buffer.from(answer.content);
    if (content.length !== bytes)
      throw new Rejection(`its archive has ${content.length} bytes; the index says ${bytes}`);
    if (createHash("sha256").update(content).digest("hex") !== sha256)
      throw new Rejection("its archive has another hash than the index says");
    return content;
  }
}

function authorization({ token }: StoreAccess): Record<string, string> {
  return token === "" ? {} : { Authorization: `Bearer ${token}` };
}

function archiveUrl({ url }: StoreAccess, { archive }: StoreEntry): URL {
  const found = URL.canParse(archive, url.href) ? new URL(archive, url.href) : undefined;
  if (found === undefined || found.origin !== url.origin || found.username !== "" || found.password !== "")
    throw new Rejection("its archive is on another server than the index");
  return found;
}

function requireSuccess({ status }: FetchResponse): void {
  if (status === 200) return;
  const isRefused = status === 401 || status === 403;
  throw isRefused
    ? new StoreFailure(`The store refused the request (${status}).`, true)
    : new StoreFailure(`The store answered with status ${status}.`);
}
