/** Milliseconds. */
const shortWait = 500;
/** Half of the requests that a plugin works on at a time, as long as nobody configures otherwise. */
const mostWaiting = 8;
const mostServers = 1000;

/**
 * How long lists wait for the servers of stores. A server that hangs must not hold all requests that a plugin works on:
 * only so many lists at a time wait as long as a store may take, and none as long as it is known to hang.
 */
export class StorePatience {
  private readonly hanging = new Set<string>();
  private readonly waiting = new Map<string, number>();

  /** `timeout`: how long a store may take, in milliseconds. */
  constructor(private readonly timeout: number) {}

  /** Waits for the answer of a server; for too long, it is what `late` gives. */
  async wait<T>(server: string, answer: Promise<T>, late: (waited: number) => T): Promise<T> {
    const before = this.waiting.get(server) ?? 0;
    const isShort = this.hanging.has(server) || before >= mostWaiting;
    if (isShort) return await within(Math.min(shortWait, this.timeout), answer, late);
    this.waiting.set(server, before + 1);
    try {
      return await within(this.timeout, answer, late);
    } finally {
      const left = (this.waiting.get(server) ?? 1) - 1;
      if (left > 0) this.waiting.set(server, left);
      else this.waiting.delete(server);
    }
  }

  /** What a question came to that a server had its whole time for. */
  note(server: string, hangs: boolean): void {
    if (!hangs) this.hanging.delete(server);
    else if (this.hanging.size < mostServers) this.hanging.add(server);
  }
}

async function within<T>(milliseconds: number, answer: Promise<T>, late: (waited: number) => T): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const end = new Promise<T>((resolve) => {
    timer = setTimeout(() => resolve(late(milliseconds)), milliseconds);
  });
  try {
    return await Promise.race([answer, end]);
  } finally {
    clearTimeout(timer);
  }
}
