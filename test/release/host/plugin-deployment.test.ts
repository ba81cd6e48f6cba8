/** Which version answers in the end, as admins and clients of a running host see it. */
import { readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import t, { type Test } from "tap";
import { plugin } from "../../host/administration-support.js";
import { startDeployment } from "../../host/deployment-host.js";
import { samplePlugin } from "../../host/plugin-load/plugin-maker.js";
import { until } from "../../host/plugins-support.js";

// Each has a host of its own.
t.jobs = 3;

/** Throws while it is loaded. */
async function throwsWhenLoaded(version: string) {
  const code = `export const version: string = ${JSON.stringify(version)};\nthrow new Error("It cannot be loaded.");\n`;
  return new Map([...(await samplePlugin({ version })), ["version.ts", code]]);
}

/** It serves 1.0.0; 1.1.0 fell back to it and is in quarantine. */
async function withQuarantined(t: Test) {
  const host = await startDeployment(t, { probation: 600_000 });
  await host.drop("a", { version: "1.0.0" });
  await host.drop("b", { version: "1.1.0" });
  await host.crash();
  await host.answers("1.0.0");
  t.match(await host.stateOf("1.1.0", "quarantined"), { reason: /ended itself/ });
  return host;
}

t.test("a version that cannot start changes nothing of what serves", async (t) => {
  const host = await startDeployment(t, { probation: 600_000 });
  await host.drop("p", { version: "1.0.0" });
  await host.drop("p", { version: "1.1.0" });
  t.match(await host.stateOf("1.1.0", "live"), { probationUntil: Number });
  await host.drop("p", await throwsWhenLoaded("1.9.0"));
  await host.stateOf("1.9.0", "failed");
  t.equal(await host.answering(), "1.1.0", "what was on probation goes on");
  t.match(await host.stateOf("1.1.0", "live"), { releases: ["1.0"] });
  const { kept } = await host.overview();
  t.strictSame(
    kept.map(({ version }) => version),
    ["1.0.0"],
    "and is still on probation",
  );

  await host.drop("p", { version: "1.9.1", broken: "syntax-error" });
  t.equal(await host.answering(), "1.1.0");
  await host.restart();
  t.equal(await host.answering(), "1.1.0", "also after a restart");
  await host.drop("p", await throwsWhenLoaded("1.9.2"));
  t.equal(await host.answering(), "1.1.0");
});

t.test("it does not bring back what its place had before a sound version came there", async (t) => {
  const host = await startDeployment(t);
  await host.drop("b", { version: "1.1.0" });
  await host.drop("a", { version: "1.2.0" });
  await host.proven("1.2.0");
  await host.drop("a", { version: "1.0.0" });
  t.equal(await host.answering(), "1.1.0");
  await host.drop("a", await throwsWhenLoaded("1.1.5"));
  await host.stateOf("1.1.5", "failed");
  t.equal(await host.answering(), "1.1.0");
  await host.restart();
  await host.stateOf("1.1.5", "failed");
  t.equal(await host.answering(), "1.1.0", "also after a restart");
  await rm(join(host.folder, "b"), { recursive: true });
  await host.answers("1.2.0");
  t.pass("which is better than no answer");
});

t.test("a fall-back of what was on probation goes on to the version before it", async (t) => {
  const host = await startDeployment(t, { probation: 600_000 });
  await host.drop("p", { version: "1.0.0" });
  await host.drop("p", { version: "1.1.0" });
  await host.drop("p", await throwsWhenLoaded("1.9.0"));
  await host.crash();
  await host.answers("1.0.0");
  t.match((await host.overview()).quarantined, [{ version: "1.1.0" }]);
  await host.restart();
  t.equal(await host.answering(), "1.0.0");
});

t.test(
  "a fall-back ends at the version that served before, not at one that was rolled back from",
  async (t) => {
    const failing = { version: "1.2.0", answers: "throw" } as const;
    const host = await startDeployment(t, { probation: 600_000 });
    await host.drop("a", { version: "1.0.0" });
    await host.drop("b", { version: "1.1.0" });
    await host.rollback("1.0.0");
    await host.drop("c", failing);
    await host.stateOf("1.2.0", "live");
    for (let count = 0; count < 5; count += 1) t.equal(await host.answering(), 500);
    t.equal(await host.answering(), "1.0.0");
    await host.look();
    t.equal(await host.answering(), "1.0.0", "it stays there");
    t.strictSame((await host.overview()).releases, { "1.0": "1.0.0" });
    await host.stateOf("1.1.0", "standby");
    await host.restart();
    t.equal(await host.answering(), "1.0.0");
  },
);

t.test("also long after the version that follows a rollback has proven itself", async (t) => {
  const host = await startDeployment(t);
  for (const [place, version] of [
    ["a", "1.0.0"],
    ["b", "1.1.0"],
  ] as const) {
    await host.drop(place, { version });
    await host.proven(version);
  }
  await host.rollback("1.0.0");
  await host.drop("c", { version: "1.2.0" });
  await host.proven("1.2.0");
  for (let crashes = 0; crashes < 3; crashes += 1) await host.crash();
  await host.answers("1.0.0");
  await host.restart();
  t.equal(await host.answering(), "1.0.0");
});

t.test("what was replaced in its folder, and not left by an admin, is fallen back to", async (t) => {
  const host = await startDeployment(t);
  for (const version of ["1.2.0", "1.0.1", "1.1.0"]) {
    await host.drop("p", { version });
    await host.proven(version);
  }
  await host.rollback("1.0.1");
  await host.drop("p", { version: "1.0.0" });
  for (let crashes = 0; crashes < 3; crashes += 1) await host.crash();
  await host.answers("1.2.0");

  // The only folder is one of which nothing ever answered, and it cannot be bundled: it still says whose it is.
  await host.drop("q", { version: "0.9.0" });
  await rm(join(host.folder, "p"), { recursive: true });
  await until(async () => (await host.overview()).versions.every(({ version }) => version !== "1.0.0"));
  await host.drop("q", { version: "0.9.1", broken: "syntax-error" });
  t.equal(await host.answering(), "1.2.0");
  await host.restart();
  t.equal(await host.answering(), "1.2.0", "also after a restart");
});

t.test("only enabling that version lifts a quarantine", async (t) => {
  const host = await withQuarantined(t);
  t.equal((await host.post("Sample/disable")).status, 200);
  const enabled = await plugin("enable", "Sample", "--url", host.url);
  t.match(enabled, { code: 0, output: /^Sample@1\.1\.0 is quarantined: /m });
  t.equal(await host.answering(), "1.0.0");
  t.match((await host.overview()).quarantined, [{ version: "1.1.0", reason: /ended itself/ }]);
  await host.stateOf("1.1.0", "quarantined");
  await host.restart();
  t.equal(await host.answering(), "1.0.0");

  t.equal((await host.post("Sample/enable", { version: "1.1.0" })).status, 200);
  t.equal(await host.answering(), "1.1.0");
  t.match(await host.stateOf("1.1.0", "live"), { probationUntil: Number }, "it has to prove itself again");
  t.strictSame((await host.overview()).quarantined, []);
  await host.crash();
  await host.answers("1.0.0");
  await host.stateOf("1.1.0", "quarantined");
});

t.test("going back to a version in quarantine is refused with what lifts it", async (t) => {
  const host = await withQuarantined(t);
  const message =
    /1\.1\.0 is in quarantine: .*ended itself.* "slipway plugin enable Sample --version 1\.1\.0" gives it another chance/;
  const events = (await host.events("rollback")).length;
  const asked = await host.post("Sample/rollback", { version: "1.1.0" });
  t.equal(asked.status, 409);
  t.match(await asked.json(), { id: "plugin-conflict", message });
  t.match(await plugin("rollback", "Sample", "--to", "1.1.0", "--url", host.url), {
    code: 1,
    output: "",
    errors: message,
  });
  t.equal((await host.events("rollback")).length, events, "nothing was rolled back");
  t.equal(await host.answering(), "1.0.0");
  t.match((await host.overview()).quarantined, [{ version: "1.1.0" }]);
});

t.test("the state file of an earlier host", async (t) => {
  const host = await startDeployment(t, { probation: 600_000 });
  await host.drop("a", { version: "1.0.0" });
  await host.drop("b", { version: "1.1.0" });
  await host.drop("c", { version: "1.2.0" });
  const { versions } = await host.overview();
  const hash = (version: string): string => versions.find((each) => each.version === version)?.hash ?? "";
  const place = (name: string): string => JSON.stringify(join(host.folder, name));
  await host.restart(() =>
    writeFile(
      join(host.var, "plugins.json"),
      `{
  "format": 1,
  "plugins": {
    "Sample": {
      "pins": {
        "1.0": {
          "version": "1.0.0",
          "hash": "${hash("1.0.0")}",
          "over": ["${hash("1.1.0")}"],
          "actor": "ann",
          "at": "2026-05-04T08:15:30.120Z"
        }
      },
      "quarantined": [
        {
          "version": "1.2.0",
          "hash": "${hash("1.2.0")}",
          "at": "2026-05-04T08:10:00.000Z",
          "reason": "Its instance was lost."
        }
      ],
      "kept": [
        { "version": "1.0.0", "hash": "${hash("1.0.0")}", "at": "2026-05-04T08:20:00.000Z" },
        { "version": "1.1.0", "hash": "${hash("1.1.0")}", "at": "2026-05-04T08:00:00.000Z" }
      ]
    }
  },
  "places": {
    ${place("a")}: { "name": "Sample", "version": "1.0.0", "hash": "${hash("1.0.0")}" },
    ${place("b")}: { "name": "Sample", "version": "1.1.0", "hash": "${hash("1.1.0")}" }
  }
}
`,
    ),
  );
  t.equal(await host.answering(), "1.0.0");
  t.notOk((await readdir(host.var)).some((name) => name.startsWith("plugins.json.broken")));
  const overview = await host.overview();
  t.match(overview.pins, { "1.0": { version: "1.0.0", over: [hash("1.1.0")], actor: "ann" } });
  t.match(overview.quarantined, [{ version: "1.2.0", reason: "Its instance was lost." }]);
  t.match(overview.kept, [{ version: "1.0.0" }, { version: "1.1.0" }]);
  await host.drop("d", { version: "1.3.0" });
  t.equal(await host.answering(), "1.3.0");
  await host.crash();
  await host.answers("1.0.0");
  await host.restart();
  t.equal(await host.answering(), "1.0.0", "and not with what was rolled back from then");
});
