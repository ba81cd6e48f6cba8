/** What every engine promises of events, audit trail and keys, each tested by itself. */
import { randomUUID } from "node:crypto";
import t from "tap";
import type { Engine } from "../../host/engine/engine.js";
import { parseKeys, type StoredKey } from "../../host/security/stored-keys.js";
import { type EngineKind, pair } from "./engine-support.js";
import { until } from "./plugins-support.js";

const event = (reason: string) => ({
  kind: "disable" as const,
  plugin: "oex",
  reason,
  actor: "test",
  time: new Date().toISOString(),
});

const action = (target: string) => ({ actor: "test", action: "plugin.disable", target });
const now = (): string => new Date().toISOString();

function key(name: string): StoredKey {
  const id = randomUUID().slice(0, 8);
  return { id, name, roles: ["read"], hash: "0".repeat(64), created: now() };
}

async function namesOf({ keys }: Engine): Promise<string[]> {
  const text = await keys.read();
  return text === undefined ? [] : parseKeys(text, keys.name).map(({ name }) => name);
}

/** Runs all cases for a kind of engines. */
export function testJournals(kind: EngineKind): void {
  t.test("events have one order, and who follows misses none", async (t) => {
    const place = await kind.place(t);
    const engines = await pair(kind, place);
    const heard = engines.map((): number[] => []);
    for (const [index, { events }] of [...new Set(engines)].entries()) {
      await events.open();
      events.follow(({ id }) => heard[index]?.push(id));
    }
    const reasons = Array.from({ length: 60 }, (_, count) => String(count));
    const stored = await Promise.all(
      reasons.map((reason, count) => engines[count % 2]?.events.add(event(reason))),
    );
    t.ok(stored.every((each) => each === true));
    const ids = reasons.map((_, index) => index + 1);
    for (const [index, { events }] of [...new Set(engines)].entries()) {
      await until(() => heard[index]?.length === reasons.length);
      t.strictSame(heard[index], ids, "each once, in the order of their ids");
      const listed = events.list({ limit: 100 });
      t.strictSame(listed.map(({ reason }) => reason).sort(), [...reasons].sort());
      t.strictSame(listed, engines[0].events.list({ limit: 100 }), "the same for all");
      t.strictSame(
        events.list({ after: 20, limit: 2 }).map(({ id }) => id),
        [21, 22],
      );
    }
    for (const { events } of new Set(engines)) await events.close();
    const later = await place.engine();
    await later.events.open();
    t.strictSame(
      later.events.list({ limit: 3 }).map(({ id }) => id),
      [58, 59, 60],
    );
    t.ok(await later.events.add(event("later")));
    t.match(later.events.list({ limit: 1 }), [{ id: 61, reason: "later" }]);
    await later.events.close();
  });

  t.test("what was begun by a host that is gone is ended, once", async (t) => {
    const place = await kind.place(t);
    const before = await place.engine();
    await before.audit.open();
    const done = randomUUID();
    t.ok(await before.audit.begin({ ...action("done"), time: now(), begun: done }, true));
    t.ok(await before.audit.add({ ...action("done"), time: now(), outcome: "done" }, done));
    t.ok(await before.audit.begin({ ...action("left"), time: now(), begun: randomUUID() }, true));
    t.match(before.audit.list({ limit: 10 }), [{ id: 1, target: "done" }]);
    await place.pass(60_000);

    for (const { audit } of new Set(await pair(kind, place))) {
      await audit.open();
      await until(() => audit.list({ limit: 10 }).length === 2);
      t.match(audit.list({ limit: 10 }), [
        { id: 1, target: "done", outcome: "done" },
        { id: 2, target: "left", outcome: "failed", message: "The host ended before this was done." },
      ]);
      await audit.close();
    }
  });

  t.test("keys are those of all, and no change is lost", async (t) => {
    const place = await kind.place(t);
    const [one, other] = await pair(kind, place);
    t.equal(await one.keys.read(), undefined);
    let changes = 0;
    t.teardown(
      other.keys.follow(() => {
        changes += 1;
      }),
    );
    const names = ["a", "b", "c", "d", "e", "f"];
    await Promise.all(
      names.map((name, index) => (index % 2 === 0 ? one : other).keys.change((keys) => [...keys, key(name)])),
    );
    await until(() => changes > 0);
    for (const engine of [one, other]) t.strictSame((await namesOf(engine)).sort(), names);
    const before = changes;
    await one.keys.change((keys) => keys.filter(({ name }) => name !== "c"));
    await until(() => changes > before);
    t.notOk((await namesOf(other)).includes("c"));
    await t.rejects(
      one.keys.change(() => {
        throw new Error("not today");
      }),
      { message: "not today" },
    );
    t.equal((await namesOf(other)).length, 5);
    await one.keys.change(() => []);
    t.strictSame(await namesOf(other), []);
    t.not(await other.keys.read(), undefined, "no key is not the same as never any");
  });
}
