/** Hosts that share a database judge a version together: a sick host takes no good one from the others, and a bad one goes from all. */
import t, { type Test } from "tap";
import { readiness } from "../../host/fleet-support.js";
import {
  type FleetHost,
  provenVersion,
  startThree,
  type ThreeHosts,
  untilAllServe,
  uploaded,
  version,
  versions,
} from "../../host/fleet-switch-support.js";
import { until } from "../../host/plugins-support.js";
import { findServer, noServer } from "../../host/postgresql-support.js";

const server = await findServer(t);
const skip = server === undefined && noServer;

const three = (t: Test, probation: number): Promise<ThreeHosts> =>
  startThree(t, server, { configuration: { plugins: { settlingTime: 200, probation } } });

const fault = async ({ url }: FleetHost, name: string): Promise<number> =>
  (await fetch(`${url}/EAIWS/plugins/Sample/fault/${name}`, { method: "POST" })).status;

/** The version ends so often on a host; each time its next instance answers first. */
async function crash(host: FleetHost, times: number): Promise<void> {
  for (let count = 0; count < times; count += 1) {
    await until(async () => (await version(host)) === "1.1.0");
    await fault(host, "exit");
  }
}

t.test(
  "a host on which a version crashes alone is out of service, and the others keep it",
  { skip },
  async (t) => {
    const hosts = await three(t, 500);
    const [one, two, other] = hosts;
    await uploaded(one, { version: "1.1.0" });
    for (const host of hosts) await provenVersion(host, "1.1.0");
    await crash(one, 3);
    await until(async () => (await readiness(one)).status === 503);
    t.match((await readiness(one)).reasons.join(), /1\.1\.0: it crashes again and again on this host/);
    t.strictSame(await versions(hosts), [503, "1.1.0", "1.1.0"]);
    await crash(two, 2);
    await until(async () => (await version(two)) === "1.1.0");
    t.strictSame(await versions(hosts), [503, "1.1.0", "1.1.0"], "not yet on another one");
    await crash(two, 1);
    await untilAllServe(hosts, "1.0.0");
    t.equal((await readiness(one)).status, 200);
    await other.host.kill();
    await other.start();
    t.equal(await version(other), "1.0.0", "also after a restart");
  },
);

t.test("a host that is alone has no other one to leave a plugin to", { skip }, async (t) => {
  const hosts = await three(t, 500);
  const [one, two, other] = hosts;
  await uploaded(one, { version: "1.1.0" });
  await provenVersion(one, "1.1.0");
  await Promise.all([two.host.stop(), other.host.stop()]);
  await crash(one, 3);
  await untilAllServe([one], "1.0.0");
});

t.test("requests that fail on one host alone do not outweigh those of all", { skip }, async (t) => {
  const hosts = await three(t, 20_000);
  const [one, two, other] = hosts;
  await uploaded(one, { version: "1.1.0" });
  for (const host of [two, other]) for (let count = 0; count < 100; count += 1) await version(host);
  // More than a tenth here, and less than a tenth of all.
  for (let count = 0; count < 6; count += 1) t.equal(await fault(one, "throw"), 500);
  await provenVersion(one, "1.1.0");
  t.strictSame(await versions(hosts), ["1.1.0", "1.1.0", "1.1.0"]);
});

t.test("requests that fail on several hosts count together", { skip }, async (t) => {
  const hosts = await three(t, 60_000);
  const [one, two, other] = hosts;
  await uploaded(one, { version: "1.1.0" });
  for (const host of [one, one, two, two]) t.equal(await fault(host, "throw"), 500);
  t.strictSame(await versions(hosts), ["1.1.0", "1.1.0", "1.1.0"]);
  t.equal(await fault(other, "throw"), 500);
  // Without further requests, of which too many good ones would outweigh those.
  await until(async () => {
    const plugins = await (await fetch(`${one.url}/api/plugins`)).text();
    return /5 of its first \d+ requests failed/.test(plugins);
  });
  await untilAllServe(hosts, "1.0.0");
});
