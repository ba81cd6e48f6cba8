import type { SessionEndReason } from "@slipway/sdk";
import { drainBackground, type WorkingVersion } from "../background/background-work.js";
import { type EventOfSession, type HookOptions, HookQueue } from "./hook-queue.js";

/** The session hooks of all live plugins. */
export class PluginSessionHooks {
  /** By plugin; they stay, so that a version that comes back does not run beside a run that goes on. */
  private readonly queues = new Map<string, HookQueue>();
  private stopped = false;

  constructor(private readonly options: HookOptions) {}

  /** Takes the version of each live plugin that runs its hooks from now on. */
  follow(versions: readonly WorkingVersion[]): void {
    const left = new Set(this.queues.keys());
    for (const version of versions) {
      const { name } = version.plugin;
      left.delete(name);
      const queue = this.queues.get(name) ?? new HookQueue(name, this.options);
      this.queues.set(name, queue);
      queue.follow(version);
    }
    for (const name of left) this.queues.get(name)?.leave();
  }

  /** A client has opened a session. */
  opened(id: string): void {
    this.add({ id, event: { hook: "opened" } });
  }

  /** A session has ended. */
  closed(id: string, reason: SessionEndReason): void {
    this.add({ id, event: { hook: "closed", sessionId: id, reason } });
  }

  /** Goes on for some milliseconds, then leaves out what waits and ends what runs. Resolves when nothing runs any more. */
  async drain(milliseconds: number): Promise<void> {
    await drainBackground([...this.queues.values()], milliseconds);
    this.stopped = true;
  }

  private add(happened: EventOfSession): void {
    if (this.stopped) return;
    for (const queue of this.queues.values()) queue.add(happened);
  }
}
