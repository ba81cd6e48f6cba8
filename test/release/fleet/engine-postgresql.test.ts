/** The engine in a PostgreSQL database, tested by itself: the contract of engines, and what it leaves in the tables. */
import { randomBytes } from "node:crypto";
import { buffer } from "node:stream/consumers";
import t from "tap";
import { isEngineUnavailable } from "../../../host/system/request-errors.js";
import { testEngine } from "../../host/engine-contract.js";
import { facts, file, terms } from "../../host/engine-support.js";
import { until } from "../../host/plugins-support.js";
import {
  findServer,
  finds,
  noPrograms,
  noServer,
  ownServer,
  postgresqlEngines,
} from "../../host/postgresql-support.js";
import { command, findPrograms } from "../../postgresql-server.js";

const server = await findServer(t);
const programs = await findPrograms();
if (server === undefined) t.plan(0, noServer);
else {
  const kind = postgresqlEngines(server);
  testEngine(kind);

  t.test(
    "a file is whole, or refused, when the database crashes while it is written",
    { skip: programs === undefined && noPrograms },
    async (t) => {
      // What nobody waits for stays in its memory.
      const own = await ownServer(t, programs, { wal_writer_delay: "10s", wal_writer_flush_after: "1GB" });
      const place = await postgresqlEngines(own.url).place(t);
      const { artifacts } = await place.engine();
      const begin = randomBytes(1_200_000);
      const end = randomBytes(900_000);
      let refused = 0;
      for (let count = 0; count < 5 && refused === 0; count += 1) {
        const content = async function* () {
          yield begin;
          // Its first MiB is written when more is asked for.
          await own.kill();
          await own.start();
          yield end;
        };
        try {
          const stored = await artifacts.create(file(content()));
          t.same(await buffer(artifacts.read(stored)), Buffer.concat([begin, end]));
          await artifacts.discard(stored.id);
        } catch (error) {
          t.ok(isEngineUnavailable(error), String(error));
          refused += 1;
        }
      }
      t.equal(refused, 1, "one had lost its begin");
      t.match(await artifacts.usage(), { count: 0, bytes: 0 });
      const whole = await artifacts.create(file(Buffer.concat([begin, end])));
      t.same(await buffer(artifacts.read(whole)), Buffer.concat([begin, end]));
    },
  );

  t.test("what is removed leaves no rows", async (t) => {
    const place = await kind.place(t, { maximumBytes: 4_000_000, minimumLifetime: 1000 });
    const { sessions, artifacts } = await place.engine();
    const { id } = await sessions.create(facts(), { project: Buffer.from("{}"), assets: [] }, terms);
    await sessions.remove(id);
    t.notOk(await finds(place.address, "SELECT FROM slipway.content"));

    const evicted = await artifacts.create(file(randomBytes(3_000_000)));
    await place.pass(2000);
    const kept = await artifacts.create(file(randomBytes(3_000_000)));
    t.equal(await artifacts.find(evicted.id), undefined);
    const chunks = `SELECT FROM slipway.chunk WHERE artifact = '${evicted.id}'`;
    await artifacts.removeExpired();
    t.ok(await finds(place.address, chunks), "somebody may still read it");
    await place.pass(16 * 60_000);
    await artifacts.removeExpired();
    t.notOk(await finds(place.address, chunks));
    t.notOk(await finds(place.address, `SELECT FROM slipway.artifact WHERE id = '${evicted.id}'`));
    await artifacts.discard(kept.id);
    t.notOk(await finds(place.address, "SELECT FROM slipway.chunk"));
  });

  t.test("the oldest entries go while hosts run", async (t) => {
    const place = await kind.place(t);
    // 2 MB of the support's settings.
    const { audit } = await place.engine();
    await audit.open();
    const target = "x".repeat(100_000);
    const add = () =>
      audit.add({
        actor: "test",
        action: "plugin.disable",
        target,
        time: new Date().toISOString(),
        outcome: "done",
      });
    const isThere = (id: number) => finds(place.address, `SELECT FROM slipway.entry WHERE id = ${id}`);
    while (await isThere(1).then((there) => there || audit.list({ limit: 1 }).length === 0)) {
      t.ok(await add());
      if (audit.list({ limit: 100 }).length > 60) return t.fail("none went");
    }
    t.ok(audit.list({ limit: 100 }).length >= 20, "not before there are 2 MB");
    await audit.close();
  });

  t.test("ids that were shown are not given again when the database goes back", async (t) => {
    const place = await kind.place(t);
    const [one, other] = [await place.engine(), await place.engine()];
    const event = { kind: "disable" as const, plugin: "oex", reason: "test", actor: "test" };
    const add = ({ events }: typeof one) => events.add({ ...event, time: new Date().toISOString() });
    for (const { events } of [one, other]) await events.open();
    for (let count = 0; count < 5; count += 1) await add(one);
    await until(() => other.events.list({ limit: 10 }).length === 5);
    // As with a standby that lacks the last two and takes over.
    await command(place.address, "DELETE FROM slipway.entry WHERE id > 3");
    await command(place.address, "UPDATE slipway.counter SET value = 3 WHERE name = 'event'");
    t.ok(await add(other));
    for (const { events } of [one, other]) {
      await until(() => events.list({ limit: 10 }).length === 6);
      t.match(events.list({ limit: 1 }), [{ id: 6 }]);
      await events.close();
    }
  });

  t.test("partitions of past days are dropped, unless a file lies in them", async (t) => {
    const place = await kind.place(t);
    const { artifacts } = await place.engine();
    const { id } = await artifacts.create(file(Buffer.from("abc")));
    for (const day of ["2020_01_01", "2020_01_02"])
      await command(
        place.address,
        `CREATE TABLE slipway.chunk_${day} PARTITION OF slipway.chunk FOR VALUES IN ('${day.replaceAll("_", "-")}')`,
      );
    await command(place.address, "UPDATE slipway.artifact SET day = '2020-01-02'");
    const isThere = (day: string) =>
      finds(place.address, `SELECT FROM pg_class WHERE relname = 'chunk_${day}'`);
    await artifacts.removeExpired();
    t.notOk(await isThere("2020_01_01"));
    t.ok(await isThere("2020_01_02"));
    await artifacts.discard(id);
    await artifacts.removeExpired();
    t.notOk(await isThere("2020_01_02"));
    t.equal((await artifacts.create(file(Buffer.from("abc")))).bytes, 3);
  });
}
