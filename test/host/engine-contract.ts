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
import { testJournals } from "./engine-journals-contract.js";
import { testSessions } from "./engine-sessions-contract.js";
import { type EngineKind, facts, file, project, sha256, terms, textOf } from "./engine-support.js";

/** Runs all cases for a kind of engines. */
export function testEngine(kind: EngineKind): void {
  testSessions(kind);
  testFiles(kind);
  testJournals(kind);
  t.test("what was stored is there for the next engine at the place", async (t) => {
    const place = await kind.place(t);
    const before = await place.engine();
    const session = await before.sessions.create(facts(), project("{}"), terms);
    const stored = await before.artifacts.create(file(Buffer.from("abc")));
    const usage = [await before.sessions.usage(), await before.artifacts.usage()];
    const after = await place.engine();
    t.strictSame(await after.sessions.find(session.id), session);
    t.strictSame(await after.artifacts.find(stored.id), stored);
    t.equal(String(await buffer(after.artifacts.read(stored))), "abc");
    t.strictSame([await after.sessions.usage(), await after.artifacts.usage()], usage);
  });

  t.test("kill -9 while it is written: nothing acknowledged is lost, nothing is torn", (t) => kills(t, kind));
}

async function kills(t: Test, kind: EngineKind): Promise<void> {
  const place = await kind.place(t, { lifetime: 3_600_000 });
  const acknowledged = new Map<string, { revision: number; asset: string } | "removed">();
  const files = new Set<string>();
  for (let round = 0; round < 4; round += 1) {
    const writer = spawn(process.execPath, [testProgram("host/engine-writer"), place.address], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const exited = once(writer, "exit");
    let lines = 0;
    for await (const line of createInterface({ input: writer.stdout })) {
      const [what = "", id = "", revision = "", asset = ""] = line.split(" ");
      if (what === "file") files.add(id);
      else acknowledged.set(id, revision === "removed" ? "removed" : { revision: Number(revision), asset });
      lines += 1;
      if (lines === 8 + round * 6) writer.kill("SIGKILL");
    }
    await exited;
  }
  const engine = await place.engine();
  const { sessions, artifacts } = engine;
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
}
