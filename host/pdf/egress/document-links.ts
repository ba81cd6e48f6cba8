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

/** Paths with the hash of their content, after something that makes them an address and not visible text. */
const links =
  /((?:\b(?:src|href|poster)\s*=\s*["']?|url\(\s*["']?)\s*)(\/(?:assets\/[0-9a-f]{64}|templates\/[\w.-]{8,128}\/[\w./-]{1,300}))(?=["'\s>)#])/g;

/** The distinct content-addressed paths in a document. */
export function linkedPaths(html: string): Set<string> {
  const paths = new Set<string>();
  for (const [, , path] of html.matchAll(links)) if (path !== undefined) paths.add(path);
  return paths;
}

/** Replaces the paths that `addressOf` knows by their addresses. */
export function replaceLinks(html: string, addresses: ReadonlyMap<string, string>): string {
  return html.replace(links, (whole, before: string, path: string) => {
    const address = addresses.get(path);
    return address === undefined ? whole : before + address;
  });
}

/** The secret of a path: the same in all documents, not to be found without the key. */
export function tokenOf(key: Buffer, path: string): string {
  return createHmac("sha256", key).update(path).digest("base64url").slice(0, 32);
}
