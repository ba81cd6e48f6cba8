import type { Log } from "@slipway/sdk";
import type { TemplateChange } from "./template-service.js";

/** Collects changes of templates and notifies listeners once the changes are in force. */
export class TemplateChanges {
  private readonly listeners = new Set<(change: TemplateChange) => void>();
  private collected: TemplateChange[] = [];

  constructor(private readonly log: Log) {}

  /** Calls the listener for each change; returns a function that unsubscribes it. */
  follow(listener: (change: TemplateChange) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  add(change: TemplateChange): void {
    this.collected.push(change);
  }

  /** Notifies the listeners of the collected changes; a failing listener does not affect others. */
  tell(): void {
    for (const change of this.collected.splice(0)) {
      for (const listener of this.listeners) {
        try {
          listener(change);
        } catch (error) {
          this.log.error("A listener of template changes failed.", { error });
        }
      }
    }
  }
}
