import type { Log } from "@slipway/sdk";
import type { Configuration } from "../configuration/configuration.js";
import { errorCode } from "../system/errors.js";
import type { Engine } from "./engine.js";
import { createFileEngine } from "./file-engine.js";

/** The configured engine; the rest of the host does not know which. Rejects with a message for users. */
export async function createEngine(configuration: Configuration, log: Log): Promise<Engine> {
  const { engine, files } = configuration;
  const { url } = engine;
  if (url === undefined) return createFileEngine({ configuration, log });
  // Loaded for hosts that use it only; its packages are optional.
  const { createPostgresqlEngine } = await import("./postgresql/postgresql-engine.js").catch(
    (error: unknown) => {
      if (errorCode(error) !== "ERR_MODULE_NOT_FOUND") throw error;
      const message = "The setting engine.url needs two packages more: npm install pg pg-copy-streams";
      throw new Error(message, { cause: error });
    },
  );
  return createPostgresqlEngine({ configuration: { ...engine, url }, files, log });
}
