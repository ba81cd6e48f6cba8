/**
 * What every engine promises of jobs: the same cases for each, with two engines at one place where they may share it. The store is
 * tested by itself: over HTTP no worker could be late.
 */
import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import t from "tap";
import type { JobEnd, JobTerms } from "../../host/jobs/jobs.js";
import {
  answered,
  type EngineKind,
  facts,
  jobTerms,
  newJob,
  pair,
  picture,
  project,
  refused,
  terms,
  textOf,
} from "./engine-support.js";

const failed = (id: string): JobEnd => {
  const error = { code: 500, id, type: "job", message: id, cause: [], additionalInformation: {}, scopes: [] };
  const content = {
    kind: "text" as const,
    mediaType: "application/json" as const,
    body: JSON.stringify(error),
  };
  return { state: "failed", answer: { status: 500, headers: {}, content }, error };
};

const lease = 10_000;
const requeueTerms = { attempts: 3, lifetime: 60_000, end: (reason: string) => failed(`job-${reason}`) };

/** Runs the cases of jobs for a kind of engines. */
export function testJobs(kind: EngineKind): void {
  t.test("a job waits, runs and is answered, once", async (t) => {
    const [one, other] = await pair(kind, await kind.place(t));
    const given = newJob(JSON.stringify({ text: "\u0000ä\ud800" }));
    const created = await one.jobs.create(given, jobTerms);
    t.match(created, { id: given.id, state: "queued", attempt: 0, failures: 0, request: given.request });
    t.ok(Math.abs(created.created - Date.now()) < 600_000);
    t.strictSame(await other.jobs.find(given.id), created);
    t.strictSame(await other.jobs.create(newJob("{}", given.id), jobTerms), created, "the same one again");
    t.match(await one.jobs.usage(), { jobs: 1, bytes: Buffer.byteLength(given.body), queued: 1, running: 0 });

    const claimed = await other.jobs.claim("host-b", lease);
    t.match(claimed, {
      job: { id: given.id, state: "running", attempt: 1, host: "host-b" },
      body: given.body,
    });
    t.equal(await one.jobs.claim("host-a", lease), undefined, "nobody else gets it");
    t.equal(await one.jobs.answer(given.id), undefined);
    const claim = { id: given.id, attempt: 1 };
    t.equal(await other.jobs.renew(claim, lease, { part: 0.4, text: "page 40 of 100" }), true);
    t.match(await one.jobs.find(given.id), { progress: { part: 0.4, text: "page 40 of 100" } });

    const end = answered(`\u0000${"ä".repeat(100_000)}\ud800`);
    t.equal(await other.jobs.finish(claim, end, 60_000), true);
    t.strictSame(await one.jobs.answer(given.id), end.answer);
    t.match(await one.jobs.find(given.id), { state: "done", status: 200, attempt: 1, host: "host-b" });
    t.equal(await other.jobs.renew(claim, lease), false);
    t.equal(await other.jobs.giveBack(claim, { isFailure: true, delay: 0 }), false);
    t.match(await one.jobs.cancel(given.id, 60_000), { state: "done" }, "what has ended stays as it is");
    t.match(await one.jobs.usage(), { jobs: 1, queued: 0, running: 0 });
    t.equal(await one.jobs.find("unknown"), undefined);
    t.equal(await one.jobs.cancel("unknown", 1), undefined);
  });

  t.test("many workers share a queue, and each job is begun by one of them", async (t) => {
    const engines = await pair(kind, await kind.place(t));
    const ids = Array.from({ length: 60 }, () => randomUUID());
    for (const id of ids) await engines[0].jobs.create(newJob("", id), jobTerms);
    const begun: string[] = [];
    const work = async (index: number): Promise<void> => {
      const { jobs } = engines[index % 2] ?? engines[0];
      for (;;) {
        const claimed = await jobs.claim(`host-${index}`, lease);
        if (claimed === undefined) return;
        begun.push(claimed.job.id);
        t.equal(await jobs.finish(claimed.job, answered(claimed.job.id), 60_000), true);
      }
    };
    await Promise.all(Array.from({ length: 8 }, (_, index) => work(index)));
    t.strictSame(begun.sort(), ids.sort());
    t.match(await engines[1].jobs.usage(), { jobs: 60, queued: 0, running: 0 });
    const listed = await engines[1].jobs.list({ limit: 10, state: "done" });
    t.equal(listed.length, 10);
    t.strictSame(await engines[1].jobs.list({ limit: 10, state: "queued" }), []);
  });

  t.test("jobs are begun in the order in which they came, and listed the latest first", async (t) => {
    const { jobs } = await (await kind.place(t)).engine();
    const ids = Array.from({ length: 5 }, () => randomUUID());
    for (const id of ids) await jobs.create(newJob("", id), jobTerms);
    t.strictSame(
      (await jobs.list({ limit: 3 })).map(({ id }) => id),
      [...ids].reverse().slice(0, 3),
    );
    const begun = [];
    for (const _ of ids) begun.push((await jobs.claim("host", lease))?.job.id);
    t.strictSame(begun, ids);
  });

  t.test(
    "a lease that is over: another worker begins the job, and the late one changes nothing",
    async (t) => {
      const place = await kind.place(t);
      const [one, other] = await pair(kind, place);
      const { id } = await one.jobs.create(newJob('{"a":1}'), jobTerms);
      await one.jobs.claim("host-a", lease);
      await place.pass(lease - 3_000);
      await other.jobs.requeue(requeueTerms);
      t.match(await other.jobs.find(id), { state: "running" }, "not too early");
      t.equal(await one.jobs.renew({ id, attempt: 1 }, lease), true);
      await place.pass(lease - 3_000);
      await other.jobs.requeue(requeueTerms);
      t.match(await other.jobs.find(id), { state: "running" }, "renewed");
      await place.pass(lease);
      await other.jobs.requeue(requeueTerms);
      t.match(await other.jobs.find(id), { state: "queued", attempt: 1, failures: 1 });
      t.match(await other.jobs.claim("host-b", lease), {
        job: { attempt: 2, host: "host-b", failures: 1 },
        body: '{"a":1}',
      });
      const late = { id, attempt: 1 };
      t.equal(await one.jobs.renew(late, lease, { part: 1 }), false);
      t.equal(await one.jobs.finish(late, answered("late"), 60_000), false);
      t.equal(await one.jobs.giveBack(late, { isFailure: false, delay: 0 }), false);
      t.match(await one.jobs.find(id), { state: "running", attempt: 2, progress: undefined });
      t.equal(await other.jobs.finish({ id, attempt: 2 }, answered("in time"), 60_000), true);
      t.match(await one.jobs.answer(id), { content: { body: "in time" } });
    },
  );

  t.test("what fails too often, or waits too long, ends with an error", async (t) => {
    const place = await kind.place(t);
    const { jobs } = await place.engine();
    const { id } = await jobs.create(newJob(), jobTerms);
    for (const attempt of [1, 2, 3]) {
      t.match(await jobs.claim("host", lease), { job: { attempt, failures: attempt - 1 } });
      await place.pass(lease + 1);
      await jobs.requeue(requeueTerms);
    }
    t.match(await jobs.find(id), { state: "failed", status: 500, error: { id: "job-attempts" }, attempt: 3 });
    t.match(await jobs.answer(id), { status: 500 });

    const waiting = await jobs.create(newJob(), { ...jobTerms, lifetime: 20_000 });
    await place.pass(19_000);
    await jobs.requeue(requeueTerms);
    t.match(await jobs.find(waiting.id), { state: "queued" });
    await place.pass(2_000);
    t.equal(await jobs.removeExpired(), 0, "what waits is not removed");
    await jobs.requeue(requeueTerms);
    t.match(await jobs.find(waiting.id), { state: "failed", error: { id: "job-wait" } });
  });

  t.test("a job that is given back is begun again when it is due", async (t) => {
    const place = await kind.place(t);
    const [one, other] = await pair(kind, place);
    const { id } = await one.jobs.create(newJob(), jobTerms);
    await one.jobs.claim("host-a", lease);
    t.equal(await one.jobs.giveBack({ id, attempt: 1 }, { isFailure: false, delay: 5_000 }), true);
    t.match(await other.jobs.find(id), { state: "queued", failures: 0 });
    t.equal(await other.jobs.claim("host-b", lease), undefined);
    await place.pass(5_001);
    t.match(await other.jobs.claim("host-b", lease), { job: { attempt: 2 } });
    t.equal(await other.jobs.giveBack({ id, attempt: 2 }, { isFailure: true, delay: 0 }), true);
    t.match(await one.jobs.claim("host-a", lease), { job: { attempt: 3, failures: 1 } });
  });

  t.test("a job that is cancelled is not begun, and its worker learns of it", async (t) => {
    const [one, other] = await pair(kind, await kind.place(t));
    const waiting = await one.jobs.create(newJob(), jobTerms);
    t.match(await other.jobs.cancel(waiting.id, 60_000), { id: waiting.id, state: "cancelled" });
    t.equal(await one.jobs.claim("host", lease), undefined);
    const running = await one.jobs.create(newJob(), jobTerms);
    await one.jobs.claim("host", lease);
    t.match(await other.jobs.cancel(running.id, 60_000), { state: "cancelled", attempt: 1 });
    const claim = { id: running.id, attempt: 1 };
    t.equal(await one.jobs.renew(claim, lease), false);
    t.equal(await one.jobs.finish(claim, answered("too late"), 60_000), false);
    t.equal(await other.jobs.answer(running.id), undefined);
  });

  t.test("ended jobs go after their time, others stay", async (t) => {
    const place = await kind.place(t);
    const { jobs } = await place.engine();
    for (const lifetime of [10_000, 30_000]) {
      const { id } = await jobs.create(newJob("x".repeat(100)), { ...jobTerms, lifetime: 5_000 });
      await jobs.claim("host", 3_600_000);
      await jobs.finish({ id, attempt: 1 }, answered("y"), lifetime);
    }
    const waiting = await jobs.create(newJob(), jobTerms);
    await place.pass(9_000);
    t.equal(await jobs.removeExpired(), 0);
    await place.pass(2_000);
    t.equal(await jobs.removeExpired(), 1);
    await place.pass(20_000);
    t.equal(await jobs.removeExpired(), 1);
    t.strictSame(await jobs.usage(), { jobs: 1, bytes: 2, queued: 1, running: 0, webhooks: 0 });
    t.match(await jobs.find(waiting.id), { state: "queued" });
  });

  t.test("limits hold however many come at once", async (t) => {
    const engines = await pair(kind, await kind.place(t));
    const create = (index: number, body: string, terms: Partial<JobTerms>) =>
      (engines[index % 2] ?? engines[0]).jobs.create(newJob(body), { ...jobTerms, ...terms });
    const outcomes = async (body: string, terms: Partial<JobTerms>) => {
      const all = await Promise.allSettled(
        Array.from({ length: 12 }, (_, index) => create(index, body, terms)),
      );
      for (const each of all) if (each.status === "rejected") t.match(each.reason, refused);
      return all.filter(({ status }) => status === "fulfilled").length;
    };
    t.equal(await outcomes("12345", { queue: 4 }), 4);
    t.equal(await outcomes("12345", { maximumJobs: 7 }), 3);
    t.equal(await outcomes("12345", { maximumBytes: 45 }), 2);
    t.strictSame(await engines[1].jobs.usage(), { jobs: 9, bytes: 45, queued: 9, running: 0, webhooks: 0 });
  });

  t.test("clients take turns, and none fills the queue", async (t) => {
    const place = await kind.place(t);
    const [one, other] = await pair(kind, place);
    const create = async (client: string | undefined, terms = jobTerms) => {
      const { request, ...job } = newJob("");
      const { client: _, ...rest } = request;
      const asked = { ...rest, ...(client !== undefined && { client }) };
      return (await one.jobs.create({ ...job, request: asked }, terms)).id;
    };
    const many = [];
    for (let index = 0; index < 6; index += 1) many.push(await create("many"));
    const few = [await create("few"), await create("few")];
    const none = await create(undefined);
    const next = async () => {
      const claimed = await other.jobs.claim("host", lease);
      // Clocks of databases tell milliseconds.
      await pause(3);
      return claimed?.job;
    };
    const ended = async () => {
      const job = await next();
      if (job !== undefined) await other.jobs.finish(job, answered(""), 60_000);
      return job?.id;
    };
    // One at a time: the one that has not had a turn for longest.
    const [first, ...following] = [await ended(), await ended(), await ended(), await ended()];
    t.equal(first, many[0]);
    t.strictSame(following.slice(0, 2).sort(), [few[0], none].sort());
    t.equal(following[2], many[1]);
    // Several at a time: the one of which the fewest run.
    t.equal((await next())?.id, few[1]);
    for (const index of [2, 3]) t.equal((await next())?.id, many[index]);
    const late = await create("late");
    t.equal((await next())?.id, late);
    t.equal((await next())?.id, many[4]);

    const terms = { ...jobTerms, queue: 9, clientShare: 0.75 };
    const outcomes = await Promise.allSettled(Array.from({ length: 12 }, () => create("greedy", terms)));
    const refusals = outcomes.flatMap((each) => (each.status === "rejected" ? [each.reason] : []));
    t.equal(refusals.length, 6, "one of nine waits already, and six are three quarters of eight");
    for (const reason of refusals) t.match(reason, { ...refused, message: /of this client/ });
    t.ok(await create("modest", terms), "there is room for others");
  });

  t.test("a client with a single job has had its turn with it", async (t) => {
    const [one, other] = await pair(kind, await kind.place(t));
    const create = async (client: string) => {
      const { request, ...job } = newJob("");
      return (await one.jobs.create({ ...job, request: { ...request, client } }, jobTerms)).id;
    };
    for (const client of ["first", "second"]) {
      const id = await create(client);
      await other.jobs.claim("host", lease);
      await other.jobs.finish({ id, attempt: 1 }, answered(""), 60_000);
      // Clocks of databases tell milliseconds.
      await pause(3);
    }
    await create("second");
    const next = await create("first");
    t.match(await other.jobs.claim("host", lease), { job: { id: next } }, "it waits for longest");
  });

  t.test(
    "urgent jobs come first, to hosts that take them, and are removed once they were answered",
    async (t) => {
      const [one, other] = await pair(kind, await kind.place(t));
      const usual = await one.jobs.create(newJob("1"), jobTerms);
      const { request, ...job } = newJob("2");
      const urgent = await one.jobs.create({ ...job, request: { ...request, isUrgent: true } }, jobTerms);
      t.match(await other.jobs.claim("host", lease, "usual"), { job: { id: usual.id } });
      t.equal(await other.jobs.claim("host", lease, "usual"), undefined);
      await other.jobs.giveBack({ id: usual.id, attempt: 1 }, { isFailure: false, delay: 0 });
      t.match(await other.jobs.claim("host", lease), { job: { id: urgent.id, request: { isUrgent: true } } });
      t.equal(await other.jobs.claim("host", lease, "urgent"), undefined);
      await one.jobs.remove(urgent.id);
      t.match(await one.jobs.find(urgent.id), { state: "running" }, "what runs stays");
      await other.jobs.finish({ id: urgent.id, attempt: 1 }, answered("a"), 60_000);
      await one.jobs.remove(urgent.id);
      t.equal(await other.jobs.find(urgent.id), undefined);
      await one.jobs.remove("unknown");
      t.strictSame(await other.jobs.usage(), { jobs: 1, bytes: 1, queued: 1, running: 0, webhooks: 0 });
    },
  );

  t.test("a webhook is sent once its job has ended, by one at a time, until it is delivered", async (t) => {
    const place = await kind.place(t);
    const [one, other] = await pair(kind, place);
    const webhook = { url: "https://example.com/a?b", signer: "key a" };
    const { id } = await one.jobs.create({ ...newJob(), webhook }, jobTerms);
    const open = { ...webhook, state: "waiting", attempts: 0, failures: 0 };
    t.match(await other.jobs.find(id), { webhook: open });
    t.equal(await other.jobs.claimWebhook(lease, []), undefined, "it waits");
    await one.jobs.claim("host", lease);
    t.equal(await other.jobs.claimWebhook(lease, []), undefined, "it runs");
    await one.jobs.finish({ id, attempt: 1 }, answered("a"), 1000);
    t.match(await one.jobs.usage(), { webhooks: 1 });

    t.match(await other.jobs.claimWebhook(lease, []), {
      id,
      state: "done",
      webhook: { ...webhook, state: "sending", attempts: 1 },
    });
    t.equal(await one.jobs.claimWebhook(lease, []), undefined, "nobody else sends it");
    await place.pass(lease + 1);
    t.equal(await one.jobs.removeExpired(), 0, "the job stays until it is delivered");
    t.match(
      await one.jobs.claimWebhook(lease, []),
      { webhook: { attempts: 2, failures: 0 } },
      "its sender was lost",
    );
    const outcome = { state: "waiting" as const, error: "500", delay: 5000, isFailure: true };
    t.equal(await other.jobs.settleWebhook({ id, attempts: 1 }, outcome), false, "too late");
    t.equal(await one.jobs.settleWebhook({ id, attempts: 2 }, outcome), true);
    t.match(await other.jobs.find(id), {
      webhook: { state: "waiting", attempts: 2, failures: 1, error: outcome.error },
    });
    t.equal(await one.jobs.claimWebhook(lease, []), undefined, "not yet");
    await place.pass(5001);
    t.match(await other.jobs.claimWebhook(lease, []), { webhook: { attempts: 3, failures: 1 } });
    const stopped = { state: "waiting" as const, error: "stopped", delay: 0, isFailure: false };
    t.equal(await other.jobs.settleWebhook({ id, attempts: 3 }, stopped), true);
    t.match(await one.jobs.claimWebhook(lease, []), { webhook: { attempts: 4, failures: 1 } }, "at once");
    t.equal(await one.jobs.settleWebhook({ id, attempts: 4 }, { state: "delivered" }), true);
    t.match(await one.jobs.find(id), { webhook: { state: "delivered", attempts: 4, error: undefined } });
    t.equal(await one.jobs.claimWebhook(lease, []), undefined);
    t.match(await one.jobs.usage(), { webhooks: 0 });
    t.equal(await one.jobs.removeExpired(), 1);

    const cancelled = await one.jobs.create({ ...newJob(), webhook }, jobTerms);
    await one.jobs.cancel(cancelled.id, 60_000);
    t.match(await other.jobs.claimWebhook(lease, []), { id: cancelled.id, state: "cancelled" });
    const failure = { state: "failed" as const, error: "gone" };
    t.equal(await other.jobs.settleWebhook({ id: cancelled.id, attempts: 1 }, failure), true);
    await place.pass(lease + 1);
    t.equal(await other.jobs.claimWebhook(lease, []), undefined, "given up");
  });

  t.test("webhooks to servers that have enough of them are passed over", async (t) => {
    const { jobs } = await (await kind.place(t)).engine();
    const add = async (url: string) => {
      const { id } = await jobs.create({ ...newJob(""), webhook: { url, signer: "host" } }, jobTerms);
      await jobs.cancel(id, 60_000);
      return id;
    };
    const slow = await add("https://slow.example.com/a?b=//quick.example.com:8443/");
    const quick = await add("https://quick.example.com:8443/");
    t.match(await jobs.claimWebhook(lease, ["slow.example.com"]), { id: quick });
    t.equal(await jobs.claimWebhook(lease, ["slow.example.com"]), undefined);
    t.match(await jobs.claimWebhook(lease, ["quick.example.com:8443"]), { id: slow });
  });

  t.test("many senders share the webhooks, and each is sent by one of them", async (t) => {
    const engines = await pair(kind, await kind.place(t));
    const webhook = { url: "https://example.com/", signer: "host" };
    const ids: string[] = [];
    for (let index = 0; index < 20; index += 1) {
      const { id } = await engines[0].jobs.create({ ...newJob(""), webhook }, jobTerms);
      await engines[0].jobs.cancel(id, 60_000);
      ids.push(id);
    }
    const sent: string[] = [];
    const send = async (index: number): Promise<void> => {
      const { jobs } = engines[index % 2] ?? engines[0];
      for (;;) {
        const job = await jobs.claimWebhook(lease, []);
        if (job === undefined) return;
        sent.push(job.id);
        t.equal(await jobs.settleWebhook({ id: job.id, attempts: 1 }, { state: "delivered" }), true);
      }
    };
    await Promise.all(Array.from({ length: 8 }, (_, index) => send(index)));
    t.strictSame(sent.sort(), ids.sort());
  });

  t.test("secrets of webhooks: one for each signer, and two of them after a change", async (t) => {
    const place = await kind.place(t);
    const [one, other] = await pair(kind, place);
    const made = await Promise.all(
      Array.from({ length: 6 }, (_, index) => (index % 2 ? one : other).webhookSecrets.inForce("key a")),
    );
    const [first = ""] = made[0] ?? [];
    t.match(first, /^whsec_[A-Za-z0-9+/]{43}=$/);
    for (const secrets of made) t.strictSame(secrets, [first]);
    t.notSame(await one.webhookSecrets.inForce("host"), [first]);
    await other.webhookSecrets.rotate("key a");
    const [second = "", ...before] = await one.webhookSecrets.inForce("key a");
    t.not(second, first);
    t.strictSame(before, [first]);
    await place.pass(86_400_001);
    t.strictSame(await (await place.engine()).webhookSecrets.inForce("key a"), [second]);
  });

  t.test("a revision stays as long as a job is to be answered from it", async (t) => {
    const place = await kind.place(t);
    const [one, other] = await pair(kind, place);
    const session = facts();
    await one.sessions.create(session, { ...project("1"), assets: [picture("p1")] }, terms);
    const put = (revision: number) =>
      other.sessions.replace({ ...session, revision }, { ...project(String(revision)), kept: [] }, terms);
    const { request, ...job } = newJob();
    const named = (revision: number) => ({
      ...newJob(),
      request: { ...request, session: { id: session.id, revision } },
    });
    const waiting = await one.jobs.create({ ...job, ...named(1), id: job.id }, jobTerms);
    for (const revision of [2, 3, 4]) t.ok(await put(revision));
    t.equal(await textOf(one, session, 1), "1");
    t.equal(String(await one.sessions.asset(session.id, picture("p1").sha256)), "p1");
    t.equal(await textOf(one, session, 2), undefined);
    t.equal(await textOf(one, session, 3), "3");
    const again = kind.isShared ? one : await place.engine();
    t.equal(await textOf(again, session, 1), "1", "also after a restart");
    const sessions = kind.isShared ? other.sessions : again.sessions;
    t.match(await again.jobs.claim("host", lease), { job: { id: waiting.id } });
    await sessions.replace({ ...session, revision: 5 }, { ...project("5"), kept: [] }, terms);
    t.equal(await textOf(again, session, 1), "1", "while it runs");
    await again.jobs.finish({ id: waiting.id, attempt: 1 }, answered(""), 60_000);
    await sessions.replace({ ...session, revision: 6 }, { ...project("6"), kept: [] }, terms);
    t.equal(await textOf(again, session, 1), undefined, "then it goes");
    t.equal((await again.sessions.usage()).bytes, 2);
  });
}
