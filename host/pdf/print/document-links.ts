/**
 * The absolute paths by which a document refers to its resources, and how they become addresses that the browser may
 * keep.
 *
 * Two documents must not see each other's pictures, and yet the same picture should be loaded and decoded once. An
 * address of the document's own origin is never kept across documents (the page moves to another origin after a
 * document that used one). For the content-addressed paths that a document names literally, and that its resources
 * do have, the address is replaced by one with a secret in it, the same for the same content in all documents. Who
 * does not have the content cannot know the secret, so a kept picture is no way to read it. A path written in some
 * other way (with character references, say) is still found at the document's own origin: slower, not less safe.
 */
import { createHmac } from "node:crypto";

/** Paths with the hash of their content. */
const paths = /\/(?:assets\/[0-9a-f]{64}|templates\/[\w.-]{8,128}\/[\w./-]{1,300})/g;
/** What stands behind a path where it ends. */
const pathEnd = /["'\s>)#]/;

/** The distinct content-addressed paths in a document. */
export function linkedPaths(html: string): Set<string> {
  return new Set(Array.from(links(html), ({ path }) => path));
}

/** Replaces the paths that `addresses` knows by their addresses. */
export function replaceLinks(html: string, addresses: ReadonlyMap<string, string>): string {
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
    // Each piece of the document is looked at for the path at its end alone, however many blanks it has.
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
export function tokenOf(key: Buffer, path: string): string {
  return createHmac("sha256", key).update(path).digest("base64url").slice(0, 32);
}
