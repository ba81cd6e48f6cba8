/** The test host runs schedules at once, as a server runs them when they are due. */
import { definePlugin, RequestError, route, schedule, Type } from "@slipway/sdk";
import { createTestHost } from "@slipway/sdk/testing";
import t from "tap";

const plugin = definePlugin({
  setup: (host) => ({
    routes: [
      route.get("last", {
        summary: "The last run.",
        handler: async () => (await host.store.get("last", Type.Unknown()))?.value ?? null,
      }),
    ],
    schedules: [
      schedule({
        name: "nightly",
        cron: "30 2 * * *",
        summary: "Writes a file.",
        async handler({ due, missed, log }) {
          await host.files.create({ name: "night.txt", mediaType: "text/plain", content: "It is night." });
          await host.store.set("last", { due: due.toISOString(), missed });
          log.info("done", { missed });
        },
      }),
      schedule({
        name: "refused",
        cron: "* * * * *",
        summary: "Fails.",
        handler() {
          throw new RequestError({ id: "request-conflict", code: 409, message: "Not now." });
        },
      }),
      schedule({
        name: "endless",
        cron: "* * * * *",
        summary: "Ends with its signal.",
        timeout: "1s",
        handler: ({ signal }) =>
          new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true })),
      }),
    ],
  }),
});

t.test("a schedule runs with what it is told, and its error reaches the test", async (t) => {
  const host = await createTestHost({ plugin, quiet: true });
  await host.runSchedule("nightly", { due: "2026-03-02T02:30:00Z", missed: 3 });
  t.strictSame((await host.get("last")).json, { due: "2026-03-02T02:30:00.000Z", missed: 3 });
  t.equal(host.files.length, 1, "a file outlives its run");
  t.match(host.log, [{ message: "done", fields: { missed: 3 } }]);
  await host.runSchedule("nightly");
  t.strictSame((await host.get("last")).json, { due: host.clock.now.toISOString(), missed: 0 });

  await t.rejects(host.runSchedule("refused"), { message: "Not now." });
  const endless = host.runSchedule("endless");
  await Promise.all([
    t.rejects(endless, { message: /did not answer in time|time/ }),
    host.clock.advance("1s"),
  ]);
  await t.rejects(host.runSchedule("nigthly"), {
    message: /expected one of "nightly", .*received "nigthly"/,
  });
  await t.rejects(host.runSchedule("nightly", { missed: -1 }), { message: /missed: expected/ });
  await t.rejects(host.runSchedule("nightly", { due: "soon" }), { message: /due: expected/ });
  await host.stop();
});

t.test("schedules that are not valid keep a plugin from starting", async (t) => {
  const one = schedule({ name: "a", cron: "* * * * *", summary: "A.", handler: () => undefined });
  for (const [schedules, message] of [
    [[one, one], /two schedules named a/],
    [[{ ...one, name: "1" }], /schedules\[0\]\.name` must be a letter/],
    [[{ ...one, summary: "" }], /The schedule a: summary is missing/],
    [[{ ...one, timeout: 0 }], /The schedule a: a timeout is/],
  ] as const) {
    const wrong = definePlugin({ setup: () => ({ routes: [], schedules: [...schedules] }) });
    await t.rejects(createTestHost({ plugin: wrong, quiet: true }), { message });
  }
});
