import { answerLater, type Progress } from "../../client/answer-later.js";
import type { HostClient } from "../../client/host-client.js";
import { Observed } from "../../client/observed.js";
import { type AnsweredFile, filesIn, type Suppressed, suppressedIn } from "../../parts/answered-files.js";

/** Result or progress of an export. */
export type ExportOutcome =
  | { state: "idle" }
  | { state: "working"; progress: Progress }
  | { state: "failed"; failure: unknown }
  | { state: "done"; files: readonly AnsweredFile[]; errors: readonly Suppressed[]; body: string };

/** The running export of a project, or else the last one. */
export class ExportRun {
  readonly outcome = new Observed<ExportOutcome>({ state: "idle" });
  private running: AbortController | undefined;

  /** Sends a body to the plugin. Cancels an earlier request that still runs. */
  async start(host: HostClient, path: string, body: Record<string, unknown>): Promise<void> {
    this.running?.abort();
    const run = new AbortController();
    this.running = run;
    const progressed = (progress: Progress): void => {
      if (!run.signal.aborted) this.outcome.set({ state: "working", progress });
    };
    progressed({ state: "working" });
    try {
      const answer = await answerLater<unknown>(host, path, body, { signal: run.signal, progressed });
      if (run.signal.aborted) return;
      const text = JSON.stringify(body);
      this.outcome.set({
        state: "done",
        files: filesIn(answer, host.root),
        errors: suppressedIn(answer),
        body: text,
      });
    } catch (failure) {
      if (!run.signal.aborted) this.outcome.set({ state: "failed", failure });
    }
  }

  stop(): void {
    this.running?.abort();
    this.outcome.set({ state: "idle" });
  }
}
