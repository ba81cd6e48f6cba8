import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { eachInTurn } from "../../system/each-in-turn.js";
import { Rejection } from "../../system/errors.js";
import { isIgnored } from "./discovery.js";
import { findIntegrity, type Integrity, integrityFile } from "./integrity.js";
import { KnownHashes } from "./known-hashes.js";

export interface Completeness {
  /** Whether the folder has a list of its files. */
  listed: boolean;
  /** Why it is not complete yet, as a sentence; undefined when it is, or when it has no list to tell. */
  waiting: string | undefined;
}

/** At one time. */
const parallel = 8;

/**
 * Whether all that a plugin's list names is there, byte by byte. `hashes` keeps what is known from one look to the next.
 * Throws a `Rejection` when the list is malformed, and when a complete folder has files that are not in it.
 */
export async function completeness(folder: string, hashes = new KnownHashes()): Promise<Completeness> {
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
  const found = await eachInTurn(listed, parallel, async ([path, { size, sha256 }]) => {
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

/** What is not in the list could be run all the same, and nobody has signed it. */
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
