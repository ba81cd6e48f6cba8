import type { Log } from "@slipway/sdk";
import type { ArtifactStore } from "./files/artifact-store.js";
import type { Sessions } from "./sessions/sessions.js";
import { clockLead } from "./steady-time.js";
import type { StorageHealth } from "./storage-health.js";

export interface SweepingParts {
  sessions: Pick<Sessions, "removeExpired" | "followClock">;
  artifacts: Pick<ArtifactStore, "removeExpired">;
  storage: StorageHealth;
  log: Log;
}

/** Milliseconds between looks at the disk. */
const lookInterval = 5000;
/** Milliseconds; what is corrected little by little stays below. */
const smallestJump = 60_000;
/** Looks from one removal of what expired to the next. */
const looksBetween = 6;

/** Looks at the disk, and removes what expired from time to time; the result ends it. */
export function sweepRegularly(parts: SweepingParts): () => Promise<void> {
  let looks = 0;
  let lead = clockLead();
  let running: Promise<void> = parts.storage.look();
  const timer = setInterval(() => {
    looks += 1;
    const isDue = looks % looksBetween === 0;
    const jump = clockLead() - lead;
    if (Math.abs(jump) > smallestJump) {
      lead += jump;
      running = running.then(() => followClock(parts, jump));
    }
    running = running.then(() => (isDue ? sweep(parts) : undefined)).then(() => parts.storage.look());
  }, lookInterval);
  timer.unref();
  return () => {
    clearInterval(timer);
    return running;
  };
}

async function followClock({ sessions, log }: SweepingParts, jump: number): Promise<void> {
  log.warn("The clock of this machine jumped; sessions and files live on as long as they would have", {
    seconds: Math.round(jump / 1000),
  });
  await sessions
    .followClock()
    .catch((error: unknown) =>
      log.error("The ends of sessions could not be stored anew; a restart may end some", { error }),
    );
}

async function sweep({ sessions, artifacts, log }: SweepingParts): Promise<void> {
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
}
