/** The description of the API, read without a key: it is for everybody, and a key that does not count would be refused. */
import { requestLine } from "../client/operations.js";

/** What the page itself needs of the description. */
export interface DescribedHost {
  version: string;
  releases: string[];
  defaultRelease: string;
}

/** The address of the description of a release, or of all. */
export function descriptionAddress(release?: string): string {
  const query = release === undefined ? {} : { query: { release } };
  return `../${requestLine("GET /openapi.json", query)[1]}`;
}

/** Rejects with a sentence when the host does not answer with a description. */
export async function describedHost(): Promise<DescribedHost> {
  const answer = await fetch(descriptionAddress(), { cache: "no-cache" });
  if (!answer.ok) throw new Error(`The host answered with status ${answer.status}.`);
  const { info }: { info: { version: string; "x-slipway": Omit<DescribedHost, "version"> } } =
    await answer.json();
  return { version: info.version, ...info["x-slipway"] };
}

/** Changes with the description; undefined where nobody answers, or where there is none any more. */
export async function markOf(release: string): Promise<string | undefined> {
  const init = { method: "HEAD", cache: "no-store" } as const;
  const answer = await fetch(descriptionAddress(release), init).catch(() => undefined);
  return answer?.ok ? (answer.headers.get("ETag") ?? undefined) : undefined;
}
