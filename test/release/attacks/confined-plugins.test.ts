/** A hostile plugin tries to leave its process: what each attempt gives, with the layers that this system has. */

import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { join } from "node:path";
import { checked, Type, Validator } from "@slipway/sdk";
import t from "tap";
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
  const hasNamespaces = /namespaces/.test(parts.confinement.detail);
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
