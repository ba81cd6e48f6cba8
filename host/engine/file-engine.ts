import { join } from "node:path";
import type { Log } from "@slipway/sdk";
import type { Configuration } from "../configuration/configuration.js";
import { keyFileOf } from "../configuration/key-file.js";
import { createFileArtifactStore } from "../files/files.js";
import { FileIdempotencyStore } from "../idempotency/file-idempotency-store.js";
import { FileJobStore, FileWebhookSecrets } from "../jobs/jobs.js";
import { createEventFile } from "../observability/events/event-file.js";
import { createAuditFile } from "../security/audit/audit-file.js";
import { createKeyFile } from "../security/key-file.js";
import { createFileSessionStore } from "../sessions/sessions.js";
import { mapConcurrent } from "../system/concurrency.js";
import type { Engine } from "./engine.js";

export interface FileEngineOptions {
  /** Read at each use, because it may change. */
  configuration: Pick<Configuration, "access" | "audit" | "files" | "var">;
  log: Log;
  /** Milliseconds by which lifetimes are measured; default: the monotonic clock. */
  now?: () => number;
}

/** Keeps everything in the folder `var` of one host. */
export function createFileEngine({ configuration, ...options }: FileEngineOptions): Engine {
  const { var: folder, files, audit } = configuration;
  const { log } = options;
  const jobs = new FileJobStore({ folder: join(folder, "jobs"), ...options });
  const sessions = createFileSessionStore({
    folder: join(folder, "sessions"),
    heldRevisions: (id) => jobs.heldRevisions(id),
    ...options,
  });
  const artifacts = createFileArtifactStore({
    folder: join(folder, "files"),
    configuration: files,
    ...options,
  });
  const idempotency = new FileIdempotencyStore({ folder: join(folder, "idempotency"), ...options });
  const webhookSecrets = new FileWebhookSecrets(join(folder, "webhook-secrets.json"), options.now);
  const stores = [sessions, artifacts, jobs, idempotency, webhookSecrets];
  return {
    sessions,
    artifacts,
    jobs,
    webhookSecrets,
    idempotency,
    events: createEventFile({ file: join(folder, "events.jsonl"), log }),
    audit: createAuditFile({ file: join(folder, "audit.jsonl"), configuration: audit, log }),
    keys: createKeyFile(keyFileOf(configuration), log),
    uses: undefined,
    members: undefined,
    switches: undefined,
    outcomes: undefined,
    shelf: undefined,
    open: async (_host, { first = [] } = {}) => {
      await mapConcurrent(stores, stores.length, (store) => store.open());
      for (const step of first) await step();
    },
    health: () => undefined,
    close: async () => {
      await Promise.all([sessions, jobs, idempotency].map((store) => store.close()));
    },
  };
}
