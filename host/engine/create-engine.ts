import type { Log } from "@slipway/sdk";
import type { Configuration } from "../configuration/configuration.js";
import { areKeysShared, keyFileOf } from "../configuration/key-file.js";
import { createKeyFile } from "../security/key-file.js";
import type { KeySource } from "../security/key-source.js";
import { errorCode } from "../system/errors.js";
import type { Engine } from "./engine.js";
import { createFileEngine } from "./file-engine.js";
import type { DatabaseFacts } from "./postgresql/postgresql.js";

/** The configured engine. Rejects with a message for users. */
export async function createEngine(configuration: Configuration, log: Log): Promise<Engine> {
  const { engine, files, audit } = configuration;
  const { url } = engine;
  if (url === undefined) return createFileEngine({ configuration, log });
  const { createPostgresqlEngine } = await postgresql();
  return createPostgresqlEngine({
    configuration: { ...engine, url },
    files,
    audit,
    keyFile: createKeyFile(keyFileOf(configuration), log),
    areKeysShared: areKeysShared(configuration),
    log,
  });
}

/** The keys of the configured hosts, whether one runs or not; `close` ends the access to them. */
export async function openKeys(
  configuration: Configuration,
  log: Log,
): Promise<{ keys: KeySource; close(): Promise<void> }> {
  const keyFile = createKeyFile(keyFileOf(configuration), log);
  const { engine } = configuration;
  const { url } = engine;
  if (url === undefined || !areKeysShared(configuration))
    return { keys: keyFile, close: async () => undefined };
  const { openPostgresqlKeys } = await postgresql();
  return openPostgresqlKeys({ configuration: { ...engine, url }, keyFile, log });
}

/** The settings of the configured database server; undefined without one. Rejects with a sentence for admins when it does not answer. */
export async function readEngineFacts(
  { engine }: Configuration,
  log: Log,
): Promise<DatabaseFacts | undefined> {
  const { url } = engine;
  if (url === undefined) return undefined;
  const { readDatabaseFacts } = await postgresql();
  return await readDatabaseFacts({ configuration: { ...engine, url }, log });
}

/** Loaded for hosts that use it only; its packages are optional. */
function postgresql(): Promise<typeof import("./postgresql/postgresql.js")> {
  return import("./postgresql/postgresql.js").catch((error: unknown) => {
    if (errorCode(error) !== "ERR_MODULE_NOT_FOUND") throw error;
    const message = "The setting engine.url needs two packages more: npm install pg pg-copy-streams";
    throw new Error(message, { cause: error });
  });
}
