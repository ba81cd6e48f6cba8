import { join } from "node:path";
import type { Log } from "@slipway/sdk";
import type { Configuration } from "../configuration/configuration.js";
import { createFileArtifactStore } from "../files/file-artifact-store.js";
import { FileJobStore } from "../jobs/file-job-store.js";
import { createFileSessionStore } from "../sessions/file-session-store.js";
import { mapConcurrent } from "../system/concurrency.js";
import type { Engine } from "./engine.js";

export interface FileEngineOptions {
  /** Read at each use, because it may change. */
  configuration: Pick<Configuration, "var" | "files">;
  log: Log;
  /** Milliseconds by which lifetimes are measured; default: the monotonic clock. */
  now?: () => number;
}

/** Keeps everything in the folder `var` of one host. */
export function createFileEngine({ configuration, ...options }: FileEngineOptions): Engine {
  const { var: folder, files } = configuration;
  const sessions = createFileSessionStore({ folder: join(folder, "sessions"), ...options });
  const artifacts = createFileArtifactStore({
    folder: join(folder, "files"),
    configuration: files,
    ...options,
  });
  const jobs = new FileJobStore({ folder: join(folder, "jobs"), ...options });
  return {
    sessions,
    artifacts,
    jobs,
    open: async () => {
      await mapConcurrent([sessions, artifacts, jobs], 3, (store) => store.open());
    },
    health: () => undefined,
    close: async () => {
      await mapConcurrent([sessions, jobs], 2, (store) => store.close());
    },
  };
}
