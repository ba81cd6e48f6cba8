/** A host with more requests than it can work on: the others do them, and its clients notice nothing. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import t from "tap";
import { statusOf } from "../../host/fleet-support.js";
import { ask, notesIn, startWorkshop, workshop } from "../../host/jobs-support.js";
import { until } from "../../host/plugins-support.js";
import { findServer, newDatabase, noServer } from "../../host/postgresql-support.js";

const server = await findServer(t);

t.test("overload spreads to another host", { skip: server === undefined && noServer }, async (t) => {
  const folder = await workshop(t);
  const engine = { url: await newDatabase(t, server ?? ""), lease: 3000 };
  const start = (more: Record<string, unknown>) =>
    startWorkshop(folder, { configuration: { engine, ...more } });
  const [busy, idle] = await Promise.all([
    start({ requests: { concurrency: 1, timeout: 600_000 }, jobs: { concurrency: 0 } }),
    start({}),
  ]);
  t.teardown(() => busy.stop());
  await until(async () => (await statusOf(busy)).members.filter(({ ready }) => ready).length === 2);

  const [gate, notes] = [join(folder, "gate"), join(folder, "notes")];
  const first = ask(busy.url, "make", { text: "first", gate, notes });
  await until(async () => (await notesIn(notes)).length === 1);
  // Others of the client: one waits here, so this host works on less than waits.
  const second = ask(busy.url, "make", { text: "second", gate, notes: `${notes}-2` });
  const waiting = async () =>
    /"waiting":1/.test(JSON.stringify(await (await fetch(`${busy.url}/api/status`)).json()));
  await until(waiting);

  const third = await ask(busy.url, "make", { text: "third" }, { "X-Request-Id": "the-third" });
  t.match([third.status, third.headers.get("slipway-made")], [200, "yes"]);
  t.match(await third.json(), { text: "third" });
  t.match(await idle.logged(({ requestId, msg }) => requestId === "the-third" && msg === "job"), {
    became: "answered",
  });
  const refused = await ask(busy.url, "refuse", {});
  t.match([refused.status, await refused.json()], [422, { id: "workshop-empty" }]);
  t.equal((await ask(busy.url, "make", { text: 5 })).status, 400);
  t.equal(await (await ask(busy.url, "file")).text(), "content", "a file that the other host has made");
  const many = await Promise.all(
    Array.from({ length: 20 }, async (_, index) => {
      const text = String(index);
      return Object(await (await ask(busy.url, "make", { text })).json()).text === text;
    }),
  );
  t.ok(many.every(Boolean));
  await until(async () => /"jobs":\[\]/.test(await (await fetch(`${idle.url}/api/jobs`)).text()));
  t.strictSame(await notesIn(`${notes}-2`), [], "what waited before still does");

  await idle.kill();
  await until(
    async () => (await statusOf(busy)).members.filter(({ state }) => state === "alive").length === 1,
  );
  const alone = ask(busy.url, "make", { text: "alone" });
  await until(async () =>
    /"waiting":[2-9]/.test(JSON.stringify(await (await fetch(`${busy.url}/api/status`)).json())),
  );
  await writeFile(gate, "");
  for (const [answer, text] of [
    [first, "first"],
    [second, "second"],
    [alone, "alone"],
  ] as const)
    t.match(await (await answer).json(), { text });
});
