/**
 * What every engine promises: the same cases for each, and a crash in between. Each store is tested by itself; over HTTP too few
 * writes would be under way when their process is killed.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { buffer } from "node:stream/consumers";
import t, { type Test } from "tap";
import { testProgram } from "../start-host.js";
import { testFiles } from "./engine-files-contract.js";
import { testIdempotency } from "./engine-idempotency-contract.js";
import { testJobs } from "./engine-jobs-contract.js";
import { testJournals } from "./engine-journals-contract.js";
import { testSessions } from "./engine-sessions-contract.js";
import {
  answered,
  type EngineKind,
  facts,
  file,
  jobTerms,
  newJob,
  project,
  sha256,
  terms,
  textOf,
} from "./engine-support.js";
import { testSwitches } from "./engine-switches-contract.js";

/** Runs all cases for a kind of engines. */
export function testEngine(kind: EngineKind): void {
  testSessions(kind);
  testFiles(kind);
  testJournals(kind);
  testJobs(kind);
  testIdempotency(kind);
  testSwitches(kind);
  t.test("what was stored is there for the next engine at the place", async (t) => {
    const place = await kind.place(t);
    const before = await place.engine();
    const session = await before.sessions.create(facts(), project("{}"), terms);
    const stored = await before.artifacts.create(file(Buffer.from("abc")));
    const given = newJob('{"a":1}');
    await before.jobs.create(given, jobTerms);
    const { id = "" } = (await before.jobs.claim("before", 60_000))?.job ?? {};
    await before.jobs.finish({ id, attempt: 1 }, answered("b"), 60_000);
    const running = await before.jobs.create(newJob('{"c":1}'), jobTerms);
    await before.jobs.claim("before", 60_000);
    const jobs = await before.jobs.list({ limit: 10 });
    const usage = [await before.sessions.usage(), await before.artifacts.usage(), await before.jobs.usage()];
    const after = await place.engine();
    t.strictSame(await after.sessions.find(session.id), session);
    t.strictSame(await after.artifacts.find(stored.id), stored);
    t.equal(String(await buffer(after.artifacts.read(stored))), "abc");
    t.strictSame(await after.jobs.list({ limit: 10 }), jobs);
    t.strictSame(await after.jobs.answer(given.id), answered("b").answer);
    t.strictSame(
      [await after.sessions.usage(), await after.artifacts.usage(), await after.jobs.usage()],
      usage,
    );
    await place.pass(60_001);
    await after.jobs.requeue({ attempts: 3, lifetime: 60_000, end: () => answered("never") });
    t.match(await after.jobs.claim("after", 60_000), {
      job: { id: running.id, attempt: 2 },
      body: '{"c":1}',
    });
  });

  t.test("kill -9 while it is written: nothing acknowledged is lost, nothing is torn", (t) => kills(t, kind));
}

async function kills(t: Test, kind: EngineKind): Promise<void> {
  const place = await kind.place(t, { lifetime: 3_600_000 });
  const acknowledged = new Map<string, { revision: number; asset: string } | "removed">();
  const files = new Set<string>();
  const jobStates = new Map<string, string>();
  for (let round = 0; round < 4; round += 1) {
    const writer = spawn(process.execPath, [testProgram("host/engine-writer"), place.address], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const exited = once(writer, "exit");
    let lines = 0;
    for await (const line of createInterface({ input: writer.stdout })) {
      const [what = "", id = "", revision = "", asset = ""] = line.split(" ");
      if (what === "job") {
        jobStates.set(id, revision);
        continue;
      }
      if (what === "file") files.add(id);
      else acknowledged.set(id, revision === "removed" ? "removed" : { revision: Number(revision), asset });
      lines += 1;
      if (lines === 8 + round * 6) writer.kill("SIGKILL");
    }
    await exited;
  }
  const engine = await place.engine();
  const { sessions, artifacts, jobs } = engine;
  t.ok(acknowledged.size > 4);
  t.ok(files.size > 0);
  for (const [id, state] of acknowledged) {
    const record = await sessions.find(id);
    if (state === "removed") t.equal(record, undefined, "a removed session stays away");
    else if (record === undefined) t.equal(state.revision, 4, "only the removal may have been under way");
    else {
      t.ok(record.revision === state.revision || record.revision === state.revision + 1);
      const stored = JSON.parse(String(await textOf(engine, { id }, record.revision)));
      t.match(stored, { id, revision: record.revision, end: true });
      t.match(JSON.parse(String(await sessions.asset(id, state.asset))), { id, end: true });
    }
  }
  for (const { record } of await sessions.list({ limit: 1000 })) {
    const stored = JSON.parse(String(await textOf(engine, record, record.revision)));
    t.match(stored, { end: true }, "not torn");
  }
  for (const id of files) {
    const found = await artifacts.find(id);
    if (found === undefined) t.fail("an acknowledged file is lost");
    else t.equal(sha256(await buffer(artifacts.read(found))), found.etag, "whole");
  }
  t.ok(jobStates.size > 4);
  for (const [id, state] of jobStates) {
    const found = await jobs.find(id);
    const order = ["queued", "running", "done"];
    t.ok(order.indexOf(found?.state ?? "lost") >= order.indexOf(state), `${state}, now ${found?.state}`);
    if (found?.state === "done") t.match(await jobs.answer(id), { content: { body: id.repeat(1000) } });
  }
  for (const { id, attempt } of await jobs.list({ limit: 1000, state: "running" }))
    await jobs.giveBack({ id, attempt }, { isFailure: true, delay: 0 });
  for (let next = await jobs.claim("after", 60_000); next !== undefined; ) {
    t.equal(next.body, next.job.id.repeat(1000), "whole");
    await jobs.finish(next.job, answered(""), 60_000);
    next = await jobs.claim("after", 60_000);
  }
  const listed = await sessions.list({ limit: 1000 });
  const bytes = listed.reduce((sum, each) => sum + each.bytes, 0);
  t.strictSame(await sessions.usage(), { sessions: listed.length, bytes });
  await place.pass(7_200_000);
  const removed: string[] = [];
  await sessions.removeExpired((id) => removed.push(id));
  t.equal(removed.length, listed.length);
  await artifacts.removeExpired();
  t.strictSame(await sessions.usage(), { sessions: 0, bytes: 0 });
  t.match(await artifacts.usage(), { count: 0, bytes: 0 });
  await jobs.removeExpired();
  t.strictSame(await jobs.usage(), { jobs: 0, bytes: 0, queued: 0, running: 0, webhooks: 0 });
}
