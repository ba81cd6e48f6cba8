/** One content of a source: its metadata, whether it may be complete, and the attempt to make a snapshot of it. */
import { createHash } from "node:crypto";
import type { BigIntStats } from "node:fs";
import { lstat, readdir, readlink, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { isIgnored } from "@slipway/sdk/runtime/host";
import { mapConcurrent } from "../../system/concurrency.js";
import { Rejection } from "../../system/errors.js";
import { isSystemError } from "../plugin-files.js";
import type { StateRecord } from "../plugin-state.js";
import type { Snapshot, Staging } from "../snapshots/snapshots.js";

/** What a source is. `code`: a single file, which is no plugin and may be taken for one; `lost`: a broken symbolic link. */
export type SourceKind = "folder" | "archive" | "code" | "lost";

/** Metadata of a source, without the content of its files. */
export interface Fingerprint {
  /** Changes when a relevant file is written, added, removed or replaced. */
  value: string;
  /** Time of the last change, by the clock of the file system, in milliseconds since the epoch. */
  changed: number;
  /** Number of files and folders; at most one above the limit. */
  count: number;
  /** The first member that is neither a file nor a folder, nor a link to one: opening it could block. */
  strange: string | undefined;
  /** Its path without symbolic links. */
  target: string;
  /** Distinguishes a folder from another one under the same name. */
  identity: string;
}

/** Concurrent calls; the process has few threads for them. */
const parallel = 8;

/**
 * Reads the metadata of an archive, or of all files of a folder. Does not follow links to other folders. Stops above
 * `most` files and folders. Rejects when something cannot be read.
 */
export async function takeFingerprint(source: string, most: number): Promise<Fingerprint> {
  const target = await realpath(source);
  const own = await stat(target, { bigint: true });
  const walk = new Walk(target, most);
  if (own.isDirectory()) await walk.folder("", own);
  else walk.note("", own);
  return { ...walk.result(), target, identity: identityOf(own) };
}

/** The identity of a folder, as in `Fingerprint`. */
export function identityOf({ dev, ino }: BigIntStats): string {
  return `${dev}:${ino}`;
}

class Walk {
  private readonly hash = createHash("sha256");
  private changed = 0;
  private count = 0;
  private strange: string | undefined;

  constructor(
    private readonly root: string,
    private readonly most: number,
  ) {
    this.hash.update(root);
  }

  result(): Pick<Fingerprint, "value" | "changed" | "count" | "strange"> {
    const { changed, count, strange } = this;
    return { value: this.hash.digest("hex"), changed, count, strange };
  }

  /** Depth first, sorted by name, so that the same content gives the same value. */
  async folder(path: string, own: BigIntStats): Promise<void> {
    this.noteTime(own);
    const members = await unlessGone(readdir(join(this.root, path)));
    if (members === undefined) this.hash.update("\0gone");
    const names = (members ?? []).filter((name) => !isIgnored(name)).sort();
    const counted = names.slice(0, this.most + 1 - this.count);
    const found = await mapConcurrent(counted, parallel, async (name) => {
      const inside = path === "" ? name : `${path}/${name}`;
      return { inside, stats: await unlessGone(lstat(join(this.root, inside), { bigint: true })) };
    });
    for (const { inside, stats } of found) {
      if (this.count > this.most) return;
      this.count++;
      if (stats === undefined) this.hash.update(`\n${inside}\0gone`);
      else if (stats.isSymbolicLink()) await this.link(inside, stats);
      else if (stats.isDirectory()) {
        this.hash.update(`\n${inside}/`);
        await this.folder(inside, stats);
      } else {
        this.note(inside, stats);
        if (!stats.isFile()) this.strange ??= inside;
      }
    }
  }

  note(path: string, stats: BigIntStats): void {
    this.noteTime(stats);
    this.hash.update(`\n${path}\0${stats.size}.${stats.mtimeNs}.${stats.ctimeNs}.${identityOf(stats)}`);
  }

  private async link(path: string, own: BigIntStats): Promise<void> {
    const location = join(this.root, path);
    this.note(`${path}\0${await readlink(location).catch(() => "gone")}`, own);
    const target = await stat(location, { bigint: true }).catch(() => undefined);
    if (target?.isFile()) this.note("", target);
    else if (target?.isDirectory() === false) this.strange ??= path;
    else this.hash.update(`\0${target === undefined ? "nowhere" : identityOf(target)}`);
  }

  private noteTime({ ctimeMs }: BigIntStats): void {
    this.changed = Math.max(this.changed, Number(ctimeMs));
  }
}

/** Undefined for a member removed since its folder was read. */
async function unlessGone<T>(result: Promise<T>): Promise<T | undefined> {
  return await result.catch((error: unknown) => {
    if (isSystemError(error) && error.code === "ENOENT") return undefined;
    throw error;
  });
}

/** While a source is copied, the pause after a scan is this multiple of its duration: there may be many files. */
const restAfterScan = 5;

/**
 * Tracks the content of a source over scans: whether it may be complete, and when to scan again. Times are those of
 * `performance.now()`, in milliseconds.
 */
export class ContentProgress {
  kind: SourceKind = "lost";
  /** The last fingerprint; undefined while the content is unknown. */
  seen: Fingerprint | undefined;
  /** Start of the last scan. */
  private seenAt = 0;
  private scanDuration = 0;
  private stability: WriteStability;
  /** The last content with a decision. */
  private decided: Fingerprint | undefined;
  /** The fingerprint whose file list was checked. */
  private requested: string | undefined;
  /** The fingerprint that lacks files of its list. */
  private incomplete: string | undefined;
  /** It changed while it was staged, so its file list no longer proves that it is complete. */
  changedWhileStaging = false;

  /** `copied`: contents may arrive by slow copies; otherwise each change is a separate save. */
  constructor(
    private readonly settlingTime: number,
    private readonly copied: boolean,
  ) {
    this.stability = new WriteStability(settlingTime);
  }

  /** Records the result of a scan that began at `began`; `anew`: it is the first scan of a new content. */
  see(fingerprint: Fingerprint, began: number, anew: boolean): void {
    const now = performance.now();
    if (anew) this.resetStability(fingerprint.count, now);
    this.seen = fingerprint;
    this.seenAt = began;
    this.scanDuration = now - began;
    this.stability.see(fingerprint.value, now);
  }

  /** Marks the last content as stable. */
  markStable(): void {
    this.stability.markStable(this.seenAt);
  }

  /** Marks the content as unknown. */
  forget(): void {
    this.seen = undefined;
  }

  /** Records a decision about a content. */
  decide(fingerprint: Fingerprint): void {
    this.decided = fingerprint;
  }

  clearDecision(): void {
    this.decided = undefined;
  }

  /** Records that the file list is being checked. */
  ask({ value }: Fingerprint): void {
    this.requested = value;
  }

  /** Records that files of the list are missing. */
  lack({ value }: Fingerprint): void {
    this.incomplete = value;
  }

  /** A list may name files that fingerprints ignore, so it is checked again from time to time. */
  askAgain(): void {
    this.requested = undefined;
    this.incomplete = undefined;
  }

  /** Whether there is a content without a decision. */
  isOpen(): boolean {
    return this.seen !== undefined && this.isNews(this.seen);
  }

  /** Whether it differs from the content with a decision. */
  isNews({ value }: Fingerprint): boolean {
    return value !== this.decided?.value;
  }

  /** Whether the content has not changed for the required time. */
  isStable(): boolean {
    return this.stability.remaining(this.seenAt) === 0;
  }

  /** Whether the content may be complete: it is stable, or has an unchecked file list. */
  isDue(): boolean {
    if (!this.isOpen() || this.isIncomplete()) return false;
    const mayBeListed =
      this.kind === "folder" && !this.changedWhileStaging && this.requested !== this.seen?.value;
    return mayBeListed || this.isStable();
  }

  /** Milliseconds until a scan is useful without an event. */
  nextScan(): number {
    if (!this.isOpen()) return Number.POSITIVE_INFINITY;
    const remaining = this.stability.remaining(performance.now());
    if (remaining === 0 && this.isIncomplete()) return Number.POSITIVE_INFINITY;
    // Rare scans would make steady copying look like pauses.
    return Math.min(remaining, Math.max(this.settlingTime / 2, restAfterScan * this.scanDuration));
  }

  /** More files after a long pause belong to the same copy operation; an edit rarely adds files. */
  private resetStability(count: number, now: number): void {
    this.changedWhileStaging = false;
    const continues =
      this.copied && this.stability.mayContinue(now) && count > (this.decided?.count ?? count);
    if (!continues) this.stability = new WriteStability(this.settlingTime);
  }

  private isIncomplete(): boolean {
    return this.incomplete !== undefined && this.incomplete === this.seen?.value;
  }
}

/** Maximum quiet time in milliseconds, however slow the copy. */
const longestQuietTime = 10_000;

/**
 * Decides when a source without a file list counts as complete: when it has not changed for the settling time and for
 * twice the longest pause of its copy so far. All times in milliseconds, of one clock.
 */
export class WriteStability {
  private fingerprint: string | undefined;
  private changedAt = 0;
  private longestPause = 0;

  constructor(private readonly settlingTime: number) {}

  /** Records a fingerprint. */
  see(fingerprint: string, now: number): void {
    if (fingerprint === this.fingerprint) return;
    if (this.fingerprint !== undefined) this.longestPause = Math.max(this.longestPause, now - this.changedAt);
    this.fingerprint = fingerprint;
    this.changedAt = now;
  }

  /** Treats the content at this time as settled. */
  markStable(now: number): void {
    this.changedAt = now - this.settlingTime;
  }

  /** Milliseconds that it still has to stay unchanged; 0 when it is stable. */
  remaining(now: number): number {
    const quiet = Math.max(this.settlingTime, Math.min(2 * this.longestPause, longestQuietTime));
    return Math.max(0, this.changedAt + quiet - now);
  }

  /** Whether a change now belongs to the same copy operation after a longer pause. */
  mayContinue(now: number): boolean {
    return now - this.changedAt <= longestQuietTime;
  }
}

/** Unpacks, checks and stages contents. Its methods throw a `Rejection` for faults of the plugin. */
export type Stager = Pick<Staging, "completeness" | "unpack" | "stage">;

/** A content as observed by scans. */
interface SeenContent {
  path: string;
  kind: SourceKind;
  fingerprint: Fingerprint;
  record: StateRecord;
  /** It has not changed for the settling time. */
  settled: boolean;
  /** It changed while it was staged, so its file list does not prove that it is complete. */
  changedWhileStaging: boolean;
}

/** `changed`: the staged content may mix two contents; `to` is undefined when the current content is unknown. */
type Outcome =
  | { kind: "staged"; snapshot: Snapshot }
  | { kind: "refused"; error: unknown }
  | { kind: "incomplete"; lacking: string | undefined }
  | { kind: "changed"; to: Fingerprint | undefined; began: number };

/**
 * Stages a complete content of at most `most` files and folders. Errors of the content are outcomes, never exceptions.
 */
export async function attemptContent(content: SeenContent, stager: Stager, most: number): Promise<Outcome> {
  const outcome = await stageWhenComplete(content, stager, most);
  if (outcome.kind === "incomplete") return outcome;
  const { path, fingerprint } = content;
  const began = performance.now();
  const now = await takeFingerprint(path, most).catch(() => undefined);
  return now?.value === fingerprint.value ? outcome : { kind: "changed", to: now, began };
}

async function stageWhenComplete(content: SeenContent, stager: Stager, most: number): Promise<Outcome> {
  const { path, kind, record } = content;
  try {
    if (kind === "code")
      throw new Rejection("it is a single file; a plugin is a folder or an archive with a package.json");
    const missing = await incompleteness(content, stager, most);
    if (missing !== undefined) return missing;
    const folder = kind === "archive" ? await stager.unpack(path) : path;
    return { kind: "staged", snapshot: await stager.stage(folder, record) };
  } catch (error) {
    return { kind: "refused", error };
  }
}

/** Undefined when the content is complete. Throws a `Rejection` for a content that can never be. */
async function incompleteness(
  content: SeenContent,
  stager: Stager,
  most: number,
): Promise<Outcome | undefined> {
  const { path, kind, fingerprint, settled, changedWhileStaging } = content;
  try {
    if (fingerprint.count > most) {
      throw new Rejection(`it has more than ${most} files and folders (plugins.archives.files)`);
    }
    if (fingerprint.strange !== undefined) {
      throw new Rejection(`${fingerprint.strange} is neither a file nor a folder`);
    }
    if (kind === "folder") {
      const { listed, waiting } = await stager.completeness(path);
      if (listed && waiting !== undefined) return { kind: "incomplete", lacking: waiting };
      if (listed && !changedWhileStaging) return undefined;
    }
  } catch (error) {
    // The cause may be an incomplete file.
    if (settled) throw error;
  }
  return settled ? undefined : { kind: "incomplete", lacking: undefined };
}
