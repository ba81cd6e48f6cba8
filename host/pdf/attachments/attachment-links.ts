/** Loads the PDFs that come before and after a report. One that cannot be loaded is an error of the result, not of the job. */
import { RequestError, type SuppressedError, shownValue, suppressedError } from "@slipway/sdk";
import type { Work } from "@slipway/sdk/runtime/host";
import type { PdfConfiguration } from "../../configuration/pdf-configuration.js";
import { mapConcurrent } from "../../system/map-concurrent.js";

/** Fetches a URL within the policy of the host (see host/fetch). */
export type LinkFetch = (
  url: string,
  options: { signal: AbortSignal; maxBytes?: number; work: Work },
) => Promise<{ status: number; mediaType: string; content: Uint8Array }>;

/** The content of an artifact of this host; undefined for any other URL. */
export type OwnFile = (url: string) => Promise<Uint8Array | undefined>;

/** A loaded attachment, or why there is none. */
export type Attachment = { link: string; content: Uint8Array } | { link: string; error: SuppressedError };

const atOnce = 4;

/** All links in their order. `onLoaded` is called for each that is there.
 * Ends early, with errors for what is left, when the signal aborts. */
export async function loadAttachments(
  links: string[],
  sources: { fetch: LinkFetch; ownFile: OwnFile },
  limits: PdfConfiguration["attachments"],
  { work }: { work: Work },
  signal: AbortSignal,
  onLoaded: () => void,
): Promise<Attachment[]> {
  return mapConcurrent([...links.entries()], atOnce, async ([index, link]) => {
    const attachment =
      index < limits.links
        ? await load(link, sources, limits, signal, work)
        : { link, error: attachmentError(link, `only ${limits.links} attachments are allowed`) };
    if ("content" in attachment) onLoaded();
    return attachment;
  });
}

/** The suppressed error of an attachment that was left out. */
export function attachmentError(link: string, reason: string): SuppressedError {
  const shown = shortLink(link);
  return suppressedError({
    id: "attachment-error",
    message: `The attachment ${shown} was left out: ${reason}.`,
    additionalInformation: { link: shown },
  });
}

async function load(
  link: string,
  sources: { fetch: LinkFetch; ownFile: OwnFile },
  limits: PdfConfiguration["attachments"],
  signal: AbortSignal,
  work: Work,
): Promise<Attachment> {
  try {
    const content =
      (await sources.ownFile(link)) ?? (await fetched(link, sources.fetch, limits, signal, work));
    if (content.length > limits.bytes) throw new Refusal(`it has more than ${limits.bytes} bytes`);
    const head = Buffer.from(content.subarray(0, 1024)).toString("latin1");
    if (!head.includes("%PDF-")) throw new Refusal("it is not a PDF");
    return { link, content };
  } catch (error) {
    return { link, error: attachmentError(link, reasonOf(error)) };
  }
}

async function fetched(
  link: string,
  fetch: LinkFetch,
  limits: PdfConfiguration["attachments"],
  signal: AbortSignal,
  work: Work,
): Promise<Uint8Array> {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(limits.timeout)]);
  const { status, content } = await fetch(link, { signal: limited, maxBytes: limits.bytes, work });
  if (status !== 200) throw new Refusal(`its server answered ${status}`);
  return content;
}

/** A reason that is fit for a client. */
class Refusal extends Error {}

function reasonOf(error: unknown): string {
  if (error instanceof Refusal) return error.message;
  if (error instanceof RequestError) return lowered(error.message.replace(/\.$/, ""));
  if (error instanceof Error && error.name === "TimeoutError") return "its server did not answer in time";
  return "it could not be loaded";
}

function lowered(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1);
}

/** Without credentials and query, in which secrets may be. */
function shortLink(link: string): string {
  if (!URL.canParse(link)) return shownValue(link);
  const url = new URL(link);
  return `${url.protocol}//${url.host}${url.pathname}`.slice(0, 300);
}
