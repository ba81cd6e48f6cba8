import { RequestError } from "../../schema/errors.js";

/** 403 for a forbidden URL. The message is for clients and has no resolved address. */
export function refusedLink(message: string): RequestError {
  return new RequestError({ id: "request-forbidden", code: 403, message });
}

/** The URL of a link, which may be relative to another one. Throws a 403 for an invalid one. */
export function linkUrl(link: string, base?: URL): URL {
  if (!URL.canParse(link, base?.href)) throw refusedLink("The link is not a valid URL.");
  return new URL(link, base?.href);
}

/** Throws a 403 for other schemes and for credentials. */
export function checkLink(url: URL): void {
  if (url.protocol !== "http:" && url.protocol !== "https:")
    throw refusedLink("Only http and https links are loaded.");
  if (url.username !== "" || url.password !== "") throw refusedLink("Links with credentials are not loaded.");
}

/** 403 for a server that is not on the list. */
export function foreignServer(url: URL): RequestError {
  return refusedLink(
    `The host may not load links from ${url.host}. Its admin can allow this server (fetch.allowedHosts).`,
  );
}

/** 413 for what a server sends beyond a limit in bytes. */
export function linkTooLarge(limit: number): RequestError {
  return new RequestError({
    id: "request-too-large",
    code: 413,
    message: `The file of the link is larger than the ${limit} bytes that are allowed.`,
  });
}
