import { generateKeyPairSync, type KeyObject, sign, verify } from "node:crypto";
import { readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { describe, type Static, shownValue, Type, Validator } from "@slipway/sdk";
import type { PluginsConfiguration } from "../../configuration/plugins-configuration.js";
import { DistinctPaths, pathProblem } from "../../system/archives/entry-path.js";
import { writeSynced } from "../../system/durable-files.js";
import { errorCode, Rejection } from "../../system/errors.js";
import { parsedJson } from "../../system/json.js";
import { fingerprint, publicKeyText, readPublicKey } from "../../system/signing-keys.js";
import type { Manifest } from "./manifest.js";

/** Name of the file list in a plugin folder. */
export const integrityFile = "integrity.json";

const closed = { additionalProperties: false } as const;
const largest = 32 * 1024 * 1024;

/** The file list of a packed plugin: every file except the list itself. */
export const Integrity = Type.Object(
  {
    format: Type.Literal(1),
    files: Type.Record(
      Type.String({ description: 'Relative to the folder, "/" between folders.' }),
      Type.Object(
        {
          size: Type.Integer({ minimum: 0, description: "Bytes." }),
          sha256: Type.String({ pattern: "^[0-9a-f]{64}$" }),
        },
        closed,
      ),
    ),
    signature: Type.Optional(
      Type.Object(
        {
          key: Type.String({
            pattern: "^[0-9A-Za-z._-]{1,100}$",
            description: "Fingerprint of the key that it was made with.",
          }),
          value: Type.String({ pattern: "^[A-Za-z0-9+/]{86}==$", description: "Ed25519, Base64." }),
        },
        closed,
      ),
    ),
  },
  closed,
);
export type Integrity = Static<typeof Integrity>;

const check = new Validator({ lazy: true }).compile(Integrity, integrityFile);

/**
 * The file list of a plugin folder; undefined without one, "incomplete" while its JSON is incomplete. Throws a
 * `Rejection` for an invalid list.
 */
export async function findIntegrity(folder: string): Promise<Integrity | "incomplete" | undefined> {
  const text = await readList(join(folder, integrityFile));
  if (text === undefined) return undefined;
  const value = parsedJson(text);
  if (value === undefined) return "incomplete";
  const result = check(value);
  if (!result.ok) throw new Rejection(result.violations.slice(0, 5).map(describe).join("; "));
  requireGoodPaths(result.value);
  return result.value;
}

/** The file list of a complete plugin folder; undefined without one. Throws a `Rejection` for an invalid list. */
export async function readIntegrity(folder: string): Promise<Integrity | undefined> {
  const integrity = await findIntegrity(folder);
  if (integrity === "incomplete") throw new Rejection(`${integrityFile} is not valid JSON`);
  return integrity;
}

async function readList(file: string): Promise<string | undefined> {
  try {
    if ((await stat(file)).size > largest) throw new Rejection(`${integrityFile} is larger than 32 MB`);
    return await readFile(file, "utf8");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

function requireGoodPaths({ files }: Integrity): void {
  const paths = new DistinctPaths();
  for (const path of Object.keys(files)) {
    const problem = pathProblem(path) ?? paths.add(path, "file");
    if (problem !== undefined)
      throw new Rejection(`${integrityFile}: the path ${shownValue(path)} ${problem}`);
  }
  if (!paths.hasFile("package.json")) throw new Rejection(`${integrityFile} does not list package.json`);
  if (paths.hasFile(integrityFile)) throw new Rejection(`${integrityFile} lists itself`);
}

type Named = Pick<Manifest, "name" | "version">;

/** Signs a file list with a private key. */
export function signed(manifest: Named, { format, files }: Integrity, key: KeyObject): Integrity {
  const value = sign(null, signedText(manifest, { format, files }), key).toString("base64");
  return { format, files, signature: { key: fingerprint(key), value } };
}

/**
 * The name of the configured key that signed the list; undefined without a valid signature. `keys` as in
 * `plugins.trust.keys`.
 */
export function signedBy(
  manifest: Named,
  integrity: Integrity,
  keys: PluginsConfiguration["trust"]["keys"],
): string | undefined {
  const { signature } = integrity;
  if (signature === undefined) return undefined;
  const text = signedText(manifest, integrity);
  const value = Buffer.from(signature.value, "base64");
  return Object.keys(keys).find((name) => verify(null, text, readPublicKey(keys[name] ?? ""), value));
}

/**
 * The name of the trusted key that signed a plugin. Where trust is required, throws a `Rejection` with the reason for
 * missing trust.
 */
export function requireTrust(
  manifest: Named,
  integrity: Integrity | undefined,
  { required, keys }: PluginsConfiguration["trust"],
): string | undefined {
  const name = integrity === undefined ? undefined : signedBy(manifest, integrity, keys);
  if (name !== undefined || !required) return name;
  const signature = integrity?.signature;
  const rule = "this host admits only plugins that are signed by one of its keys";
  if (signature === undefined) throw new Rejection(`it is not signed; ${rule}`);
  const known = Object.keys(keys).find(
    (each) => fingerprint(readPublicKey(keys[each] ?? "")) === signature.key,
  );
  if (known === undefined) throw new Rejection(`it is signed by an unknown key (${signature.key}); ${rule}`);
  throw new Rejection(`its signature by the key ${known} does not fit its files; ${rule}`);
}

/** One line per fact; the first one prevents reuse of the signature for other content. */
function signedText({ name, version }: Named, { files }: Integrity): Buffer {
  const lines = Object.entries(files)
    .map(([path, { size, sha256 }]) => `${JSON.stringify(path)} ${size} ${sha256}`)
    .sort();
  return Buffer.from(["slipway plugin, format 1", JSON.stringify([name, version]), ...lines].join("\n"));
}

/** A new key for signing plugins. */
interface NewKey {
  /** One line for `plugins.trust.keys`. */
  publicKey: string;
  /** The id of the key in signatures. */
  fingerprint: string;
}

/**
 * Creates a key pair and writes the private key to a new file that only its owner can read. Rejects when the file
 * exists.
 */
export async function makeKey(file: string): Promise<NewKey> {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  try {
    await writeSynced(file, privateKey.export({ type: "pkcs8", format: "pem" }));
  } catch (error) {
    // An unfinished file would block the next attempt.
    const isOthers = error instanceof Error && Reflect.get(error, "syscall") === "open";
    if (!isOthers) await rm(file, { force: true });
    throw error;
  }
  return { publicKey: publicKeyText(publicKey), fingerprint: fingerprint(publicKey) };
}
