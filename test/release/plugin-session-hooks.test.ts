/** What plugins run after sessions were opened or have ended: order, failures, updates, restarts, and what is left out. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import t from "tap";
import { pluginFiles, until } from "../host/plugins-support.js";
import { demoFile, project, session } from "../host/sessions-support.js";
import { writeFiles } from "../host/templates-support.js";
import { type StartedHost, startHost } from "../start-host.js";

/** A plugin whose hooks do what the name of the project says. */
const watcher = (version: string, hooks = workingHooks): Record<string, string> =>
  pluginFiles(
    "Watcher",
    version,
    `import { definePlugin, route, Type } from "@slipway/sdk";

const hangs = new Set<string>();
let closings = 0;

export default definePlugin({
  setup: (host) => ({
    routes: [
      route.post("release", { summary: "Ends the slow hook.", handler: async () => { await host.store.set("released", true); return {}; } }),
    ],
    sessionHooks: ${hooks},
  }),
});
`,
  );

const workingHooks = `{
  opened: {
    timeout: "100s",
    async handler({ session, log, signal }) {
      const { header } = await session.project();
      if (header.name === "Broken") throw new Error("out of ink");
      if (header.name === "Hangs") hangs.add(session.id);
      if (header.name === "Slow") {
        log.info("slow begins");
        while (!(await host.store.get("released", Type.Boolean())) && !signal.aborted)
          await new Promise((resolve) => setTimeout(resolve, 20));
        await host.store.delete("released");
      }
      const { url } = await host.files.create({ name: "seen.txt", mediaType: "text/plain", content: "seen" });
      log.info("opened", { id: session.id, locale: session.locale, revision: session.revision, name: header.name, url });
    },
  },
  closed: {
    timeout: "2s",
    async handler({ sessionId, reason, log, signal, ...others }) {
      if (hangs.has(sessionId)) await new Promise((resolve) => signal.addEventListener("abort", () => resolve(undefined)));
      // A host drops lines beyond a number per second.
      closings += 1;
      if (closings < 50) log.info("closed", { id: sessionId, reason, others: Object.keys(others) });
    },
  },
}`;

/** What a host refuses when the version starts, and how. */
const wrong = [
  ["{ opend() {} }", /session hooks are not valid: `sessionHooks` may have only .*but has "opend"/],
  ["{ opened: 1 }", /sessionHooks\.opened` must be a function, or an object/],
  ["{ closed: { handler() {}, timeout: 'soon' } }", /sessionHooks\.closed: a timeout is a whole number/],
  ["{ closed: { handler() {}, retries: 3 } }", /sessionHooks\.closed` may have only .*but has "retries"/],
  ["[]", /sessionHooks` must be an object/],
] as const;

const plain = { plugins: { one: {}, two: {}, three: {}, plain: {} }, templates: {}, var: {} };

const open = async ({ url }: StartedHost, name: string, locale = "de_DE"): Promise<string> => {
  const body = JSON.stringify(project({ header: { name } }));
  const answer = await fetch(`${url}/api/sessions?locale=${locale}`, { method: "POST", body });
  return (await session(answer)).sessionId;
};

const close = async ({ url }: StartedHost, id: string): Promise<void> => {
  const { status } = await fetch(`${url}/api/sessions/${id}`, { method: "DELETE" });
  if (status !== 204) throw new Error(`${status}`);
};

const release = ({ url }: StartedHost): Promise<Response> =>
  fetch(`${url}/EAIWS/plugins/Watcher/release`, { method: "POST" });

/** The lines of the hooks about some sessions, such as "opened 1", by the place of the session in the list. */
const lines = ({ log }: StartedHost, ids: readonly string[]): string[] =>
  log
    .filter(({ msg, id }) => (msg === "opened" || msg === "closed") && ids.includes(String(id)))
    .map(({ msg, id }) => `${msg} ${ids.indexOf(String(id)) + 1}`);

async function states({ url }: StartedHost): Promise<Record<string, unknown>[]> {
  const { plugins } = Object(await (await fetch(`${url}/api/plugins`)).json());
  return plugins;
}

t.test("hooks run for sessions that were opened and have ended, and harm nobody", async (t) => {
  const folder = t.testdir(plain);
  const plugins = join(folder, "plugins");
  await writeFiles(join(plugins, "one"), watcher("1.0.0"));
  // Of another release, which runs no hooks.
  await writeFiles(join(plugins, "two"), watcher("2.0.0"));
  await writeFiles(join(plugins, "plain"), {
    "package.json": (watcher("1.0.0")["package.json"] ?? "").replaceAll("atcher", "ithout"),
    "index.ts": `import { definePlugin } from "@slipway/sdk";\nexport default definePlugin({ setup: () => ({ routes: [] }) });\n`,
  });
  const options = {
    plugins: [plugins],
    templates: [join(folder, "templates")],
    var: join(folder, "var"),
    configuration: {
      releases: { "1": { Watcher: "^1.0.0", Without: "*" }, "2": { Watcher: "^2.0.0" } },
      plugins: { defaultRelease: "1", settlingTime: 50 },
      requests: { drain: 300 },
    },
  };
  const host = await startHost(options);
  t.teardown(() => host.process.kill("SIGKILL"));

  const bodies = await Promise.all((["json", "obk", "obx"] as const).map(demoFile));
  const files = await Promise.all(
    bodies.map(
      async (body) =>
        (await session(await fetch(`${host.url}/api/sessions`, { method: "POST", body }))).sessionId,
    ),
  );
  await until(() => lines(host, files).length === 3);
  for (const id of files) await close(host, id);
  await until(() => lines(host, files).length === 6);
  t.match(
    host.log.find(({ msg, id }) => msg === "opened" && id === files[0]),
    {
      plugin: "Watcher@1.0.0",
      hook: "opened",
      session: `${files[0]?.slice(0, 8)}…`,
      locale: "en",
      revision: 1,
      name: String,
      url: /^http:\/\/localhost\/files\//,
    },
    "a hook reads the contents of the session and makes files",
  );
  t.match(
    host.log.find(({ msg, id }) => msg === "closed" && id === files[0]),
    { hook: "closed", reason: "closed", others: [] },
  );
  t.strictSame(
    host.log.filter(({ plugin, hook }) => hook !== undefined && plugin !== "Watcher@1.0.0"),
    [],
    "only the version of the default release runs hooks",
  );
  const shown = await states(host);
  const live = shown.find(({ version, name }) => version === "1.0.0" && name === "Watcher");
  t.strictSame(live?.["sessionHooks"], ["opened", "closed"]);
  t.notOk("sessionHooks" in Object(shown.find(({ name }) => name === "Without")));

  const broken = await open(host, "Broken");
  const next = await open(host, "Fine");
  await until(() => lines(host, [next]).length === 1);
  const failed = (id: string) => (line: Record<string, unknown>) =>
    line["msg"] === "A session hook failed" && line["session"] === `${id.slice(0, 8)}…`;
  t.match(await host.logged(failed(broken)), { plugin: "Watcher@1.0.0", hook: "opened" });
  t.match(JSON.stringify(host.log), /out of ink/, "the cause is in the log");

  const hangs = await open(host, "Hangs");
  await until(() => lines(host, [hangs]).length === 1);
  await close(host, hangs);
  t.match(await host.logged(failed(hangs)), { hook: "closed", error: { id: "request-timeout" } });
  await close(host, broken);
  await until(() => lines(host, [broken]).length === 1);
  const slow = await open(host, "Slow");
  await host.logged(({ msg }) => msg === "slow begins");
  const [brief, replaced] = [await open(host, "Brief"), await open(host, "Before")];
  await close(host, brief);
  const body = JSON.stringify(project({ header: { name: "After" } }));
  await session(await fetch(`${host.url}/api/sessions/${replaced}`, { method: "PUT", body }));
  t.strictSame(lines(host, [slow, brief, replaced]), [], "one at a time; answers do not wait");

  await writeFiles(join(plugins, "three"), watcher("1.1.0"));
  await until(async () =>
    (await states(host)).some(({ version, stage }) => version === "1.1.0" && stage === "live"),
  );
  await release(host);
  await until(() => lines(host, [slow, brief, replaced]).length === 3);
  t.strictSame(
    lines(host, [slow, brief, replaced]),
    ["opened 1", "opened 3", "closed 2"],
    "in order; `opened` is left out for a session that is closed by then",
  );
  const by = (id: string) => host.log.find((line) => line["msg"] === "opened" && line["id"] === id);
  t.match(by(slow), { plugin: "Watcher@1.0.0" }, "a running hook is finished by its version");
  t.match(
    by(replaced),
    { plugin: "Watcher@1.1.0", revision: 2, name: "After" },
    "what waits runs in the next one",
  );

  for (const [index, [hooks]] of wrong.entries())
    await writeFiles(join(plugins, `wrong-${index}`), watcher(`2.1.${index}`, `${hooks} as never`));
  await open(host, "Slow");
  await until(() => host.log.filter(({ msg }) => msg === "slow begins").length === 2);
  let many = 0;
  const openMany = async (): Promise<void> => {
    while (many < 502) {
      many += 1;
      await close(host, await open(host, "Many"));
    }
  };
  await Promise.all(Array.from({ length: 8 }, openMany));
  await release(host);
  t.match(
    await host.logged(({ msg }) => msg === "Session hooks of a plugin were left out"),
    { plugin: "Watcher", leftOut: 4 },
    "1,000 wait at most",
  );

  for (const [, reason] of wrong)
    await until(async () => (await states(host)).some((state) => reason.test(String(state["reason"]))));

  const [restored, expired] = [await open(host, "Restored"), await open(host, "Expired")];
  await until(() => lines(host, [restored, expired]).length === 2);
  await host.kill();
  const file = join(options.var, "sessions", expired, "record.json");
  const stored = JSON.parse(await readFile(file, "utf8"));
  // As if the host had been down for longer.
  stored.record.expiresAt = Date.now() - 1000;
  await writeFile(file, JSON.stringify(stored));

  const again = await startHost(options);
  t.teardown(() => again.process.kill("SIGKILL"));
  t.match(await again.logged(({ msg, id }) => msg === "closed" && id === expired), { reason: "expired" });
  t.strictSame(lines(again, [restored, expired]), ["closed 2"], "a restart opens no session again");

  await open(again, "Slow");
  await again.logged(({ msg }) => msg === "slow begins");
  for (let count = 0; count < 3; count += 1) await open(again, "Late");
  t.equal(await again.stop(), 0);
  t.match(
    again.log.find(({ msg }) => msg === "Session hooks of a plugin were left out"),
    { plugin: "Watcher", leftOut: 3 },
    "a host that stops says what it left out",
  );
});
