import { randomBytes } from "node:crypto";
import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { type Static, Type, Validator } from "@slipway/sdk";
import { StoredAnswer } from "../jobs/jobs.js";
import { Turns } from "../system/concurrency.js";
import { makeFolder, replaceSynced } from "../system/durable-files.js";
import { parsedJson } from "../system/json.js";
import { stored } from "../system/request-errors.js";
import { monotonicTime, toMonotonic } from "../system/time.js";
import {
  type BegunRequest,
  type IdempotencyStore,
  type KeyedRequest,
  type KeyTerms,
  type KnownRequest,
  refuseKeys,
} from "./idempotency-store.js";

const KeyRecord = Type.Object({
  fingerprint: Type.String(),
  id: Type.String(),
  /** Milliseconds since the epoch. */
  expiresAt: Type.Number(),
  answer: Type.Optional(StoredAnswer),
});
type KeyRecord = Static<typeof KeyRecord>;
const checkRecord = new Validator({ lazy: true }).compile(KeyRecord, "record");

/** A record without its answer, which stays on disk; times by `now`. */
interface Entry extends Omit<KeyRecord, "answer"> {
  isAnswered: boolean;
  /** Number within this process; 0 for requests of earlier processes. */
  attempt: number;
  due: number;
  end: number;
}

const fileName = /^([0-9a-f]{64})\.json$/;

export interface FileIdempotencyStoreOptions {
  folder: string;
  /** Milliseconds by which leases and lifetimes are measured; default: the monotonic clock. */
  now?: () => number;
}

/** A file for each key. One host owns the folder, so its end also ends requests without an answer. */
export class FileIdempotencyStore implements IdempotencyStore {
  private readonly entries = new Map<string, Entry>();
  private readonly turns = new Turns();
  private begun = 0;
  private readonly now: () => number;

  constructor(private readonly options: FileIdempotencyStoreOptions) {
    this.now = options.now ?? monotonicTime;
  }

  async open(): Promise<void> {
    const { folder } = this.options;
    await makeFolder(folder);
    for (const file of await readdir(folder)) {
      const [, name] = fileName.exec(file) ?? [];
      const record = name === undefined ? undefined : await this.read(name);
      if (name === undefined || record === undefined) {
        await rm(join(folder, file), { force: true });
        continue;
      }
      const { answer, ...rest } = record;
      const end = toMonotonic(record.expiresAt);
      this.entries.set(name, { ...rest, isAnswered: answer !== undefined, attempt: 0, due: this.now(), end });
    }
  }

  begin({ name, fingerprint }: KeyedRequest, terms: KeyTerms): Promise<KnownRequest> {
    return this.turns.take(name, async () => {
      const known = this.entries.get(name);
      const isCurrent = known !== undefined && known.end > this.now();
      if (isCurrent && known.fingerprint !== fingerprint) return { kind: "different" };
      if (isCurrent && known.isAnswered) {
        const answer = (await this.read(name))?.answer;
        if (answer === undefined) throw new Error("The answer of an idempotency key cannot be read");
        return { kind: "answered", answer };
      }
      if (isCurrent && known.due > this.now()) return { kind: "running" };
      if (known === undefined) refuseKeys(this.entries.size, terms);
      const id = isCurrent ? known.id : randomBytes(18).toString("base64url");
      const expiresAt = Date.now() + terms.lifetime;
      const [due, end] = [this.now() + terms.lease, this.now() + terms.lifetime];
      this.begun += 1;
      const attempt = this.begun;
      this.entries.set(name, { fingerprint, id, expiresAt, isAnswered: false, attempt, due, end });
      await this.write(name, { fingerprint, id, expiresAt }).catch((error: unknown) => {
        this.entries.delete(name);
        throw error;
      });
      return { kind: "new", id, attempt };
    });
  }

  finish({ name, attempt }: BegunRequest, answer: StoredAnswer): Promise<void> {
    return this.turns.take(name, async () => {
      const known = this.entries.get(name);
      if (known?.attempt !== attempt || known.isAnswered) return;
      const { fingerprint, id, expiresAt } = known;
      await this.write(name, { fingerprint, id, expiresAt, answer });
      this.entries.set(name, { ...known, isAnswered: true });
    });
  }

  forget({ name, attempt }: BegunRequest): Promise<void> {
    return this.turns.take(name, async () => {
      const known = this.entries.get(name);
      if (known?.attempt === attempt && !known.isAnswered) await this.remove(name);
    });
  }

  async removeExpired(): Promise<number> {
    const expired = [...this.entries].filter(([, { end }]) => end <= this.now());
    for (const [name] of expired) await this.turns.take(name, () => this.remove(name));
    return expired.length;
  }

  close(): Promise<void> {
    return this.turns.settled();
  }

  private async remove(name: string): Promise<void> {
    await rm(this.path(name), { force: true });
    this.entries.delete(name);
  }

  /** Undefined for a record that is damaged. */
  private async read(name: string): Promise<KeyRecord | undefined> {
    const result = checkRecord(parsedJson(await readFile(this.path(name), "utf8")));
    return result.ok ? result.value : undefined;
  }

  private write(name: string, record: KeyRecord): Promise<void> {
    return stored(replaceSynced(this.path(name), JSON.stringify(record)));
  }

  private path(name: string): string {
    return join(this.options.folder, `${name}.json`);
  }
}
