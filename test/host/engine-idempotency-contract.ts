/**
 * What every engine promises of idempotency keys: the same cases for each, with two engines at one place where they may share it.
 * The store is tested by itself: over HTTP the ends of leases and lifetimes could not be hit.
 */
import { randomBytes } from "node:crypto";
import t from "tap";
import type { BegunRequest, KnownRequest } from "../../host/idempotency/idempotency-store.js";
import { answered, type EngineKind, pair, refused } from "./engine-support.js";

const terms = { lease: 10_000, lifetime: 60_000, maximumKeys: 1000 };
const request = (fingerprint = "a") => ({ name: randomBytes(32).toString("hex"), fingerprint });
const claimOf = ({ name }: { name: string }, known: KnownRequest): BegunRequest => ({
  name,
  attempt: known.kind === "new" ? known.attempt : 0,
});
const idOf = (known: KnownRequest) => ({ kind: "new", id: known.kind === "new" ? known.id : "none" });
const { answer } = answered("the answer \u0000ä");

/** Runs the cases of idempotency keys for a kind of engines. */
export function testIdempotency(kind: EngineKind): void {
  t.test("one of many equal requests begins, and its answer is repeated", async (t) => {
    const engines = await pair(kind, await kind.place(t));
    const given = request();
    const begun = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        (engines[index % 2] ?? engines[0]).idempotency.begin(given, terms),
      ),
    );
    const [first, second] = begun.filter(({ kind }) => kind === "new");
    t.equal(second, undefined);
    t.equal(begun.filter(({ kind }) => kind === "running").length, 19);
    if (first?.kind !== "new") return t.fail("none has begun");
    t.ok(first.id.length >= 24);
    const claim = claimOf(given, first);
    const [one, other] = engines;
    await one.idempotency.finish(claim, answer);
    t.strictSame(await other.idempotency.begin(given, terms), { kind: "answered", answer });
    await other.idempotency.forget(claim);
    await other.idempotency.finish(claim, answered("another").answer);
    t.strictSame(await one.idempotency.begin(given, terms), { kind: "answered", answer }, "it stays");
    t.strictSame(await other.idempotency.begin({ ...given, fingerprint: "b" }, terms), { kind: "different" });
  });

  t.test("a request that is forgotten, or lost, begins again", async (t) => {
    const place = await kind.place(t);
    const [one, other] = await pair(kind, place);
    const given = request();
    const begun = await one.idempotency.begin(given, terms);
    const id = begun.kind === "new" ? begun.id : "";
    await other.idempotency.forget({ name: given.name, attempt: 99 });
    t.match(await other.idempotency.begin(given, terms), { kind: "running" });
    await place.pass(terms.lease + 1);
    const again = await other.idempotency.begin(given, terms);
    t.match(again, { kind: "new", id }, "with the same id");
    await one.idempotency.forget(claimOf(given, begun));
    t.match(await other.idempotency.begin(given, terms), { kind: "running" }, "a late failure");
    await other.idempotency.finish(claimOf(given, begun), answered("late").answer);
    t.match(await other.idempotency.begin(given, terms), { kind: "running" }, "a late answer");
    await other.idempotency.forget(claimOf(given, again));
    const anew = await one.idempotency.begin({ ...given, fingerprint: "b" }, terms);
    t.match(anew, { kind: "new" });
    t.notMatch(anew, { id });
  });

  const alone = !kind.isShared && "one host has this engine for itself";
  t.test("a request whose host is gone begins again at once", { skip: alone }, async (t) => {
    const place = await kind.place(t);
    const [one, other] = [await place.engine(), await place.engine()];
    const given = request();
    const begun = await one.idempotency.begin(given, terms);
    t.match(await other.idempotency.begin(given, terms), { kind: "running" });
    await one.close();
    t.match(await other.idempotency.begin(given, terms), idOf(begun), "with the same id");
    t.match(await other.idempotency.begin(given, terms), { kind: "running" });
  });

  t.test(
    "a failure that is told late does not end what another host has begun since",
    { skip: alone },
    async (t) => {
      const place = await kind.place(t);
      const late = await place.engine();
      const given = request();
      const begun = await late.idempotency.begin(given, terms);
      await place.pass(30_000);
      const other = await place.engine();
      t.match(await other.idempotency.begin(given, terms), idOf(begun), "with the same id");
      await late.idempotency.forget(claimOf(given, begun));
      t.match(await other.idempotency.begin(given, terms), { kind: "running" });
    },
  );

  t.test("keys are forgotten after their time, and their number is limited", async (t) => {
    const place = await kind.place(t);
    const [one, other] = await pair(kind, place);
    const given = request();
    const begun = await one.idempotency.begin(given, terms);
    await one.idempotency.finish(claimOf(given, begun), answer);
    await place.pass(terms.lifetime - 5_000);
    t.match(await other.idempotency.begin({ ...given, fingerprint: "b" }, terms), { kind: "different" });
    await place.pass(6_000);
    t.match(await other.idempotency.begin({ ...given, fingerprint: "b" }, terms), { kind: "new" });

    const two = { ...terms, maximumKeys: 2 };
    t.match(await one.idempotency.begin(request(), two), { kind: "new" });
    await t.rejects(other.idempotency.begin(request(), two), refused);
    t.match(await other.idempotency.begin({ ...given, fingerprint: "c" }, two), { kind: "different" });
    t.equal(await one.idempotency.removeExpired(), 0);
    await place.pass(terms.lifetime);
    t.equal(await one.idempotency.removeExpired(), 2);
    t.match(await one.idempotency.begin(request(), two), { kind: "new" });
  });

  t.test("what was answered is known to the next engine, and what was not begins again", async (t) => {
    const place = await kind.place(t);
    const before = await place.engine();
    const [done, open] = [request(), request()];
    const [first, second] = [
      await before.idempotency.begin(done, terms),
      await before.idempotency.begin(open, terms),
    ];
    await before.idempotency.finish(claimOf(done, first), answer);
    const after = await place.engine();
    t.strictSame(await after.idempotency.begin(done, terms), { kind: "answered", answer });
    await place.pass(terms.lease + 1);
    t.match(await after.idempotency.begin(open, terms), idOf(second));
  });
}
