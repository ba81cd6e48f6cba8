import type { Log } from "@slipway/sdk";
import type { ArtifactStore } from "./files/artifact-store.js";
import type { SessionStore } from "./sessions/session-store.js";

const interval = 30_000;

/** Removes what expired from time to time; the result ends it. */
export function sweepRegularly(
  sessions: SessionStore,
  artifacts: ArtifactStore,
  log: Log,
): () => Promise<void> {
  let running: Promise<void> = Promise.resolve();
  const sweep = async (): Promise<void> => {
    try {
      const now = Date.now();
      const removed = {
        sessions: await sessions.removeExpired(now),
        files: await artifacts.removeExpired(now),
      };
      if (removed.sessions + removed.files > 0) log.info("Removed what expired", removed);
    } catch (error) {
      log.error("What expired could not be removed", { error });
    }
  };
  const timer = setInterval(() => {
    running = running.then(sweep);
  }, interval);
  timer.unref();
  return () => {
    clearInterval(timer);
    return running;
  };
}
