/** A plugin that does what it may not: who is told what, and where in the author's source it is. */
import { createServer } from "node:net";
import { join } from "node:path";
import t from "tap";
import { plugin } from "../../host/administration-support.js";
import { pluginStates } from "../../host/plugin-load/host-api.js";
import { pluginFiles, until } from "../../host/plugins-support.js";
import { startHost } from "../../start-host.js";

const calls = {
  read: 'readFileSync("/etc/passwd", "utf8")',
  write: 'writeFileSync("/tmp/slipway-denied", "x")',
  programs: 'execFileSync("true")',
  threads: 'new Worker("1", { eval: true })',
  native: 'process.dlopen({ exports: {} }, "/denied.node")',
  connect: 'await new Promise((resolve, reject) => connect(9, "127.0.0.1", resolve).on("error", reject))',
  fetch: 'await fetch("http://127.0.0.1:8123/")',
};

/** Each call is on a line for itself. */
const source = `import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { Worker } from "node:worker_threads";
import { definePlugin, route } from "@slipway/sdk";

const tries: Record<string, () => unknown> = {
${Object.entries(calls)
  .map(([name, call]) => `  ${name}: async () => {\n    ${call};\n  },`)
  .join("\n")}
  later: () => {
    setTimeout(() => readFileSync("/etc/shadow"), 1);
  },
};

export default definePlugin({
  setup: () => ({
    routes: Object.entries(tries).map(([name, handler]) =>
      route.get(\`\${name}.json\`, { summary: "Tries something.", handler: async () => ((await handler()), {}) }),
    ),
  }),
});
`;

const starting = `import { readFileSync } from "node:fs";
import { definePlugin } from "@slipway/sdk";

export default definePlugin({
  setup: () => {
    readFileSync("/etc/passwd");
    return { routes: [] };
  },
});
`;

const line = (call: string): number => source.slice(0, source.indexOf(call)).split("\n").length;

const hints: Record<string, RegExp> = {
  read: /may not read \/etc\/passwd\. Declare a folder in `slipway\.permissions\.read`/,
  write: /may not write \/tmp\/slipway-denied\. Declare `temporary` in `slipway\.permissions`/,
  programs: /may not start programs\. Declare `slipway\.permissions\.programs`/,
  threads: /may not start threads\. Declare `slipway\.permissions\.threads`/,
  native: /may not load native add-ons\. Declare `slipway\.permissions\.native`/,
};

t.test("at run time the log has the permission, the way to it and the line of the source", async (t) => {
  const folder = t.testdir({ plugins: { denied: pluginFiles("denied", "1.0.0", source) } });
  const host = await startHost({ plugins: [join(folder, "plugins")] });
  t.teardown(() => host.stop());
  const ask = (name: string): Promise<Response> => fetch(`${host.url}/EAIWS/plugins/denied/${name}.json`);
  for (const [name, hint] of Object.entries(hints)) {
    const answer = await ask(name);
    t.match(await answer.json(), { code: 500, id: "plugin-error", message: /^The plugin failed/ }, name);
    const logged = await host.logged(({ msg }) => msg === `GET ${name}.json failed`);
    t.match(logged["hint"], hint, name);
    t.match(logged["hint"], `(index.ts:${line(calls[name as keyof typeof calls])}:`, `${name}: its line`);
  }

  await t.test("of connections where the process has no network", async (t) => {
    const reachable = await new Promise<boolean>((resolve) => {
      const probe = createServer().listen(0, "127.0.0.1", () => {
        probe.close();
        resolve(true);
      });
    });
    t.ok(reachable, "the machine itself has one");
    const { parts } = Object(await (await fetch(`${host.url}/readyz`)).json());
    const isHeld =
      / and namespaces\.$/.test(parts.confinement.detail) ||
      Number(process.versions.node.split(".")[0]) >= 25;
    for (const name of ["connect", "fetch"]) {
      t.equal((await ask(name)).status, 500, name);
      const logged = await host.logged(({ msg }) => msg === `GET ${name}.json failed`);
      if (isHeld) t.match(logged["hint"], /open connections itself\. Use `host\.fetch`/, name);
    }
  });

  await t.test("of what nobody waits for", async (t) => {
    t.equal((await ask("later")).status, 200);
    const faults = await host.logged((each) => /may not read \/etc\/shadow/.test(JSON.stringify(each)));
    t.match(JSON.stringify(faults), "index.ts:");
  });
});

t.test("staging and `slipway plugin check` say it of a start", async (t) => {
  const folder = t.testdir({ plugins: { denied: pluginFiles("denied", "1.0.0", starting) } });
  const reason =
    /setup failed: The plugin may not read \/etc\/passwd\..* and let an admin grant it \(index\.ts:6:\d+\)/s;
  const host = await startHost({ plugins: [join(folder, "plugins")] });
  t.teardown(() => host.stop());
  await until(async () => (await pluginStates(host.url))[0]?.stage === "failed");
  const [state] = await pluginStates(host.url);
  t.match(state?.reason, reason);
  const checked = await plugin("check", join(folder, "plugins", "denied"));
  t.match(checked, { code: 1, output: /index\.ts:6:5: The plugin's setup failed: The plugin may not read/ });
});

t.test("`slipway plugin check` names imports that will be refused", async (t) => {
  const folder = t.testdir({ denied: pluginFiles("denied", "1.0.0", source) });
  const { code, output } = await plugin("check", join(folder, "denied"));
  t.equal(code, 0, "they may never be used");
  t.match(
    output,
    /hint +permissions +index\.ts imports node:child_process; `slipway\.permissions\.programs` is not/,
  );
  t.match(
    output,
    /hint +permissions +index\.ts imports node:worker_threads; `slipway\.permissions\.threads` is not/,
  );
  t.match(output, /hint +permissions +index\.ts imports node:net; `slipway\.permissions\.network` is not/);
});
