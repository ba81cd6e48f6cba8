/** The test host runs session hooks at once, as a server runs them after sessions were opened or have ended. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { definePlugin, RequestError, route, Type } from "@slipway/sdk";
import { createTestHost, projectOf } from "@slipway/sdk/testing";
import t from "tap";
import ts from "typescript";
import { readPage } from "../documentation/pages.js";

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
    [null, /sessionHooks` must be an object/],
    [{ closing: () => undefined }, /sessionHooks` may have only `opened` and `closed`, but has "closing"/],
    [{ opened: "now" }, /sessionHooks\.opened` must be a function/],
    [{ opened: { timeout: 5 } }, /sessionHooks\.opened` must be a function/],
    [
      { closed: { handler: () => undefined, when: 1 } },
      /sessionHooks\.closed` may have only .*, but has "when"/,
    ],
    [{ closed: { handler: () => undefined, timeout: 0 } }, /sessionHooks\.closed: a timeout is/],
  ] as const) {
    // As programs in JavaScript may.
    const wrong = definePlugin({ setup: () => Object({ routes: [], sessionHooks }) });
    await t.rejects(createTestHost({ plugin: wrong, quiet: true }), { message });
  }
});

t.test("the plugin of the page compiles and runs", async (t) => {
  const example = readPage("sdk/README.md").blocks.find(({ name }) => name === "project-desk.ts");
  const folder = t.testdir({ "package.json": '{ "type": "module" }', "desk.ts": example?.content ?? "" });
  const program = ts.createProgram([join(folder, "desk.ts")], {
    strict: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    types: ["node"],
    typeRoots: [join(process.cwd(), "node_modules", "@types")],
  });
  const mistakes = ts.getPreEmitDiagnostics(program).map(({ messageText }) => messageText);
  t.strictSame(mistakes, []);
  program.emit();

  const told: string[] = [];
  const { default: desk } = await import(pathToFileURL(join(folder, "desk.js")).href);
  const host = await createTestHost({
    plugin: desk,
    fetch: {
      "https://crm.example.com/opened": ({ body }) => {
        told.push(Buffer.from(body ?? []).toString("utf8"));
        return { content: "" };
      },
    },
  });
  const session = await host.openSession(named("Kitchen"), { locale: "de_DE" });
  await host.runSessionHook("opened", session);
  t.strictSame(told, ['{"project":"Kitchen","locale":"de_DE"}']);
  await host.runSessionHook("closed", session, { reason: "expired" });
  t.equal(host.metrics.value("sessions_ended_total", { reason: "expired" }), 1);
  await host.stop();
});
