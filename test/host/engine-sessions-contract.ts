/**
 * What every engine promises of sessions: the same cases for each, races of several engines at one place where they may share it. The
 * store is tested by itself; over HTTP the races could not be hit.
 */
import { randomBytes } from "node:crypto";
import fc from "fast-check";
import t from "tap";
import type { SessionRecord } from "../../host/sessions/sessions.js";
import {
  type EngineKind,
  facts,
  pair,
  picture,
  project,
  refused,
  sha256,
  terms,
  textOf,
} from "./engine-support.js";

/** Runs the cases of sessions for a kind of engines. */
export function testSessions(kind: EngineKind): void {
  sessionCases(kind);
  sessionLimits(kind);
  sessionLifetimes(kind);
  sessionSequences(kind);
}

function sessionCases(kind: EngineKind): void {
  t.test("a session is stored with its project and its assets", async (t) => {
    const [one, other] = await pair(kind, await kind.place(t));
    const began = Date.now();
    const assets = [picture("one"), picture("two")];
    const session = facts();
    const record = await one.sessions.create(session, { project: Buffer.from("{}"), assets }, terms);
    t.match(record, session);
    t.ok(Math.abs(record.created - began) < 60_000);
    t.ok(record.expiresAt - record.created >= terms.lifetime);
    for (const { sessions } of [one, other]) {
      t.strictSame(await sessions.find(record.id), record);
      t.strictSame(await sessions.use(record.id, terms.lifetime), record);
      t.equal(String(await sessions.project(record.id, 1)), "{}");
      t.strictSame((await sessions.assets(record.id)).sort(), assets.map((each) => each.sha256).sort());
      for (const asset of assets) {
        t.ok(await sessions.hasAsset(record.id, asset.sha256));
        t.same(await sessions.asset(record.id, asset.sha256), asset.content);
      }
      t.strictSame(await sessions.list({ limit: 10 }), [{ record, bytes: 8 }]);
      t.strictSame(await sessions.usage(), { sessions: 1, bytes: 8 });
    }
  });

  t.test("a session that is opened again under its id stays as it is", async (t) => {
    const [one, other] = await pair(kind, await kind.place(t));
    const session = facts();
    const content = { project: Buffer.from("{}"), assets: [picture("one")] };
    const created = await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        (index % 2 === 0 ? one : other).sessions.create(session, content, terms),
      ),
    );
    const [record] = created;
    for (const each of created) t.strictSame(each, record);
    t.equal((await other.sessions.usage()).sessions, 1);
    const next = { ...session, revision: 2 };
    const replaced = await one.sessions.replace(next, { ...content, kept: [] }, terms);
    t.equal((await other.sessions.create(session, content, terms)).revision, 2);
    t.strictSame(await other.sessions.find(session.id), replaced);
  });

  t.test(
    "uploads of a session are changed one after the other, and stay through what happens to it",
    async (t) => {
      const place = await kind.place(t);
      const [one, other] = await pair(kind, place);
      const session = facts();
      const content = { project: Buffer.from("{}"), assets: [] };
      await one.sessions.create(session, content, terms);
      t.strictSame(await other.sessions.uploads(session.id), []);
      const names = Array.from({ length: 12 }, (_, index) => `address ${index}`);
      const changed = await Promise.all(
        names.map((address, index) =>
          (index % 2 === 0 ? one : other).sessions.changeUploads(session.id, (uploads) => [
            ...uploads,
            { address, file: { id: "a", bytes: 1 } },
          ]),
        ),
      );
      t.ok(changed.every(Boolean));
      const uploads = await other.sessions.uploads(session.id);
      t.strictSame(uploads.map(({ address }) => address).sort(), [...names].sort());
      await one.sessions.replace({ ...session, revision: 2 }, { ...content, kept: [] }, terms);
      await one.sessions.use(session.id, terms.lifetime * 2);
      t.strictSame(await other.sessions.uploads(session.id), uploads);
      if (!kind.isShared) await one.close();
      const again = await place.engine();
      t.strictSame(await again.sessions.uploads(session.id), uploads);
      await again.sessions.remove(session.id);
      t.strictSame(await again.sessions.uploads(session.id), []);
      t.equal(await again.sessions.changeUploads(session.id, () => []), false);
    },
  );

  t.test("what is not there is not found, whatever the id looks like", async (t) => {
    const place = await kind.place(t);
    const { sessions, artifacts } = await place.engine();
    for (const id of [facts().id, "x", "", "'; --", "\u0000", "../record.json"]) {
      t.equal(await sessions.find(id), undefined);
      t.equal(await sessions.use(id, 1000), undefined);
      t.equal(await sessions.project(id, 1), undefined);
      t.equal(await sessions.asset(id, "0".repeat(64)), undefined);
      t.equal(await sessions.hasAsset(id, "0".repeat(64)), false);
      t.strictSame(await sessions.assets(id), []);
      t.strictSame(await sessions.uploads(id), []);
      t.equal(await sessions.changeUploads(id, () => []), false);
      t.equal(await sessions.remove(id), false);
      t.equal(await artifacts.find(id), undefined);
      await artifacts.discard(id);
    }
    const { id } = await sessions.create(facts(), project("{}"), terms);
    t.equal(await sessions.asset(id, "../record.json"), undefined);
    t.equal(await sessions.asset(id, "project-1"), undefined);
    const unknown = { ...project("{}"), kept: [] };
    t.equal(await sessions.replace(facts({ revision: 2 }), unknown, terms), undefined);
  });

  t.test("a replacement keeps the revision before it, and what both need", async (t) => {
    const [one, other] = await pair(kind, await kind.place(t));
    const [kept, dropped, added] = [picture("kept"), picture("dropped"), picture("added")];
    const first = facts();
    await one.sessions.create(first, { project: Buffer.from("1"), assets: [kept, dropped] }, terms);
    const second = { ...first, revision: 2, locale: "en", summary: { ...first.summary, name: "Second" } };
    const content = { project: Buffer.from("22"), assets: [added], kept: [kept.sha256] };
    const replaced = await other.sessions.replace(second, content, terms);
    t.match(replaced, second);
    t.strictSame(await one.sessions.find(first.id), replaced);
    t.equal(await textOf(one, first, 1), "1", "for requests that began with it");
    t.equal(await textOf(one, first, 2), "22");
    t.ok(await one.sessions.hasAsset(first.id, dropped.sha256));
    t.strictSame((await one.sessions.assets(first.id)).sort(), [kept.sha256, added.sha256].sort());
    t.match(await one.sessions.usage(), { bytes: 1 + 2 + 4 + 7 + 5 });

    t.equal(await one.sessions.replace(second, content, terms), undefined, "not the next revision");
    t.equal(await textOf(one, first, 2), "22");
    const third = { ...project("333"), kept: [] };
    t.ok(await one.sessions.replace({ ...first, revision: 3 }, third, terms));
    t.equal(await textOf(other, first, 1), undefined);
    t.equal(await textOf(other, first, 2), "22");
    t.notOk(await other.sessions.hasAsset(first.id, dropped.sha256));
    t.ok(await other.sessions.hasAsset(first.id, added.sha256));
    t.match(await other.sessions.usage(), { sessions: 1, bytes: 2 + 3 + 4 + 5 });

    t.ok(await other.sessions.remove(first.id));
    t.equal(await one.sessions.remove(first.id), false);
    t.equal(await textOf(one, first, 3), undefined);
    t.notOk(await one.sessions.hasAsset(first.id, added.sha256));
    t.equal(await one.sessions.replace({ ...first, revision: 4 }, third, terms), undefined);
    t.strictSame(await one.sessions.usage(), { sessions: 0, bytes: 0 });
  });

  t.test("of replacements at the same time one wins, and it is stored whole", async (t) => {
    const engines = await pair(kind, await kind.place(t));
    const session = facts();
    await engines[0].sessions.create(session, project("0"), terms);
    for (let revision = 2; revision < 8; revision += 1) {
      const shared = picture(`shared by ${revision}`);
      const names = ["a", "b", "c", "d", "e", "f"];
      const answers = await Promise.all(
        names.map((name, index) => {
          const content = { project: Buffer.from(name), assets: [shared, picture(name)], kept: [] };
          const next = { ...session, revision, locale: name };
          return engines[index % 2]?.sessions.replace(next, content, terms);
        }),
      );
      const winners = answers.flatMap((answer) => answer ?? []);
      t.equal(winners.length, 1);
      const name = winners[0]?.locale ?? "";
      for (const engine of engines) {
        t.strictSame(await engine.sessions.find(session.id), winners[0]);
        t.equal(await textOf(engine, session, revision), name);
        const assets = [shared.sha256, picture(name).sha256].sort();
        t.strictSame((await engine.sessions.assets(session.id)).sort(), assets);
        t.same(await engine.sessions.asset(session.id, shared.sha256), shared.content);
      }
    }
  });

  t.test("lists come in pages, each session once", async (t) => {
    const [one, other] = await pair(kind, await kind.place(t));
    const records: SessionRecord[] = [];
    for (let made = 0; made < 23; made += 1)
      records.push(await one.sessions.create(facts(), project("{}"), terms));
    const ids = records.map(({ id }) => id).sort();
    for (const limit of [1, 5, 23, 100]) {
      const seen: string[] = [];
      for (;;) {
        const page = await other.sessions.list({ after: seen.at(-1), limit });
        seen.push(...page.map(({ record }) => record.id));
        if (page.length < limit) break;
      }
      t.strictSame(seen, ids, `pages of ${limit}`);
    }
  });

  t.test("a large project passes unchanged", async (t) => {
    const [one, other] = await pair(kind, await kind.place(t));
    const large = randomBytes(9 * 1024 * 1024 + 17);
    const asset = randomBytes(3 * 1024 * 1024);
    const assets = [{ sha256: sha256(asset), mediaType: "image/png", content: asset }];
    const { id } = await one.sessions.create(facts(), { project: large, assets }, terms);
    t.ok(large.equals((await other.sessions.project(id, 1)) ?? Buffer.alloc(0)));
    t.ok(asset.equals((await other.sessions.asset(id, sha256(asset))) ?? Buffer.alloc(0)));
    t.match(await other.sessions.usage(), { bytes: large.length + asset.length });
  });
}

function sessionLimits(kind: EngineKind): void {
  t.test("however many sessions are opened at once, the limits hold", async (t) => {
    const engines = await pair(kind, await kind.place(t));
    const open = (count: number, limits: Partial<typeof terms>, text = "0123456789") =>
      Promise.allSettled(
        Array.from({ length: count }, (_, index) =>
          (engines[index % 2] ?? engines[0]).sessions.create(facts(), project(text), { ...terms, ...limits }),
        ),
      );
    const outcomes = await open(30, { maximumSessions: 7 });
    t.equal(outcomes.filter(({ status }) => status === "fulfilled").length, 7);
    for (const outcome of outcomes) if (outcome.status === "rejected") t.match(outcome.reason, refused);
    t.strictSame(await engines[1].sessions.usage(), { sessions: 7, bytes: 70 });
    t.equal((await engines[1].sessions.list({ limit: 100 })).length, 7);

    const [first] = await engines[0].sessions.list({ limit: 1 });
    t.ok(await engines[0].sessions.remove(first?.record.id ?? ""));
    const room = await open(5, { maximumSessions: 7 });
    t.equal(room.filter(({ status }) => status === "fulfilled").length, 1, "what is closed makes room");

    const filled = await open(20, { maximumBytes: 100 });
    t.equal(filled.filter(({ status }) => status === "fulfilled").length, 3);
    t.match(await engines[0].sessions.usage(), { bytes: 100 });
  });

  t.test("a replacement counts by what it adds; one that does not fit changes nothing", async (t) => {
    const [one, other] = await pair(kind, await kind.place(t));
    const session = facts();
    await one.sessions.create(session, project("12345"), { ...terms, maximumBytes: 20 });
    const replace = (revision: number, text: string) =>
      other.sessions.replace(
        { ...session, revision },
        { ...project(text), kept: [] },
        { ...terms, maximumSessions: 1, maximumBytes: 20 },
      );
    t.ok(await replace(2, "1234567890"));
    await t.rejects(replace(3, "12345678901"), refused);
    t.equal(await textOf(one, session, 2), "1234567890");
    t.equal(await textOf(one, session, 1), "12345");
    t.match(await one.sessions.usage(), { bytes: 15 });
    t.ok(await replace(3, "0123456789"));
    t.match(await one.sessions.usage(), { bytes: 20 });
  });
}

function sessionLifetimes(kind: EngineKind): void {
  t.test("a session ends after its lifetime, and is removed once", async (t) => {
    const place = await kind.place(t);
    const [one, other] = await pair(kind, place);
    const short = { ...terms, lifetime: 10_000 };
    const session = await one.sessions.create(facts(), project("{}"), short);
    const many = await Promise.all(
      Array.from({ length: 20 }, () => one.sessions.create(facts(), project("{}"), short)),
    );
    const staying = await one.sessions.create(facts(), project("{}"), { ...terms, lifetime: 100_000 });
    await place.pass(9_000);
    t.ok(await other.sessions.find(session.id));
    await place.pass(3_000);
    const { sessions } = other;
    t.equal(await sessions.find(session.id), undefined);
    t.equal(await sessions.use(session.id, 10_000), undefined);
    t.equal(await sessions.project(session.id, 1), undefined);
    t.equal(await sessions.remove(session.id), false);
    const next = { ...project("2"), kept: [] };
    t.equal(await sessions.replace({ ...session, revision: 2 }, next, terms), undefined);
    t.strictSame(
      (await sessions.list({ limit: 100 })).map(({ record }) => record.id),
      [staying.id],
    );
    const removed: string[] = [];
    const note = (id: string): void => void removed.push(id);
    await Promise.all([one.sessions.removeExpired(note), other.sessions.removeExpired(note)]);
    t.strictSame(removed.sort(), [session, ...many].map(({ id }) => id).sort());
    t.match(await one.sessions.usage(), { sessions: 1 });
    t.ok(await one.sessions.find(staying.id));
  });

  t.test("use renews a lifetime, and never shortens it", async (t) => {
    const place = await kind.place(t);
    const [one, other] = await pair(kind, place);
    const { id, expiresAt } = await one.sessions.create(facts(), project("{}"), terms);
    for (let turn = 0; turn < 4; turn += 1) {
      await place.pass(50_000);
      const used = await (turn % 2 === 0 ? one : other).sessions.use(id, 60_000);
      t.ok(used, "the lifetime counts from the last use");
      t.strictSame(await one.sessions.find(id), used);
    }
    const long = await other.sessions.use(id, 600_000);
    t.ok((long?.expiresAt ?? 0) > expiresAt);
    t.ok(await one.sessions.use(id, 1000));
    await place.pass(590_000);
    t.ok(await one.sessions.find(id), "a shorter lifetime changes nothing");
    await place.pass(700_000);
    t.equal(await other.sessions.use(id, 60_000), undefined);
  });
}

/** A step of a random sequence; `which` chooses one of the known sessions. */
type Step = { do: "create" | "replace" | "stale" | "use" | "remove"; which: number; text: string };

const step: fc.Arbitrary<Step> = fc.record({
  do: fc.constantFrom("create", "replace", "stale", "use", "remove"),
  which: fc.nat(5),
  text: fc.string({ maxLength: 50, unit: "binary" }),
});

function sessionSequences(kind: EngineKind): void {
  t.test("after any sequence of steps, each session is as its last step left it", async (t) => {
    const place = await kind.place(t);
    const engines = await pair(kind, place);
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        const model = new Map<string, { revision: number; texts: string[] }>();
        for (const [index, each] of steps.entries()) {
          const { sessions } = engines[index % 2] ?? engines[0];
          const id = [...model.keys()][each.which];
          const known = id === undefined ? undefined : model.get(id);
          if (id === undefined || known === undefined || each.do === "create") {
            const session = facts();
            await sessions.create(session, project(each.text), terms);
            model.set(session.id, { revision: 1, texts: [each.text] });
          } else if (each.do === "use") {
            if ((await sessions.use(id, terms.lifetime)) === undefined) return false;
          } else if (each.do === "remove") {
            if (!(await sessions.remove(id))) return false;
            model.delete(id);
          } else {
            const revision = known.revision + (each.do === "stale" ? 0 : 1);
            const content = { ...project(each.text), kept: [] };
            const replaced = await sessions.replace(facts({ id, revision }), content, terms);
            if ((replaced === undefined) !== (each.do === "stale")) return false;
            if (replaced !== undefined) model.set(id, { revision, texts: [...known.texts, each.text] });
          }
        }
        let bytes = 0;
        for (const [id, { revision, texts }] of model) {
          const [engine] = engines;
          const last = texts.slice(-2);
          bytes += last.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
          if ((await engine.sessions.find(id))?.revision !== revision) return false;
          if ((await textOf(engine, { id }, revision)) !== last.at(-1)) return false;
          if (last.length === 2 && (await textOf(engine, { id }, revision - 1)) !== last[0]) return false;
          if ((await textOf(engine, { id }, revision - 2)) !== undefined) return false;
        }
        const usage = await engines[1].sessions.usage();
        for (const id of model.keys()) await engines[1].sessions.remove(id);
        return usage.sessions === model.size && usage.bytes === bytes;
      }),
      { numRuns: 40 },
    );
  });
}
