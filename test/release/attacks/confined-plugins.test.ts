/** A hostile plugin tries to leave its process: what each attempt gives, with the layers that this system has. */

import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { join } from "node:path";
import { checked, Type, Validator } from "@slipway/sdk";
import t from "tap";
import { pluginFiles, until } from "../../host/plugins-support.js";
import { writeFiles } from "../../host/templates-support.js";
import { type StartedHost, startHost } from "../../start-host.js";
import { attempts, attemptsCode, attemptTools, needsNamespaces } from "./escape-attempts.js";

const plugin = `import { definePlugin, route, Type } from "@slipway/sdk";
${attemptTools}const attempts = {
${attemptsCode}
};
export default definePlugin({ setup: (host) => ({ routes: [
  route.post("attempt.json", {
    summary: "Tries something.",
    body: Type.Object({ name: Type.String(), secret: Type.String(), varFolder: Type.String(), port: Type.Integer(), pid: Type.Integer() }),
    handler: async ({ body }) => {
      try {
        return { got: String(JSON.stringify(await attempts[body.name]({ ...body, host }))) };
      } catch (error) {
        return { error: [error.code, error.message].join(" ") };
      }
    },
  }),
] }) });
`;

/** Uses up what it can get. */
const greedy = `import { spawn } from "node:child_process";
import fs from "node:fs";
import { Worker } from "node:worker_threads";
import { definePlugin, route } from "@slipway/sdk";
const until = (get) => {
  const got = [];
  try {
    for (;;) got.push(get(got.length));
  } catch (error) {
    return { got, code: error.code };
  }
};
const uses = {
  descriptors: () => {
    const { got, code } = until(() => fs.openSync(new URL(import.meta.url)));
    for (const each of got) fs.closeSync(each);
    return code;
  },
  processes: () => until(() => spawn("sleep", ["60"])).code,
  threads: () => until(() => new Worker("setInterval(() => {}, 1000)", { eval: true })).code,
  disk: () => until((n) => fs.writeFileSync("/tmp/greedy-" + n, "x".repeat(1e6))).code,
  memory: () => until(() => Array.from({ length: 1e5 }, (_, n) => ({ n }))).code,
};
export default definePlugin({ setup: () => ({
  routes: Object.entries(uses).map(([name, use]) =>
    route.get(name + ".json", { summary: "Uses it up.", handler: () => ({ code: use() }) })),
}) });
`;

const checkOutcome = new Validator().compile(
  Type.Object({ got: Type.Optional(Type.String()), error: Type.Optional(Type.String()) }),
  "outcome",
);
const secretText = '"swordfish"';
let host: StartedHost;
let secret: string;
const listener = createServer((socket) => socket.destroy());

t.before(async () => {
  const folder = t.testdir({ var: {} });
  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");
  await writeFiles(join(folder, "plugins", "escape"), {
    "package.json": JSON.stringify({
      name: "escape",
      version: "1.0.0",
      type: "module",
      engines: { slipway: "^1.0.0" },
      slipway: { plugin: "escape", entry: "index.js", permissions: {} },
    }),
    "index.js": plugin,
  });
  await writeFiles(join(folder, "plugins", "greedy"), pluginFiles("greedy", "1.0.0", greedy));
  secret = join(folder, "var", "secret.json");
  await writeFile(secret, secretText);
  host = await startHost({
    var: join(folder, "var"),
    plugins: [join(folder, "plugins")],
    configuration: { plugins: { confinement: "auto" } },
  });
});
t.teardown(async () => {
  await host.stop();
  listener.close();
});

t.test("no attempt gives anything", async (t) => {
  const { parts } = Object(await (await fetch(`${host.url}/readyz`)).json());
  const hasNamespaces = / and namespaces\.$/.test(parts.confinement.detail);
  for (const name of Object.keys(attempts)) {
    if (!hasNamespaces && needsNamespaces.test(name)) {
      t.pass(`${name}: this system has no namespaces`, { skip: true });
      continue;
    }
    const answer = await fetch(`${host.url}/EAIWS/plugins/escape/attempt.json`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({
        name,
        secret,
        varFolder: host.var,
        port: (listener.address() as AddressInfo).port,
        pid: host.process.pid,
      }),
    });
    const outcome = checked(checkOutcome(await answer.json()), "This is no outcome");
    t.equal(outcome.got, undefined, name);
    t.ok(outcome.error, `${name} ends with an error`);
    t.comment(`${name}: ${outcome.got ?? outcome.error}`);
  }
  t.equal(host.process.exitCode, null, "the host still runs");
});

t.test("what a plugin uses up is missing to nobody else", async (t) => {
  const use = (name: string): Promise<Response> => fetch(`${host.url}/EAIWS/plugins/greedy/${name}.json`);
  const limits: Record<string, string> = {
    descriptors: "EMFILE",
    processes: "ERR_ACCESS_DENIED",
    threads: "ERR_ACCESS_DENIED",
    disk: "ERR_ACCESS_DENIED",
  };
  for (const [name, code] of Object.entries(limits)) {
    t.same(await (await use(name)).json(), { code }, name);
    t.equal((await fetch(`${host.url}/healthz`)).status, 200, `${name}: the host answers`);
  }
  t.ok((await use("memory")).status >= 500, "its process ends");
  t.equal((await fetch(`${host.url}/healthz`)).status, 200, "the host answers");
  await until(async () => (await use("disk")).status === 200);
  t.equal(host.process.exitCode, null, "the host still runs");
});
