/** Clients follow a job as a stream of its states, at any host, until it has ended. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import t from "tap";
import {
  askLater,
  getJob,
  type JobAnswer,
  notesIn,
  startWorkshop,
  workshop,
} from "../../host/jobs-support.js";
import { until } from "../../host/plugins-support.js";
import { findServer, newDatabase, noServer } from "../../host/postgresql-support.js";
import type { StartedHost } from "../../start-host.js";

const server = await findServer(t);
let folder: string;
t.before(async () => {
  folder = await workshop(t);
});

const start = (configuration: Record<string, unknown> = {}): Promise<StartedHost> =>
  startWorkshop(folder, { configuration });

interface JobStream {
  headers: Headers;
  /** So far. */
  states: JobAnswer[];
  /** Rejects when the connection is torn. */
  ended: Promise<void>;
}

async function follow(url: string, id: string, headers: Record<string, string> = {}): Promise<JobStream> {
  const response = await fetch(`${url}/api/jobs/${id}`, {
    headers: { Accept: "text/event-stream", ...headers },
  });
  if (!response.ok || response.body === null) throw new Error(`${response.status}`);
  const { body } = response;
  const states: JobAnswer[] = [];
  const read = async (): Promise<void> => {
    let rest = "";
    for await (const piece of body.pipeThrough(new TextDecoderStream())) {
      const whole = `${rest}${piece}`.split("\n\n");
      rest = whole.pop() ?? "";
      for (const frame of whole.filter((each) => !each.startsWith(":")))
        states.push(JSON.parse(/^event: job\ndata: (.*)$/.exec(frame)?.[1] ?? ""));
    }
  };
  const ended = read();
  ended.catch(() => undefined);
  return { headers: response.headers, states, ended };
}

const last = <T>(all: readonly T[]): T | undefined => all.at(-1);

t.test("a stream tells each state of a job, and ends with the last one", async (t) => {
  const host = await start();
  t.teardown(() => host.stop());
  const [gate, notes] = [join(folder, "gate-1"), join(folder, "notes-1")];
  const { id } = await askLater(host.url, "make", { text: "made", gate, notes });
  const streams = [await follow(host.url, id), await follow(host.url, id, { "Last-Event-ID": "7" })];
  const [stream] = streams;
  if (stream === undefined) return t.fail("there is no stream");
  t.match(stream.headers.get("content-type"), /^text\/event-stream/);
  t.equal(stream.headers.get("x-accel-buffering"), "no");
  t.equal(stream.headers.get("cache-control"), "no-store");
  t.match(stream.headers.get("vary"), /Accept/);
  for (const { states } of streams)
    await until(async () => last(states)?.progress?.part === 0.4 && last(states)?.state === "running");
  await writeFile(gate, "");
  for (const { states, ended } of streams) {
    await ended;
    t.match(last(states), { id, state: "done", result: { code: 200 } });
    t.equal(states.filter(({ state }) => state === "done").length, 1);
    t.strictSame(last(states), await getJob(host.url, id));
  }
  const late = await follow(host.url, id);
  await late.ended;
  t.strictSame(late.states, [await getJob(host.url, id)], "of a job that has ended, its end");

  const unknown = await fetch(`${host.url}/api/jobs/unknown`, { headers: { Accept: "text/event-stream" } });
  t.match([unknown.status, await unknown.json()], [404, { id: "request-not-found" }]);
  const usual = await fetch(`${host.url}/api/jobs/${id}`, { headers: { Accept: "*/*" } });
  t.match(usual.headers.get("content-type"), /^application\/json/);
});

t.test("a stream is ended when its host stops", async (t) => {
  const host = await start({ requests: { drain: 100 } });
  t.teardown(() => host.stop());
  const [gate, notes] = [join(folder, "never"), join(folder, "notes-2")];
  const { id } = await askLater(host.url, "make", { gate, notes });
  const { states, ended } = await follow(host.url, id);
  await until(async () => last(states)?.state === "running" && (await notesIn(notes)).length > 0);
  t.equal(await host.stop(), 0);
  await ended;
  t.not(last(states)?.state, "done");
});

t.test("any host tells of a job", { skip: server === undefined && noServer }, async (t) => {
  const engine = { url: await newDatabase(t, server ?? "") };
  const [worker, other] = await Promise.all([start({ engine }), start({ engine, jobs: { concurrency: 0 } })]);
  t.teardown(() => other.stop());
  t.teardown(() => worker.stop());
  const [gate, notes] = [join(folder, "gate-3"), join(folder, "notes-3")];
  const { id } = await askLater(other.url, "make", { gate, notes });
  const { states, ended } = await follow(other.url, id);
  await until(async () => last(states)?.progress?.part === 0.4);
  await writeFile(gate, "");
  await ended;
  t.match(last(states), { id, state: "done", attempt: 1 });
  t.strictSame(last(states), await getJob(worker.url, id));
});
