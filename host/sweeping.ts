import type { Log } from "@slipway/sdk";
import type { ArtifactStore } from "./files/artifact-store.js";
import type { SessionStore } from "./sessions/session-store.js";
import type { StorageHealth } from "./storage-health.js";

export interface SweepingParts {
  sessions: SessionStore;
  artifacts: ArtifactStore;
  storage: StorageHealth;
  log: Log;
}

const interval = 30_000;
/** While nothing can be written, somebody may be making room. */
const troubledInterval = 2000;

/** Removes what expired from time to time, and looks at the disk; the result ends it. */
export function sweepRegularly(parts: SweepingParts): () => Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  let ended = false;
  let running: Promise<void> = Promise.resolve();
  const next = (): void => {
    if (ended) return;
    const pause = parts.storage.health().ready ? interval : troubledInterval;
    timer = setTimeout(() => {
      running = sweep(parts).then(next);
    }, pause).unref();
  };
  running = parts.storage.look().then(next);
  return async () => {
    ended = true;
    clearTimeout(timer);
    await running;
  };
}

async function sweep({ sessions, artifacts, storage, log }: SweepingParts): Promise<void> {
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
  await storage.look();
}
