/**
 * The target of a request, in each form of RFC 9112, section 3.2: "/path?query", "http://host/path?query" and "*". The
 * bundle uses it in Koa instead of `parseurl`, which uses the deprecated `url.parse()`.
 */
import type { IncomingMessage } from "node:http";

/** Members have the names and values of `url.parse()`, as Koa expects; `url.format()` makes the target of them again. */
export interface RequestAddress {
  protocol: string | null;
  slashes: boolean | null;
  /** With user and port, as sent. */
  host: string | null;
  /** As sent: neither decoded nor normalised. */
  pathname: string;
  /** With its question mark. */
  search: string | null;
  query: string | null;
  hash: string | null;
}

/** Koa asks several times per request. */
const known = new WeakMap<IncomingMessage, { target: string; address: RequestAddress }>();

/** Throws for an invalid target, such as "http://[/". */
export function requestAddress(request: IncomingMessage): RequestAddress {
  const target = request.url ?? "";
  const last = known.get(request);
  if (last?.target === target) return last.address;
  const address = addressIn(target);
  known.set(request, { target, address });
  return address;
}

function addressIn(target: string): RequestAddress {
  if (target.startsWith("/") || target === "*") return { ...noAuthority, ...pathIn(target) };
  // Throws for an invalid URL.
  const { protocol } = new URL(target);
  const beginning = `${protocol}//`;
  if (!target.toLowerCase().startsWith(beginning)) throw new Error("The target has no host");
  const rest = target.slice(beginning.length);
  const end = rest.search(/[/?#]/);
  const host = end === -1 ? rest : rest.slice(0, end);
  const after = rest.slice(host.length);
  const path = pathIn(after.startsWith("/") ? after : `/${after}`);
  return { protocol, slashes: true, host, ...path };
}

const noAuthority = { protocol: null, slashes: null, host: null };

function pathIn(text: string): Pick<RequestAddress, "pathname" | "search" | "query" | "hash"> {
  const [beforeHash, hash] = cut(text, "#");
  const [pathname, search] = cut(beforeHash, "?");
  return { pathname, search, query: search?.slice(1) ?? null, hash };
}

/** The text before a sign, and the rest with it. */
function cut(text: string, sign: string): [string, string | null] {
  const index = text.indexOf(sign);
  return index === -1 ? [text, null] : [text.slice(0, index), text.slice(index)];
}
