/** The test host runs session hooks at once, as a server runs them after sessions were opened or have ended. */
import { definePlugin, RequestError, route, Type } from "@slipway/sdk";
import { createTestHost, projectOf } from "@slipway/sdk/testing";
import t from "tap";

const plugin = definePlugin({
  setup: (host) => ({
    routes: [
      route.get("seen", {
        summary: "What the hooks saw.",
        handler: async () => (await host.store.get("seen", Type.Unknown()))?.value ?? {},
      }),
    ],
    sessionHooks: {
      opened: {
        timeout: "1s",
        async handler({ session, signal }) {
          const { header } = await session.project();
          if (header.name === "Endless")
            await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
          await host.store.set("seen", { name: header.name, id: session.id, locale: session.locale });
        },
      },
      async closed({ sessionId, reason, log }) {
        if (reason === "expired")
          throw new RequestError({ id: "request-conflict", code: 409, message: "Not now." });
        await host.store.set("seen", { sessionId, reason });
        log.info("gone");
      },
    },
  }),
});

const named = (name: string) => ({ ...projectOf(), header: { name } });

t.test("a session hook runs with what it is told, and its error reaches the test", async (t) => {
  const host = await createTestHost({ plugin, quiet: true });
  const session = await host.openSession(named("Kitchen"), { locale: "de_DE" });
  t.strictSame((await host.get("seen")).json, {}, "opening a session runs none");
  await host.runSessionHook("opened", session);
  t.strictSame((await host.get("seen")).json, { name: "Kitchen", id: session.id, locale: "de_DE" });
  session.close();
  await host.runSessionHook("closed", session);
  t.strictSame((await host.get("seen")).json, { sessionId: session.id, reason: "closed" });
  t.match(host.log, [{ message: "gone" }]);

  await t.rejects(host.runSessionHook("closed", session, { reason: "expired" }), { message: "Not now." });
  await t.rejects(host.runSessionHook("opened", session), { message: /session: expected an open one/ });
  const endless = host.runSessionHook("opened", await host.openSession(named("Endless")));
  await Promise.all([t.rejects(endless, { message: /in time/ }), host.clock.advance("1s")]);
  await host.stop();

  const without = await createTestHost({ plugin: definePlugin({ setup: () => ({ routes: [] }) }) });
  await t.rejects(without.runSessionHook("opened", await without.openSession(named("Any"))), {
    message: /hook: expected one of no session hooks, received "opened"/,
  });
  await without.stop();
});

t.test("session hooks that are not valid keep a plugin from starting", async (t) => {
  for (const [sessionHooks, message] of [
    [null, /sessionHooks: expected an object/],
    [
      { closing: () => undefined },
      /sessionHooks: expected no members but `opened` and `closed`, received "closing"/,
    ],
    [{ opened: "now" }, /sessionHooks\.opened: expected a function/],
    [{ opened: { timeout: 5 } }, /sessionHooks\.opened: expected a function/],
    [{ closed: { handler: () => undefined, when: 1 } }, /sessionHooks\.closed: .*received "when"/],
    [{ closed: { handler: () => undefined, timeout: 0 } }, /sessionHooks\.closed: a timeout is/],
  ] as const) {
    // As programs in JavaScript may.
    const wrong = definePlugin({ setup: () => Object({ routes: [], sessionHooks }) });
    await t.rejects(createTestHost({ plugin: wrong, quiet: true }), { message });
  }
});
