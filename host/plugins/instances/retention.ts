import type { Log } from "@slipway/sdk";
import type { KnownSnapshots } from "./known-snapshots.js";

/** Soon enough for a disk, late enough to do it once for many changes, in milliseconds. */
const delay = 5000;

/** Removes snapshots that nobody needs any more, some time after something changed. */
export class Retention {
  private stopped = false;
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly snapshots: KnownSnapshots,
    /** Hashes of what runs, lies in a place, or is kept. */
    private readonly needed: () => ReadonlySet<string>,
    /** Removes what was unpacked of archives that are gone. */
    private readonly sweep: () => Promise<void>,
    private readonly log: Log,
  ) {}

  /** Something may be needed no more. */
  later(): void {
    if (this.stopped) return;
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.running = this.prune();
    }, delay).unref();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.running;
  }

  private async prune(): Promise<void> {
    try {
      await this.sweep();
      const removed = await this.snapshots.prune(this.needed());
      if (removed.length > 0)
        this.log.info("Removed versions of plugins that are not needed any more", {
          versions: removed.map(({ name, version }) => `${name}@${version}`),
        });
    } catch (error) {
      this.log.error("Versions of plugins that are not needed any more could not be removed", { error });
    }
  }
}
