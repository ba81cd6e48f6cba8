/**
 * Who answers for which address inside the browser: the origins of pages and the shared, kept contents; the absolute
 * paths by which a document refers to its resources, and how they become addresses that the browser may keep.
 *
 * Two documents must not see each other's pictures, and yet the same picture should be loaded and decoded once. An
 * address of the document's own origin is never kept across documents (the page moves to another origin after a
 * document that used one). For the content-addressed paths that a document names literally, and that its resources
 * do have, the address is replaced by one with a secret in it, the same for the same content in all documents. Who
 * does not have the content cannot know the secret, so a kept picture is no way to read it. A path written in some
 * other way (with character references, say) is still found at the document's own origin: slower, not less safe.
 */

import { createHmac, randomBytes } from "node:crypto";
import type { DocumentResources } from "@slipway/sdk/runtime/host";
import { LRUCache } from "lru-cache";
import type { LoadedResource, Pictures } from "../../pictures/pictures.js";
import { withTimeout } from "../../system/time.js";

/** Documents are loaded from names below this one, which lead nowhere outside of the host's own browser. */
export const internalDomain = "slipway.internal";

const loadTimeout = 10_000;

/** What the proxy sends: a page to start from, or a resource. */
export interface Answer extends LoadedResource {
  /** May the browser keep it for other documents? */
  kept: boolean;
  contentSecurityPolicy?: string;
}

/** The origin of one page. Its document may change; `used`: addresses of the origin itself were requested. */
export interface PageOrigin {
  url: string;
  scripts: boolean;
  used: boolean;
  document: RunningDocument | undefined;
}

/** A document from its preparation to the end of its print. */
export interface RunningDocument {
  resources: DocumentResources;
  /** Paths that were asked for and not found, for the errors of the result. */
  missing: Set<string>;
  /** How many of its pictures are ready, or left out. */
  loaded: number;
  /** Why pictures were left out, by their paths. */
  refused: Map<string, string>;
  /** Secrets of the contents that it uses. */
  tokens: string[];
}

export class DocumentOrigins {
  private readonly key = randomBytes(32);
  private readonly contentHost = `content-${randomBytes(8).toString("hex")}.${internalDomain}`;
  private readonly pages = new Map<string, PageOrigin>();
  private readonly contents = new Map<string, { path: string; holders: Set<RunningDocument> }>();
  /** Bytes of kept contents by their secrets. */
  private readonly sizes = new LRUCache<string, number>({ max: 10_000 });

  constructor(private readonly pictures: Pictures) {}

  /** A new origin, never used before. */
  openPage(scripts: boolean): PageOrigin {
    const host = `page-${randomBytes(8).toString("hex")}.${internalDomain}`;
    const origin: PageOrigin = { url: `http://${host}/`, scripts, used: false, document: undefined };
    this.pages.set(host, origin);
    return origin;
  }

  closePage(origin: PageOrigin): void {
    this.pages.delete(new URL(origin.url).host);
  }

  /** Registers a document and gives its HTML with the addresses of kept contents; `end` it afterwards. */
  async begin(
    html: string,
    resources: DocumentResources,
  ): Promise<{ document: RunningDocument; html: string }> {
    const document: RunningDocument = {
      resources,
      loaded: 0,
      missing: new Set(),
      refused: new Map(),
      tokens: [],
    };
    const addresses = new Map<string, string>();
    await Promise.all(
      [...linkedPaths(html)].map(async (path) => {
        if (!(await isThere(resources, path))) return;
        const token = tokenOf(this.key, path);
        addresses.set(path, `http://${this.contentHost}/${token}`);
        const content = this.contents.get(token) ?? { path, holders: new Set() };
        content.holders.add(document);
        this.contents.set(token, content);
        document.tokens.push(token);
      }),
    );
    return { document, html: addresses.size === 0 ? html : replaceLinks(html, addresses) };
  }

  end(document: RunningDocument): void {
    for (const token of document.tokens) {
      const content = this.contents.get(token);
      content?.holders.delete(document);
      if (content?.holders.size === 0) this.contents.delete(token);
    }
  }

  /** Bytes of the kept contents of a document, as far as they were ever loaded. */
  contentBytes(document: RunningDocument): number {
    return document.tokens.reduce((sum, token) => sum + (this.sizes.get(token) ?? 0), 0);
  }

  /** What is at an address; undefined: refused or not found. Rejects with the signal's reason. */
  async answer(url: URL, signal: AbortSignal): Promise<Answer | undefined> {
    if (url.protocol !== "http:" || url.port !== "") return undefined;
    if (url.host === this.contentHost) return this.keptContent(url.pathname.slice(1), signal);
    const page = this.pages.get(url.host);
    if (page === undefined) return undefined;
    if (url.pathname === "/") return this.startPage(page);
    if (url.pathname === browserIcon) return undefined;
    page.used = true;
    const found =
      page.document && (await this.resource(page.document, [page.document], url.pathname, signal));
    return found && { ...found, kept: false };
  }

  private async keptContent(token: string, signal: AbortSignal): Promise<Answer | undefined> {
    const content = this.contents.get(token);
    if (content === undefined) return undefined;
    for (const holder of content.holders) {
      const found = await this.resource(holder, content.holders, content.path, signal);
      if (found === undefined) continue;
      this.sizes.set(token, found.content.length);
      return { ...found, kept: true };
    }
    return undefined;
  }

  /** A resource of a document, ready for printing; a picture that is left out is noted in all `askers`. */
  private async resource(
    document: RunningDocument,
    askers: Iterable<RunningDocument>,
    path: string,
    signal: AbortSignal,
  ): Promise<LoadedResource | undefined> {
    if (document.refused.has(path)) return undefined;
    const found = await load(document.resources, path);
    if (found === undefined) {
      document.missing.add(path);
      return undefined;
    }
    const printed = await this.pictures.printed(found, { owner: document, signal });
    for (const asker of askers) asker.loaded++;
    if (!("problem" in printed)) return printed;
    for (const asker of askers) asker.refused.set(path, printed.problem);
    return undefined;
  }

  /**
   * The policy comes with the page's first, empty document and applies to all that are set into it: policies inside
   * of documents would add up. It also keeps frames, plugins and all other origins out.
   */
  private startPage(page: PageOrigin): Answer {
    const own = `'self' data: http://${this.contentHost}`;
    const scripts = page.scripts ? "'unsafe-inline' 'self'" : "'none'";
    return {
      mediaType: "text/html",
      content: new TextEncoder().encode("<!doctype html><title></title>"),
      kept: false,
      contentSecurityPolicy:
        `default-src 'none'; script-src ${scripts}; style-src 'unsafe-inline' ${own}; img-src ${own}; ` +
        `font-src ${own}; form-action 'none'; base-uri 'none'; frame-src 'none'; object-src 'none'`,
    };
  }
}

/** What full browsers ask for of themselves, once for each page; no document has it. */
const browserIcon = "/favicon.ico";

async function isThere(resources: DocumentResources, path: string): Promise<boolean> {
  if (resources.has !== undefined) return resources.has(path);
  return (await load(resources, path)) !== undefined;
}

/** A load that takes too long counts as not found, so that one slow picture does not cost the report. */
async function load(resources: DocumentResources, path: string): Promise<LoadedResource | undefined> {
  const none = () => undefined;
  return await withTimeout(resources.load(path).catch(none), loadTimeout, none);
}

/** Paths with the hash of their content. */
const paths = /\/(?:assets\/[0-9a-f]{64}|templates\/[\w.-]{8,128}\/[\w./-]{1,300})/g;
/** The character after a path. */
const pathEnd = /["'\s>)#]/;

/** The distinct content-addressed paths in a document. */
function linkedPaths(html: string): Set<string> {
  return new Set(Array.from(links(html), ({ path }) => path));
}

/** Replaces the paths that `addresses` knows by their addresses. */
function replaceLinks(html: string, addresses: ReadonlyMap<string, string>): string {
  let replaced = "";
  let done = 0;
  for (const { path, index } of links(html)) {
    const address = addresses.get(path);
    if (address === undefined) continue;
    replaced += html.slice(done, index) + address;
    done = index + path.length;
  }
  return replaced + html.slice(done);
}

/** The paths after something that makes them an address and not visible text. */
function* links(html: string): Generator<{ path: string; index: number }> {
  let previous = 0;
  for (const { 0: path, index } of html.matchAll(paths)) {
    // Each piece of the document is checked only for the path at its end, however many blanks it has.
    const before = html.slice(previous, index);
    if (pathEnd.test(html.charAt(index + path.length)) && makesAddress(before)) yield { path, index };
    previous = index;
  }
}

/** Whether a text ends with the name of an attribute that has an address, its equals sign and perhaps a quote, or with `url(`. */
function makesAddress(before: string): boolean {
  const unquoted = before.trimEnd().replace(/["']$/, "").trimEnd();
  if (unquoted.endsWith("url(")) return true;
  return unquoted.endsWith("=") && /\b(?:src|href|poster)$/.test(unquoted.slice(0, -1).trimEnd().slice(-7));
}

/** The secret of a path: the same in all documents, not to be found without the key. */
function tokenOf(key: Buffer, path: string): string {
  return createHmac("sha256", key).update(path).digest("base64url").slice(0, 32);
}
