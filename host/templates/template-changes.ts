import type { Log } from "@slipway/sdk";
import type { TemplateChange } from "./template-service.js";

/** Changes of templates on their way to those who follow them: collected, and told when they are in force. */
export class TemplateChanges {
  private readonly listeners = new Set<(change: TemplateChange) => void>();
  private collected: TemplateChange[] = [];

  constructor(private readonly log: Log) {}

  /** Calls the listener for each change; gives what ends that. */
  follow(listener: (change: TemplateChange) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  add(change: TemplateChange): void {
    this.collected.push(change);
  }

  /** Tells what was collected; a listener that fails keeps no other from hearing it. */
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
