/** Ends of jobs are told: signed, again after a failure, and to nobody whom the configuration does not allow. */
import { join } from "node:path";
import t from "tap";
import { newKey } from "../host/access-support.js";
import { ask, getJob, jobOf, workshop } from "../host/jobs-support.js";
import { until } from "../host/plugins-support.js";
import {
  quick,
  secretOf,
  settled,
  signature,
  startReceiver,
  startTelling,
  telling,
  webhookOf,
} from "../host/webhooks-support.js";
import type { StartedHost } from "../start-host.js";

let folder: string;
const receiver = await startReceiver(t);
/** Where redirects lead; no host may contact it. */
const internal = await startReceiver(t);

const start = (more: Record<string, unknown> = {}, own: { var?: string } = {}) =>
  startTelling(folder, receiver, more, own);

const tell = (url: string, operation: string, path: string, headers: Record<string, string> = {}) =>
  ask(url, operation, {}, { ...telling(receiver.url + path), ...headers });

let host: StartedHost;
t.before(async () => {
  folder = await workshop(t);
  host = await start();
});
t.teardown(() => host?.stop());

t.test("the job is told when it has ended, signed, also when it failed or was cancelled", async (t) => {
  const { secret, signer } = await secretOf(host.url);
  t.equal(signer, "host");
  for (const [operation, state] of [
    ["make", "done"],
    ["refuse", "failed"],
  ] as const) {
    const before = Math.floor(Date.now() / 1000);
    const { id } = await jobOf(await tell(host.url, operation, `/${state}?token=1`));
    t.match(await settled(host.url, id, "delivered"), { server: receiver.url, attempts: 1 });
    const [told, ...more] = receiver.at(`/${state}?token=1`);
    if (told === undefined) return t.fail("nothing was told");
    t.equal(more.length, 0);
    const { webhook: _, ...job } = JSON.parse(told.body);
    t.match(await getJob(host.url, id), job);
    t.match(job, { id, state, result: { code: state === "done" ? 200 : 422 } });
    t.match(told.headers, { "webhook-id": id, "content-type": "application/json" });
    const timestamp = Number(told.headers["webhook-timestamp"]);
    t.ok(timestamp >= before && timestamp <= Date.now() / 1000);
    t.equal(told.headers["webhook-signature"], signature(told, secret));
  }
  const gate = join(folder, "never");
  const { id } = await jobOf(
    await ask(host.url, "make", { gate, notes: join(folder, "notes") }, telling(`${receiver.url}/cancelled`)),
  );
  await fetch(`${host.url}/api/jobs/${id}`, { method: "DELETE" });
  await settled(host.url, id, "delivered");
  t.match(JSON.parse(receiver.at("/cancelled")[0]?.body ?? ""), { id, state: "cancelled" });
});

t.test("a receiver that fails is told again, with the same id; in the end it is given up", async (t) => {
  receiver.answers.set("/flaky", (answer, times) => answer.writeHead(times < 3 ? 500 : 200).end());
  const flaky = await jobOf(await tell(host.url, "make", "/flaky"));
  t.match(await settled(host.url, flaky.id, "delivered"), { attempts: 3, error: undefined });
  const told = receiver.at("/flaky");
  t.strictSame(
    told.map(({ headers }) => headers["webhook-id"]),
    [flaky.id, flaky.id, flaky.id],
  );
  t.equal(new Set(told.map(({ body }) => JSON.parse(body).id)).size, 1);

  receiver.answers.set("/broken", (answer) => answer.writeHead(503).end());
  receiver.answers.set("/hangs", () => undefined);
  receiver.answers.set("/gone", (answer) => answer.writeHead(410).end());
  receiver.answers.set("/cut", (answer) => answer.destroy());
  receiver.answers.set("/elsewhere", (answer) =>
    answer.writeHead(302, { Location: `${internal.url}/secret` }).end(),
  );
  const outcomes: [string, number, RegExp][] = [
    ["/broken", 4, /^The receiver answered 503\.$/],
    ["/hangs", 4, /^The receiver did not answer within 400 ms\.$/],
    ["/gone", 1, /410/],
    ["/cut", 4, /^The server of the link cannot be reached\.$/],
    ["/elsewhere", 4, /^The receiver answered 302\.$/],
  ];
  await Promise.all(
    outcomes.map(async ([path, attempts, error]) => {
      const { id } = await jobOf(await tell(host.url, "make", path));
      t.match(await settled(host.url, id, "failed"), { attempts, error }, path);
      t.equal(receiver.at(path).length, attempts, path);
    }),
  );
  t.equal(internal.received.length, 0, "redirects are not followed");

  let endless: NodeJS.Timeout | undefined;
  receiver.answers.set("/endless", (answer) => {
    answer.writeHead(200);
    endless = setInterval(() => answer.write("x".repeat(100_000)), 1);
    answer.once("close", () => clearInterval(endless));
  });
  const { id } = await jobOf(await tell(host.url, "make", "/endless"));
  t.match(await settled(host.url, id, "delivered"), { attempts: 1 }, "the body is not read");
});

t.test("a pause is told, and grows", async (t) => {
  const slow = await start({ webhooks: { ...quick, pause: 3_600_000 } });
  t.teardown(() => slow.stop());
  receiver.answers.set("/later", (answer) => answer.writeHead(500).end());
  const { id } = await jobOf(await tell(slow.url, "make", "/later"));
  await until(async () => (await webhookOf(slow.url, id)).error !== undefined);
  const { state, attempts, next = "" } = await webhookOf(slow.url, id);
  t.match([state, attempts], ["waiting", 1]);
  const pause = Date.parse(next) - Date.now();
  t.ok(pause > 3_000_000 && pause < 4_000_000, `${pause} ms`);
  const ready: unknown = await (await fetch(`${slow.url}/readyz`)).json();
  t.match(ready, { parts: { jobs: { ready: true } } });
  const metrics = await (await fetch(`${slow.url}/metrics`)).text();
  t.match(metrics, /^slipway_webhooks_waiting 1$/m);
  t.match(metrics, /^slipway_webhooks_sent_total\{outcome="waiting"\} 1$/m);
  t.match(metrics, /^slipway_jobs_ended_total\{plugin="Workshop",state="done"\} 1$/m);
  t.match(metrics, /^slipway_job_duration_seconds_count\{plugin="Workshop"\} 1$/m);
});

t.test("what must not be told is refused at once, and no job", async (t) => {
  const before = await (await fetch(`${host.url}/api/jobs`)).text();
  const asked = async (webhook: string, prefer = "respond-async") => {
    const headers = { ...(prefer !== "" && { Prefer: prefer }), "Slipway-Webhook": webhook };
    const answer = await ask(host.url, "make", {}, headers);
    return { status: answer.status, ...Object(await answer.json()) };
  };
  for (const webhook of [
    `${internal.url}/`,
    "https://[::1]/",
    "https://169.254.169.254/latest",
    "http://example.com/",
  ])
    t.match(await asked(webhook), { status: 403, id: "request-forbidden" }, webhook);
  for (const webhook of ["https://a:b@example.com/", "ftp://example.com/"])
    t.match(await asked(webhook), { status: 403 }, webhook);
  for (const webhook of ["nothing", "//example.com", `https://example.com/${"a".repeat(2100)}`])
    t.match(await asked(webhook), {
      status: 400,
      additionalInformation: { violations: [{ path: "headers.Slipway-Webhook" }] },
    });
  t.match(await asked(`${receiver.url}/`, ""), {
    status: 400,
    additionalInformation: { violations: [{ path: "headers.Prefer", received: "nothing" }] },
  });
  t.equal(await (await fetch(`${host.url}/api/jobs`)).text(), before);
});

t.test("each key has a secret, which its owner may replace", async (t) => {
  const var_ = join(folder, "var-keys");
  const keys = {
    a: await newKey(t, var_, "a", "--role", "sessions"),
    b: await newKey(t, var_, "b", "--role", "read"),
    admin: await newKey(t, var_, "admin", "--role", "operate"),
  };
  const guarded = await start({}, { var: var_ });
  t.teardown(() => guarded.stop());
  const by = (key: string, method = "GET") => ({ method, headers: { Authorization: `Bearer ${key}` } });
  t.equal((await fetch(`${guarded.url}/api/webhook-secret`)).status, 401);
  t.equal((await fetch(`${guarded.url}/api/webhook-secret?of=host`, by(keys.a))).status, 403);
  const of = { a: await secretOf(guarded.url, by(keys.a)), b: await secretOf(guarded.url, by(keys.b)) };
  const ofHost = await secretOf(guarded.url, by(keys.admin), "?of=host");
  t.match([of.a.signer, of.b.signer, ofHost.signer], ["key a", "key b", "host"]);
  t.equal(new Set([of.a.secret, of.b.secret, ofHost.secret]).size, 3);

  const told = async (path: string, key?: string) => {
    const { id } = await jobOf(
      await tell(guarded.url, "make", path, key === undefined ? {} : { Authorization: `Bearer ${key}` }),
    );
    await settled(guarded.url, id, "delivered");
    const [first] = receiver.at(path);
    if (first === undefined) throw new Error("nothing was told");
    return { first, signatures: String(first.headers["webhook-signature"]).split(" ") };
  };
  const one = await told("/key-a", keys.a);
  t.strictSame(one.signatures, [signature(one.first, of.a.secret)]);
  const without = await told("/key-none");
  t.strictSame(without.signatures, [signature(without.first, ofHost.secret)]);

  const rotate = { ...by(keys.a, "POST"), headers: { ...by(keys.a).headers, "Idempotency-Key": "r1" } };
  const rotated = await secretOf(guarded.url, rotate, "/rotate");
  t.not(rotated.secret, of.a.secret);
  t.equal(rotated.previous, of.a.secret);
  t.strictSame(await secretOf(guarded.url, rotate, "/rotate"), rotated, "once for each Idempotency-Key");
  const two = await told("/key-a-again", keys.a);
  const both = [signature(two.first, rotated.secret), signature(two.first, of.a.secret)];
  t.strictSame(two.signatures, both, "receivers can change over");
});

t.test("a server that hangs does not hold up the others", async (t) => {
  const other = await startReceiver(t);
  const settings = {
    webhooks: { ...quick, timeout: 60_000, concurrency: 4, concurrencyPerServer: 2 },
    fetch: { allowedInternalHosts: [receiver.name, other.name] },
  };
  const patient = await start(settings);
  t.teardown(() => patient.stop());
  receiver.answers.set("/holds", () => undefined);
  const held = [];
  for (let index = 0; index < 6; index += 1)
    held.push((await jobOf(await tell(patient.url, "make", "/holds"))).id);
  await until(async () => receiver.at("/holds").length === 2);
  const { id } = await jobOf(await ask(patient.url, "make", {}, telling(`${other.url}/prompt`)));
  t.match(await settled(patient.url, id, "delivered"), { attempts: 1 });
  const states = await Promise.all(held.map(async (each) => (await webhookOf(patient.url, each)).state));
  t.strictSame(states.sort(), ["sending", "sending", "waiting", "waiting", "waiting", "waiting"]);
  t.equal(receiver.at("/holds").length, 2);
});

t.test("a host that stops or is killed uses up none of the attempts of a receiver", async (t) => {
  const own = { var: join(folder, "var-ended") };
  const settings = {
    webhooks: { ...quick, attempts: 1, timeout: 1000 },
    requests: { drain: 100 },
  };
  receiver.answers.set("/ended", (answer, times) => {
    if (times > 2) answer.writeHead(204).end();
  });
  const first = await start({ ...settings, webhooks: { ...settings.webhooks, timeout: 60_000 } }, own);
  const { id } = await jobOf(await tell(first.url, "make", "/ended"));
  await until(async () => receiver.at("/ended").length === 1);
  await first.stop();
  const second = await start({ ...settings, webhooks: { ...settings.webhooks, timeout: 60_000 } }, own);
  await until(async () => receiver.at("/ended").length === 2);
  await second.kill();
  const third = await start(settings, own);
  t.teardown(() => third.stop());
  t.match(await settled(third.url, id, "delivered"), { attempts: 3, error: undefined });
  t.equal(receiver.at("/ended").length, 3);
});
