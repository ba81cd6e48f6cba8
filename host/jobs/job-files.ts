/** Jobs on disk: `<id>.json` with the record, `<id>.body` with the request's body, `<id>.answer`. */
import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { Type, Validator } from "@slipway/sdk";
import { makeFolder, replaceSynced, syncFolder } from "../system/durable-files.js";
import { parsedJson } from "../system/json.js";
import { Job } from "./job.js";
import { StoredAnswer } from "./stored-answer.js";

const JobRecord = Type.Object({
  job: Job,
  /** Of body and answer. */
  bytes: Type.Integer({ minimum: 0 }),
  /** Milliseconds since the epoch. */
  expiresAt: Type.Number(),
});

/** The record of a job; it exists completely or not at all. */
export interface JobRecord {
  job: Job;
  bytes: number;
  expiresAt: number;
}

const validator = new Validator({ lazy: true });
const checkRecord = validator.compile(JobRecord, "record");
const checkAnswer = validator.compile(StoredAnswer, "answer");

/** Letters of an id, which is a file name. */
const fileName = /^([A-Za-z0-9_-]{1,64})\.(json|body|answer)$/;

/** The files of all jobs in one folder. */
export class JobFiles {
  constructor(private readonly folder: string) {}

  /** The records, oldest first, and the number of removed files without a record. */
  async open(): Promise<{ records: JobRecord[]; removed: number }> {
    await makeFolder(this.folder);
    const names = await readdir(this.folder);
    const records = new Map<string, JobRecord>();
    for (const name of names) {
      const [, id, kind] = fileName.exec(name) ?? [];
      if (id === undefined || kind !== "json") continue;
      const result = checkRecord(parsedJson(await readFile(this.path(id, kind), "utf8")));
      if (result.ok && result.value.job.id === id) records.set(id, result.value);
    }
    const others = names.filter((name) => !records.has(fileName.exec(name)?.[1] ?? ""));
    for (const name of others) await rm(join(this.folder, name), { recursive: true, force: true });
    const sorted = [...records.values()].sort((one, other) => one.job.created - other.job.created);
    return { records: sorted, removed: others.length };
  }

  /** Writes the record last: without it the body is not a job. */
  async create(record: JobRecord, body: string): Promise<void> {
    if (body !== "") await replaceSynced(this.path(record.job.id, "body"), body);
    await this.write(record);
  }

  async write(record: JobRecord): Promise<void> {
    await replaceSynced(this.path(record.job.id, "json"), JSON.stringify(record));
  }

  /** Writes the text of an answer, which is valid once the record says so. */
  async writeAnswer(id: string, answer: string): Promise<void> {
    await replaceSynced(this.path(id, "answer"), answer);
  }

  async body(id: string): Promise<string> {
    return await readFile(this.path(id, "body"), "utf8");
  }

  /** Throws where the answer is damaged. */
  async answer(id: string): Promise<StoredAnswer> {
    const result = checkAnswer(parsedJson(await readFile(this.path(id, "answer"), "utf8")));
    if (!result.ok) throw new Error("The stored answer of a job does not fit its schema");
    return result.value;
  }

  /** Removes the body, which an ended job does not need. */
  async removeBody(id: string): Promise<void> {
    await rm(this.path(id, "body"), { force: true });
  }

  /** Removes the record first: the next start removes files without a record. */
  async remove(id: string): Promise<void> {
    await rm(this.path(id, "json"), { force: true });
    await syncFolder(this.folder);
    await this.removeBody(id);
    await rm(this.path(id, "answer"), { force: true });
  }

  private path(id: string, kind: "json" | "body" | "answer"): string {
    return join(this.folder, `${id}.${kind}`);
  }
}
