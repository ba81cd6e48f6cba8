import { RequestError } from "../../errors.js";
import type { LimitedFetch } from "../../runtime/services/host-services.js";
import type { TestHostOptions } from "../test-host.js";

/** Answers what the test gives for a URL, and refuses all others as a host does that is not allowed to ask there. */
export function givenFetch(given: NonNullable<TestHostOptions["fetch"]>): LimitedFetch {
  return async (url, { maxBytes = Number.POSITIVE_INFINITY }) => {
    if (!URL.canParse(url)) throw refused("The link is no valid URL.");
    const answer = Object.hasOwn(given, url) ? given[url] : undefined;
    if (answer === undefined) throw refused(`The server ${new URL(url).host} is not among the allowed ones.`);
    const fetched = typeof answer === "function" ? await answer() : answer;
    const { status = 200, mediaType = "application/octet-stream" } = fetched;
    const content = typeof fetched.content === "string" ? Buffer.from(fetched.content) : fetched.content;
    if (content.byteLength > maxBytes) throw tooLarge(maxBytes);
    return { status, mediaType, content };
  };
}

function refused(message: string): RequestError {
  return new RequestError({ id: "request-forbidden", code: 403, message });
}

function tooLarge(limit: number): RequestError {
  return new RequestError({
    id: "request-too-large",
    code: 413,
    message: `The content of the link has more than ${limit} bytes.`,
  });
}
