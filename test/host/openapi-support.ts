/** A client that is generated from the description of a host. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createClient } from "@hey-api/openapi-ts";
import { build } from "esbuild";

/** What a generated function resolves with. */
export interface ClientAnswer {
  data?: unknown;
  error?: unknown;
  response?: Response;
  /** Of server-sent events. */
  stream?: AsyncIterable<unknown>;
}

export type GeneratedClient = Readonly<Record<string, (options: object) => Promise<ClientAnswer>>>;

/** Functions by name, made from a description by a generator that everybody can get. */
export async function generatedClient(description: unknown, folder: string): Promise<GeneratedClient> {
  await mkdir(folder, { recursive: true });
  const input = join(folder, "openapi.json");
  await writeFile(input, JSON.stringify(description));
  await createClient({
    input,
    output: { path: join(folder, "source") },
    plugins: ["@hey-api/typescript", "@hey-api/sdk", "@hey-api/client-fetch"],
    logs: { level: "silent" },
  });
  const outfile = join(folder, "client.mjs");
  await build({ entryPoints: [join(folder, "source", "sdk.gen.ts")], bundle: true, format: "esm", outfile });
  const client: GeneratedClient = await import(pathToFileURL(outfile).href);
  return client;
}
