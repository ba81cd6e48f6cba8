/** The file list of a package: whether all of its files are there, and who signed it. */
import { generateKeyPairSync, type KeyObject, sign, verify } from "node:crypto";
import { readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { describe, type Static, shownValue, Type, Validator } from "@slipway/sdk";
import { isIgnored } from "@slipway/sdk/runtime/host";
import type { TrustedKeys } from "../../configuration/plugins-configuration.js";
import { DistinctPaths, pathProblem } from "../../system/archives/entry-path.js";
import { mapConcurrent } from "../../system/concurrency.js";
import { writeSynced } from "../../system/durable-files.js";
import { errorCode, isMissing, Rejection } from "../../system/errors.js";
import { parsedJson } from "../../system/json.js";
import { fingerprint, publicKeyText, readPublicKey } from "../../system/signing-keys.js";
import { hashFile } from "../plugin-files.js";
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
  keys: TrustedKeys["keys"],
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
  { required, keys }: TrustedKeys,
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

/** How much of a plugin folder there is, by its file list. */
export interface Completeness {
  /** Whether the folder has a file list. */
  listed: boolean;
  /** Why the folder is incomplete, as a sentence; undefined when it is complete or has no list. */
  waiting: string | undefined;
}

/** Files hashed concurrently. */
const hashing = 8;

/**
 * Compares a plugin folder with its file list, by size and hash. `hashes` has those of earlier calls. Throws a
 * `Rejection` when the list is malformed, or when a complete folder has files outside the list.
 */
export async function completeness(folder: string, hashes = known): Promise<Completeness> {
  const integrity = await findIntegrity(folder);
  if (integrity === undefined) return { listed: false, waiting: undefined };
  if (integrity === "incomplete") return { listed: true, waiting: `${integrityFile} is not complete.` };
  const waiting = await whatIsMissing(folder, integrity, hashes);
  if (waiting === undefined) await requireNothingElse(folder, integrity);
  return { listed: true, waiting };
}

async function whatIsMissing(
  folder: string,
  { files }: Integrity,
  hashes: KnownHashes,
): Promise<string | undefined> {
  const listed = Object.entries(files);
  hashes.retain(folder, new Set(Object.keys(files)));
  const found = await mapConcurrent(listed, hashing, async ([path, { size, sha256 }]) => {
    const file = await hashes.hash(folder, path, size);
    if (file === undefined || file.size < size) return "missing";
    return file.sha256 === sha256 ? "there" : path;
  });
  const complete = found.filter((each) => each === "there").length;
  if (complete === listed.length) return undefined;
  const count = `${complete} of ${listed.length} files are there`;
  const wrong = listed.find((_entry, index) => found[index] !== "there" && found[index] !== "missing")?.[0];
  return wrong === undefined ? `${count}.` : `${count}; ${wrong} differs from its entry in ${integrityFile}.`;
}

/** An unlisted file could be executed without being signed. */
async function requireNothingElse(folder: string, { files }: Integrity): Promise<void> {
  const listed = new Set([integrityFile, ...Object.keys(files)]);
  const extra = await firstUnlisted(folder, "", listed);
  if (extra !== undefined) throw new Rejection(`${extra} is not in ${integrityFile}`);
}

async function firstUnlisted(
  root: string,
  below: string,
  listed: ReadonlySet<string>,
): Promise<string | undefined> {
  const entries = await readdir(join(root, below), { withFileTypes: true });
  for (const entry of entries.sort((one, other) => (one.name < other.name ? -1 : 1))) {
    const path = below === "" ? entry.name : `${below}/${entry.name}`;
    if (listed.has(path)) continue;
    if (isIgnored(entry.name)) continue;
    if (!entry.isDirectory()) return path;
    const inside = await firstUnlisted(root, path, listed);
    if (inside !== undefined) return inside;
  }
  return undefined;
}

const mostFolders = 64;
/**
 * Milliseconds. Some file systems have a time resolution of two seconds, so a recent file may change without a visible
 * difference.
 */
const settled = 2000;

interface KnownHash {
  /** Size, times and inode of the file when it was hashed. */
  look: string;
  sha256: string;
}

/** Caches hashes of files, so that only changed files are read again. */
export class KnownHashes {
  /** By folder, the least recently used first. */
  private readonly folders = new Map<string, Map<string, KnownHash>>();

  /** Forgets files that are not in the list. */
  retain(folder: string, paths: ReadonlySet<string>): void {
    const known = this.folders.get(folder) ?? new Map<string, KnownHash>();
    for (const path of known.keys()) if (!paths.has(path)) known.delete(path);
    this.folders.delete(folder);
    this.folders.set(folder, known);
    for (const oldest of this.folders.keys()) {
      if (this.folders.size <= mostFolders) break;
      this.folders.delete(oldest);
    }
  }

  /** Current size in bytes and SHA-256 of a file; the hash only when the file has the expected size. */
  async hash(
    folder: string,
    path: string,
    expectedSize: number,
  ): Promise<{ size: number; sha256: string | undefined } | undefined> {
    const file = join(folder, path);
    const before = await look(file);
    if (before === undefined) return undefined;
    if (before.size !== expectedSize) return { size: before.size, sha256: undefined };
    const known = this.folders.get(folder)?.get(path);
    if (known?.look === before.look) return { size: before.size, sha256: known.sha256 };
    const sha256 = await hashFile(file).catch(missing);
    const after = await look(file);
    if (sha256 === undefined || after === undefined) return undefined;
    if (after.look === before.look && Date.now() - after.changed > settled) {
      this.folders.get(folder)?.set(path, { look: after.look, sha256 });
    }
    return { size: after.size, sha256 };
  }
}

/** Undefined when there is no such file. */
async function look(file: string): Promise<{ size: number; look: string; changed: number } | undefined> {
  const found = await stat(file, { bigint: true }).catch(missing);
  if (found === undefined || !found.isFile()) return undefined;
  const { size, mtimeNs, ctimeNs, ctimeMs, ino, dev } = found;
  return {
    size: Number(size),
    look: [size, mtimeNs, ctimeNs, ino, dev].join(),
    changed: Number(ctimeMs),
  };
}

/** Ignores a missing file; rethrows other errors. */
function missing(error: unknown): undefined {
  if (!isMissing(error)) throw error;
}

const known = new KnownHashes();
