/** A host on a system that allows no namespaces: the permission model alone confines, also where `var` is a link. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import t from "tap";
import { pluginStates } from "../../host/plugin-load/host-api.js";
import { pluginFiles } from "../../host/plugins-support.js";
import { startHost } from "../../start-host.js";

/** Becomes the command behind it, which may make no namespaces. */
const withoutNamespaces = [
  ...["unshare", "--user", "--map-root-user", "sh", "-c"],
  'echo 0 > /proc/sys/user/max_user_namespaces && exec "$@"',
  "sh",
];
const [command = "", ...parameters] = withoutNamespaces;
const skip = await promisify(execFile)(command, [...parameters, "true"]).then(
  () => false,
  () => "this system has no user namespaces to take them away in",
);

const source = `import { readFile } from "node:fs/promises";
import { definePlugin, route } from "@slipway/sdk";
export default definePlugin({
  setup: () => ({
    routes: [
      route.get("own.json", { summary: "Answers.", handler: () => ({ answer: 42 }) }),
      route.get("users.json", {
        summary: "Reads what it may not read.",
        handler: async () => ({ users: await readFile("/etc/passwd", "utf8") }),
      }),
    ],
  }),
});
`;

t.test("plugins are confined by the permission model, and nothing is wrong", { skip }, async (t) => {
  const folder = t.testdir({
    real: {},
    var: t.fixture("symlink", "real"),
    plugins: { reader: pluginFiles("reader", "1.0.0", source) },
  });
  const host = await startHost({
    by: withoutNamespaces,
    var: join(folder, "var"),
    plugins: [join(folder, "plugins")],
  });
  t.teardown(() => host.stop());
  t.match(await pluginStates(host.url), [{ name: "reader", stage: "live" }]);
  const answer = await fetch(`${host.url}/EAIWS/plugins/reader/own.json`);
  t.same(await answer.json(), { answer: 42 });
  t.equal((await fetch(`${host.url}/EAIWS/plugins/reader/users.json`)).status, 500);
  const readiness = await fetch(`${host.url}/readyz`);
  t.equal(readiness.status, 200);
  const { parts } = Object(await readiness.json());
  t.match(parts.confinement, { ready: true, problems: undefined });
  t.match(parts.confinement.detail, /confined by permissions\. The layer namespaces does not hold\. /);
});

t.test("a host that wants all layers does not start plugins", { skip }, async (t) => {
  const folder = t.testdir({ plugins: { reader: pluginFiles("reader", "1.0.0", source) } });
  const host = await startHost({
    by: withoutNamespaces,
    plugins: [join(folder, "plugins")],
    configuration: { plugins: { confinement: "strict" } },
  });
  t.teardown(() => host.stop());
  t.match(await pluginStates(host.url), [{ stage: "failed", reason: /is strict, and the layer namespaces/ }]);
  const readiness = await fetch(`${host.url}/readyz`);
  t.equal(readiness.status, 503);
});
