import type { HostClient } from "../../client/host-client.js";

/** Numbers of pictures that are fetched at a time, and cached. */
const mostAtOnce = 6;
const mostKept = 400;

/** The pictures of a project by SHA-256. Fetched on demand, because an `img` element cannot send the key. */
export class Pictures {
  private readonly fetched = new Map<string, Promise<string>>();
  private readonly waiting: (() => void)[] = [];
  private readonly closing = new AbortController();
  private running = 0;

  constructor(
    private readonly host: HostClient,
    private readonly sessionId: string,
  ) {}

  /** A blob URL of the picture. Rejects if the host does not have it. */
  address(sha256: string): Promise<string> {
    const known = this.fetched.get(sha256);
    // Least recently used first.
    this.fetched.delete(sha256);
    const address = known ?? this.fetch(sha256);
    this.fetched.set(sha256, address);
    if (this.fetched.size > mostKept) this.forget([...this.fetched.keys()].slice(0, mostKept / 4));
    return address;
  }

  close(): void {
    this.closing.abort();
    this.forget([...this.fetched.keys()]);
  }

  private async fetch(sha256: string): Promise<string> {
    const waits = this.running >= mostAtOnce;
    if (waits) await new Promise<void>((resolve) => this.waiting.push(resolve));
    this.running += 1;
    try {
      // Scrolling through a large project needs more pictures than the host's rate limit allows.
      if (waits && !this.fetched.has(sha256)) throw new Error("The picture is not wanted any more.");
      const { sessionId } = this;
      const input = { params: { sessionId, sha256 }, query: { form: "shown" } } as const;
      const response = await this.host.response(
        "GET /api/sessions/:sessionId/assets/:sha256",
        input,
        this.closing.signal,
      );
      return URL.createObjectURL(await response.blob());
    } catch (error) {
      this.fetched.delete(sha256);
      throw error;
    } finally {
      this.running -= 1;
      this.waiting.pop()?.();
    }
  }

  private forget(names: readonly string[]): void {
    for (const name of names) {
      const address = this.fetched.get(name);
      this.fetched.delete(name);
      address?.then(URL.revokeObjectURL, () => undefined);
    }
  }
}
