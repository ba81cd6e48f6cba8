/** Hosts that are lost before they have told of the end of a job: it is told, at least once. */
import { join } from "node:path";
import t from "tap";
import { ask, jobOf, workshop } from "../../host/jobs-support.js";
import { until } from "../../host/plugins-support.js";
import { findServer, newDatabase, noServer } from "../../host/postgresql-support.js";
import {
  quick,
  secretOf,
  settled,
  signature,
  startReceiver,
  startTelling,
  telling,
} from "../../host/webhooks-support.js";

const server = await findServer(t);
const folder = await workshop(t);
const receiver = await startReceiver(t);

t.test("kill -9 between the end and the webhook: it is told after the restart", async (t) => {
  const var_ = join(folder, "var-killed");
  receiver.answers.set("/killed", (answer, times) => {
    if (times > 1) answer.writeHead(200).end();
  });
  const before = await startTelling(
    folder,
    receiver,
    { webhooks: { ...quick, timeout: 600_000 } },
    { var: var_ },
  );
  const { id } = await jobOf(await ask(before.url, "make", {}, telling(`${receiver.url}/killed`)));
  await until(async () => receiver.at("/killed").length > 0);
  await before.kill();
  const after = await startTelling(folder, receiver, {}, { var: var_ });
  t.teardown(() => after.stop());
  t.match(await settled(after.url, id, "delivered"), { attempts: 2 });
  t.strictSame(
    receiver.at("/killed").map(({ headers }) => headers["webhook-id"]),
    [id, id],
  );
});

t.test(
  "hosts on one database: another one tells what a lost one did not",
  { skip: server === undefined && noServer },
  async (t) => {
    const engine = { url: await newDatabase(t, server ?? "") };
    const [one, other] = await Promise.all([
      startTelling(folder, receiver, { engine }),
      startTelling(folder, receiver, { engine, jobs: { concurrency: 0 } }),
    ]);
    t.teardown(() => other.stop());
    receiver.answers.set("/fleet", (answer, times) => {
      if (times > 1) answer.writeHead(200).end();
    });
    const { id } = await jobOf(await ask(one.url, "make", {}, telling(`${receiver.url}/fleet`)));
    await until(async () => receiver.at("/fleet").length > 0);
    await one.kill();
    const { attempts } = await settled(other.url, id, "delivered");
    t.ok(attempts >= 2);
    const { secret } = await secretOf(other.url);
    for (const told of receiver.at("/fleet"))
      t.equal(told.headers["webhook-signature"], signature(told, secret), "hosts share the secret");
  },
);
