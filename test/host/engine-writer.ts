/**
 * Writes sessions, files and jobs into an engine as fast as it can and tells of each that is stored, until it is killed. Uses the
 * part itself: over HTTP too few writes would be under way when it is killed.
 */
import { randomBytes, randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { answered, engineAt, jobTerms, newJob, silent, summary } from "./engine-support.js";

const [address = ""] = process.argv.slice(2);
const terms = { lifetime: 3_600_000, maximumSessions: 1000, maximumBytes: 1_000_000_000 };
const engine = await engineAt(address, {}, silent);
const { sessions, artifacts, jobs } = engine;

/** A content whose completeness shows: its length and its end are part of it. */
function content(id: string, revision: number): Buffer {
  return Buffer.from(JSON.stringify({ id, revision, filling: "x".repeat(200_000), end: true }));
}

function tell(...words: (string | number)[]): void {
  process.stdout.write(`${words.join(" ")}\n`);
}

async function writeSessions(): Promise<void> {
  for (;;) {
    const id = randomUUID();
    const session = { id, locale: "en", summary };
    const sha256 = randomBytes(32).toString("hex");
    const asset = { sha256, mediaType: "text/plain", content: content(id, 0) };
    await sessions.create({ ...session, revision: 1 }, { project: content(id, 1), assets: [asset] }, terms);
    tell("session", id, 1, sha256);
    for (let revision = 2; revision < 5; revision += 1) {
      const next = { project: content(id, revision), assets: [], kept: [sha256] };
      await sessions.replace({ ...session, revision }, next, terms);
      tell("session", id, revision, sha256);
    }
    await sessions.remove(id);
    tell("session", id, "removed");
  }
}

async function writeFiles(): Promise<void> {
  for (;;) {
    const parts = Array.from({ length: 20 }, () => randomBytes(100_000));
    const file = {
      name: "a.bin",
      mediaType: "application/octet-stream",
      content: Readable.from(parts.map((part) => [part])),
    };
    const { id } = await artifacts.create(file);
    tell("file", id);
  }
}

async function writeJobs(): Promise<void> {
  for (;;) {
    const id = randomUUID();
    await jobs.create(newJob(id.repeat(1000), id), jobTerms);
    tell("job", id, "queued");
    const job = (await jobs.claim("writer", 3_600_000))?.job;
    if (job === undefined) continue;
    tell("job", job.id, "running");
    await jobs.finish(job, answered(job.id.repeat(1000)), 3_600_000);
    tell("job", job.id, "done");
  }
}

await Promise.all([
  writeJobs(),
  writeJobs(),
  writeSessions(),
  writeSessions(),
  writeSessions(),
  writeFiles(),
  writeFiles(),
]);
