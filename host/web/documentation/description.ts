/** What the page itself needs of the description. */
export interface DescribedHost {
  version: string;
  releases: string[];
  defaultRelease: string;
}

/** Of a release, or of all. */
export function addressOf(release?: string): string {
  return release === undefined ? "../openapi.json" : `../openapi.json?${new URLSearchParams({ release })}`;
}

/** Rejects with a sentence when the host does not answer with a description. */
export async function describedHost(): Promise<DescribedHost> {
  const answer = await fetch(addressOf(), { cache: "no-cache" });
  if (!answer.ok) throw new Error(`The host answered with status ${answer.status}.`);
  const { info }: { info: { version: string; "x-slipway": Omit<DescribedHost, "version"> } } =
    await answer.json();
  return { version: info.version, ...info["x-slipway"] };
}

/** Changes with the description; undefined where nobody answers, or where there is none any more. */
export async function markOf(address: string): Promise<string | undefined> {
  const answer = await fetch(address, { method: "HEAD", cache: "no-store" }).catch(() => undefined);
  return answer?.ok ? (answer.headers.get("ETag") ?? undefined) : undefined;
}
