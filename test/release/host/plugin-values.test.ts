/**
 * The values that a plugin stores: they outlive its versions, the host and a crash. Uses the part itself: two versions run at a time,
 * and a supervisor starts in a fraction of the time of a host.
 */
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import t, { type Test } from "tap";
import { pluginFiles, startPlugins } from "../../host/plugins-support.js";
import { writeFiles } from "../../host/templates-support.js";
import { type StartedHost, startHost } from "../../start-host.js";

const counter = (version: string): Record<string, string> =>
  pluginFiles(
    "Counter",
    version,
    `import { definePlugin, RequestError, route, Type } from "@slipway/sdk";

const Count = Type.Object({ count: Type.Integer() });

export default definePlugin({
  setup: (host) => ({
    routes: [
      route.get("count", { summary: "The count.", handler: async () => (await host.store.get("count", Count))?.value ?? { count: 0 } }),
      route.post("count", {
        summary: "Counts, however many do it at a time.",
        async handler() {
          for (;;) {
            const found = await host.store.get("count", Count);
            const count = (found?.value.count ?? 0) + 1;
            try {
              await host.store.set("count", { count }, { revision: found?.revision ?? null });
              return { count };
            } catch (error) {
              if (!(error instanceof RequestError && error.id === "request-conflict")) throw error;
            }
          }
        },
      }),
      route.post("fill/:values", {
        summary: "Stores many values.",
        params: Type.Object({ values: Type.Integer() }),
        async handler({ params }) {
          for (let at = 0; at < params.values; at++) await host.store.set(\`value/\${at}\`, at);
          return { keys: (await host.store.keys("value/")).length };
        },
      }),
    ],
  }),
});
`,
  );

/** A folder for run-time data, one without templates, and a drop-in folder with these versions of the counter. */
async function foldersWith(t: Test, ...versions: string[]) {
  const plugins = Object.fromEntries(versions.map((version) => [version, {}]));
  const folder = t.testdir({ plugins, templates: {}, var: {} });
  for (const version of versions) await writeFiles(join(folder, "plugins", version), counter(version));
  return { plugins: join(folder, "plugins"), templates: join(folder, "templates"), var: join(folder, "var") };
}

async function count(host: StartedHost, method: string): Promise<unknown> {
  const answer = await fetch(`${host.url}/EAIWS/plugins/Counter/count`, { method });
  return answer.status === 200 ? Object(await answer.json()).count : await answer.text();
}

t.test("values outlive a host that was killed right after it answered", async (t) => {
  const folders = await foldersWith(t, "1.0.0");
  const options = { plugins: [folders.plugins], templates: [folders.templates], var: folders.var };
  const host = await startHost(options);
  t.equal(await count(host, "GET"), 0);
  const counted = await Promise.all(Array.from({ length: 20 }, () => count(host, "POST")));
  t.strictSame(
    counted.map(Number).sort((one, other) => one - other),
    Array.from({ length: 20 }, (_, index) => index + 1),
    "no write was lost to another one",
  );
  await host.kill();
  const values = join(options.var, "plugin-values");
  const [folder = ""] = await readdir(values);
  const [file = ""] = await readdir(join(values, folder));
  t.match(JSON.parse(await readFile(join(values, folder, file), "utf8")), {
    key: "count",
    value: { count: 20 },
  });
  // What a crash may leave, and what somebody damaged.
  await writeFile(join(values, folder, `${file}.1-1.part`), "{");
  await writeFile(join(values, folder, "damaged.json"), "{");

  const next = await startHost(options);
  t.teardown(() => next.stop());
  t.equal(await count(next, "POST"), 21);
  await next.logged(
    ({ msg, file }) =>
      msg === "A stored value of a plugin cannot be read" && String(file).endsWith("damaged.json"),
  );
  t.strictSame((await readdir(join(values, folder))).sort(), ["damaged.json", file].sort());
});

t.test("versions of a plugin share their values, which have limits", async (t) => {
  const folders = await foldersWith(t, "1.0.0", "2.0.0");
  const plugins = await startPlugins({
    folders: [folders.plugins],
    varDirectory: folders.var,
    releases: { "1.0": { Counter: "1.0.0" }, "2.0": { Counter: "2.0.0" } },
  });
  t.teardown(() => plugins.stop());
  for (const version of ["1.0.0", "2.0.0"])
    await plugins.logged(({ message }) => message === `Counter@${version} is live`);
  for (const release of ["1.0", "2.0", "1.0"]) await plugins.ask("Counter", "POST count", { release });
  t.match(await plugins.ask("Counter", "GET count", { release: "2.0" }), { body: { count: 3 } });
  const fill = (values: number) =>
    plugins.ask("Counter", "POST fill/:values", { params: { values: `${values}` } });
  t.match(await fill(999), { body: { keys: 999 } });
  t.match(await fill(1000), {
    error: { id: "plugin-error", message: /"value\/999", the plugin has more than 1000/ },
  });
  t.match(
    await plugins.ask("Counter", "POST count"),
    { body: { count: 4 } },
    "what is there can still change",
  );
});
