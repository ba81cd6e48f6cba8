import type { LimitedFetch } from "../../runtime/services/host-services.js";
import { checkLink, foreignServer, linkTooLarge, linkUrl } from "../../runtime/services/outgoing-link.js";
import type { TestHostOptions } from "../test-host.js";

/** Answers what the test gives for a URL, and refuses all others as a host does that is not allowed to ask there. */
export function givenFetch(given: NonNullable<TestHostOptions["fetch"]>): LimitedFetch {
  return async (link, { maxBytes = Number.POSITIVE_INFINITY }) => {
    const url = linkUrl(link);
    checkLink(url);
    const answer = Object.hasOwn(given, link) ? given[link] : undefined;
    if (answer === undefined) throw foreignServer(url);
    const fetched = typeof answer === "function" ? await answer() : answer;
    const { status = 200, mediaType = "application/octet-stream" } = fetched;
    const content = typeof fetched.content === "string" ? Buffer.from(fetched.content) : fetched.content;
    if (content.byteLength > maxBytes) throw linkTooLarge(maxBytes);
    return { status, mediaType, content };
  };
}
