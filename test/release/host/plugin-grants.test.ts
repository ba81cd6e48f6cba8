/** A plugin asks for permissions, an admin grants them: what waits, what serves, and what it can do then. */
import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { checked, Type, Validator } from "@slipway/sdk";
import t from "tap";
import { plugin } from "../../host/administration-support.js";
import { pluginStates } from "../../host/plugin-load/host-api.js";
import { until } from "../../host/plugins-support.js";
import { writeFiles } from "../../host/templates-support.js";
import { type StartedHost, startHost } from "../../start-host.js";

const server = createServer((_request, response) => response.end("prices"));
let host: StartedHost;
let folder: string;
let served: string;

const code = `import { definePlugin, route, Type } from "@slipway/sdk";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
const tries = {
  read: (host) => readFileSync(join(host.folder("prices"), "list.txt"), "utf8"),
  change: (host) => writeFileSync(join(host.folder("prices"), "list.txt"), "changed"),
  write: (host) => writeFileSync(join(host.folder("orders"), "order.txt"), "order"),
  temporary: () => writeFileSync(join(mkdtempSync(join(tmpdir(), "x")), "file"), "") ?? "written",
  environment: () => process.env.ERP_SITE ?? "nothing",
  other: () => process.env.ERP_SECRET ?? "nothing",
  fetch: async (host, address) => Buffer.from((await host.fetch(address)).content).toString(),
};
export default definePlugin({ setup: (host) => ({ routes: [
  route.get("try.json", {
    summary: "Tries something.",
    query: Type.Object({ what: Type.String(), address: Type.Optional(Type.String()) }),
    handler: async ({ query }) => {
      try {
        return { got: String(await tries[query.what](host, query.address)) };
      } catch (error) {
        return { error: [error.code, error.message].join(" ") };
      }
    },
  }),
  route.get("version.json", { summary: "Its version.", handler: () => ({ version: host.plugin.version }) }),
] }) });
`;

const manifest = (version: string, permissions: Record<string, unknown>): string =>
  JSON.stringify({
    name: "erp",
    version,
    type: "module",
    engines: { slipway: "^1.0.0" },
    slipway: { plugin: "erp", entry: "index.js", permissions },
  });

const Outcome = Type.Object({
  got: Type.Optional(Type.String()),
  error: Type.Optional(Type.String()),
  version: Type.Optional(Type.String()),
});
const checkOutcome = new Validator().compile(Outcome, "outcome");

async function ask(path: string) {
  const answer = await fetch(`${host.url}/EAIWS/plugins/erp/${path}`);
  return checked(checkOutcome(await answer.json()), "This is no outcome");
}
const attempt = (what: string, address = "") =>
  ask(`try.json?${new URLSearchParams({ what, ...(address === "" ? {} : { address }) })}`);

const checkOverview = new Validator().compile(
  Type.Object({
    versions: Type.Array(
      Type.Object({
        version: Type.String(),
        stage: Type.String(),
        reason: Type.Optional(Type.String()),
        missingGrants: Type.Array(
          Type.Object({ permission: Type.String(), value: Type.Optional(Type.String()) }),
        ),
      }),
    ),
  }),
  "overview",
);

async function versions() {
  const answer = await fetch(`${host.url}/api/plugins/erp`);
  return checked(checkOverview(await answer.json()), "This is no overview").versions;
}
const stageOf = async (version: string) => (await versions()).find((each) => each.version === version)?.stage;

async function grant(grants: Record<string, unknown>): Promise<Response> {
  return await fetch(`${host.url}/api/plugins/erp/grants`, {
    method: "PUT",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(grants),
  });
}

async function command(...parameters: string[]): Promise<{ code: number | null; output: string }> {
  const { code, output, errors } = await plugin("grant", "erp", "--url", host.url, ...parameters);
  return { code, output: `${output}${errors}` };
}

const start = (): Promise<StartedHost> =>
  startHost({
    var: join(folder, "var"),
    plugins: [join(folder, "plugins")],
    environment: { ERP_SITE: "north", ERP_SECRET: "swordfish" },
    configuration: {
      plugins: { confinement: "auto" },
      fetch: { allowedInternalHosts: [new URL(served).host] },
    },
  });

t.before(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  served = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  folder = t.testdir({ var: {}, prices: { "list.txt": "1.00" }, orders: {}, plugins: {} });
  await writeFiles(join(folder, "plugins", "erp-1"), {
    "package.json": manifest("1.0.0", {}),
    "index.js": code,
  });
  host = await start();
});
t.teardown(async () => {
  await host.stop();
  server.close();
});

t.test("the host says which layers hold", async (t) => {
  const { parts } = Object(await (await fetch(`${host.url}/readyz`)).json());
  t.equal(parts.confinement.ready, true);
  t.match(parts.confinement.detail, /^Plugin processes are confined by permissions/);
  const hasNamespaces = /permissions and namespaces\.$/.test(parts.confinement.detail);
  t.equal(/The layer namespaces does not hold/.test(parts.confinement.detail), !hasNamespaces);
  t.equal(parts.confinement.problems, undefined, "a layer that the system does not have is no problem");
});

t.test("a plugin without permissions reaches nothing", async (t) => {
  t.equal((await ask("version.json")).version, "1.0.0");
  t.match(await attempt("read"), { error: /no folder "prices"/ });
  t.match(await attempt("temporary"), { error: /ERR_ACCESS_DENIED/ });
  t.same(await attempt("environment"), { got: "nothing" });
  t.match(await attempt("fetch", served), { error: /slipway\.permissions\.network/ });
});

t.test("an update that asks for more waits, and says for what; what served goes on", async (t) => {
  const reason = "Reads the prices of the ERP system.";
  await writeFiles(join(folder, "plugins", "erp-2"), {
    "package.json": manifest("1.1.0", {
      network: { hosts: [new URL(served).host], reason },
      read: { folders: ["prices"], reason },
      write: { folders: ["orders"], reason },
      temporary: { reason },
      environment: { names: ["ERP_SITE"], reason },
    }),
    "index.js": code,
  });
  await until(async () => (await stageOf("1.1.0")) === "needs-grant");
  t.equal((await ask("version.json")).version, "1.0.0");
  const waiting = (await versions()).find(({ version }) => version === "1.1.0");
  t.match(waiting?.reason, /It waits for grants: network .* \(Reads the prices of the ERP system\)/);
  t.same(
    waiting?.missingGrants.map(({ permission, value }) => value ?? permission),
    [new URL(served).host, "prices", "orders", "temporary", "ERP_SITE"],
  );
  t.match(await (await grant({ network: ["a b"] })).json(), { code: 400, id: "request-bad-request" });
  t.match(await command(), { code: 1, output: /read prices: Reads the prices/ });
  t.match(await command("--yes"), { code: 1, output: /--folder prices=\/path/ });
  t.equal(await stageOf("1.1.0"), "needs-grant", "nothing is granted by halves");
});

t.test("granted, it goes live and can do that, and no more", async (t) => {
  const folders = ["prices", "orders"].flatMap((name) => ["--folder", `${name}=${join(folder, name)}`]);
  t.match(await command("--yes", ...folders), { code: 0, output: /other grants/ });
  await until(async () => (await ask("version.json")).version === "1.1.0");
  t.same(await attempt("read"), { got: "1.00" });
  t.match(await attempt("change"), { error: /ERR_ACCESS_DENIED|EROFS/ });
  t.same(await attempt("write"), { got: "undefined" });
  t.same(await readdir(join(folder, "orders")), ["order.txt"]);
  t.same(await attempt("temporary"), { got: "written" });
  t.same(await attempt("environment"), { got: "north" });
  t.same(await attempt("other"), { got: "nothing" });
  t.same(await attempt("fetch", served), { got: "prices" });
  t.match(await attempt("fetch", "http://127.0.0.1:1/"), { error: /slipway\.permissions\.network/ });
  const { events } = Object(await (await fetch(`${host.url}/api/events?plugin=erp`)).json());
  t.match(
    events.find(({ kind }: { kind: string }) => kind === "grant"),
    { reason: /Granted: network .*; read prices; write orders; temporary/ },
  );
});

t.test("who granted what is in the audit trail", async (t) => {
  const { entries } = Object(await (await fetch(`${host.url}/api/audit?limit=1000`)).json());
  const granting = entries.filter(({ action }: { action: string }) => action === "plugin.grant");
  t.match(granting.at(-1), { target: "erp", outcome: "done" });
  t.same(granting.map(({ outcome }: { outcome: string }) => outcome).sort(), ["done", "refused"]);
});

t.test("grants survive a restart; temporary files do not", async (t) => {
  const before = (await readdir(join(folder, "var", "confinement"))).length;
  await host.stop();
  host = await start();
  t.equal((await ask("version.json")).version, "1.1.0");
  t.ok((await readdir(join(folder, "var", "confinement"))).length <= before);
});

t.test("taken back, the version that needs them no longer serves", async (t) => {
  t.match(await command("--revoke"), { code: 0 });
  await until(async () => (await ask("version.json")).version === "1.0.0");
  t.equal(await stageOf("1.1.0"), "needs-grant");
});

t.test("a folder that is not there is named at the start", async (t) => {
  const gone = join(folder, "gone");
  await mkdir(gone);
  await writeFile(join(gone, "list.txt"), "2.00");
  const others = { network: [new URL(served).host], temporary: true, environment: ["ERP_SITE"] };
  await rm(gone, { recursive: true });
  await grant({ ...others, read: { prices: gone }, write: { orders: join(folder, "orders") } });
  await until(async () => (await stageOf("1.1.0")) === "failed");
  const failed = (await versions()).find(({ version }) => version === "1.1.0");
  t.match(failed?.reason, /folder "prices" that it is granted is not there/);
  t.equal((await ask("version.json")).version, "1.0.0");
});

t.test("a host that confines nothing gives temporary folders, too", async (t) => {
  const own = t.testdir({ var: {}, plugins: {} });
  await writeFiles(join(own, "plugins", "erp"), {
    "package.json": manifest("1.0.0", { temporary: { reason: "Sorts large files." } }),
    "index.js": code,
  });
  const plain = await startHost({
    var: join(own, "var"),
    plugins: [join(own, "plugins")],
    configuration: { plugins: { confinement: "off", grants: { erp: { temporary: true } } } },
  });
  t.teardown(() => plain.stop());
  const answer = await fetch(`${plain.url}/EAIWS/plugins/erp/try.json?what=temporary`);
  t.same(await answer.json(), { got: "written" });
  const { parts } = Object(await (await fetch(`${plain.url}/readyz`)).json());
  t.equal(parts.confinement, undefined, "there is nothing to say");
});

t.test("an added plugin can be granted what it asks for at once", async (t) => {
  const source = join(folder, "added");
  await writeFiles(source, {
    "package.json": manifest("1.2.0", {
      temporary: { reason: "Sorts large files." },
      write: { folders: ["orders"], reason: "Hands over orders." },
    }),
    "index.js": code,
  });
  await command("--revoke");
  const add = (...parameters: string[]) => plugin("add", source, "--url", host.url, ...parameters);
  t.match(await add("--grant"), { code: 1, errors: /--folder orders=\/path/ });
  t.equal(await stageOf("1.2.0"), "needs-grant");
  const folders = ["orders", "prices"].flatMap((name) => ["--folder", `${name}=${join(folder, name)}`]);
  t.match(await command("--yes", ...folders), { code: 0 });
  t.equal((await ask("version.json")).version, "1.2.0");

  await writeFiles(source, {
    "package.json": manifest("1.3.0", { threads: { reason: "Counts in parallel." } }),
    "index.js": code,
  });
  t.match(await add(), { code: 1, output: /erp@1\.3\.0 is needs-grant: It waits for grants: threads/ });
  t.match(await command("--revoke"), { code: 0 });
  await writeFiles(source, {
    "package.json": manifest("1.4.0", { native: { reason: "Reads an old format." } }),
    "index.js": code,
  });
  t.match(await add("--grant"), { code: 0, output: /erp@1\.4\.0 is live/ });
});

t.test("what is granted to a key holds for the plugins that it signed", async (t) => {
  const own = t.testdir({ var: {}, plugins: {}, unsigned: {}, signed: {} });
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const files = {
    "package.json": manifest("1.0.0", { threads: { reason: "Counts in parallel." } }),
    "index.js": code,
  };
  await writeFiles(join(own, "plugins", "unsigned"), files);
  await writeFiles(join(own, "signed"), {
    ...files,
    "package.json": files["package.json"].replaceAll('"erp"', '"signed"'),
  });
  const key = join(own, "key.pem");
  await writeFile(key, privateKey.export({ format: "pem", type: "pkcs8" }));
  const packed = await plugin("pack", join(own, "signed"), "--out", join(own, "plugins"), "--sign", key);
  t.equal(packed.code, 0);
  const trusting = await startHost({
    var: join(own, "var"),
    plugins: [join(own, "plugins")],
    configuration: {
      plugins: {
        trust: {
          keys: { office: publicKey.export({ format: "pem", type: "spki" }) },
          grants: { office: { threads: true } },
        },
      },
    },
  });
  t.teardown(() => trusting.stop());
  const stages = async () =>
    Object.fromEntries((await pluginStates(trusting.url)).map(({ name, stage }) => [name, stage]));
  await until(async () => (await stages())["signed"] === "live");
  t.same(await stages(), { erp: "needs-grant", signed: "live" });
});

t.test("grants of a changed configuration file are in force at once", async (t) => {
  const own = t.testdir({ var: {}, plugins: {} });
  await writeFiles(join(own, "plugins", "erp"), {
    "package.json": manifest("1.0.0", { threads: { reason: "Counts in parallel." } }),
    "index.js": code,
  });
  const file = join(own, "slipway.json");
  await writeFile(file, "{}");
  const changing = await startHost({
    var: join(own, "var"),
    plugins: [join(own, "plugins")],
    flags: ["--config", file],
  });
  t.teardown(() => changing.stop());
  t.match(await pluginStates(changing.url), [{ name: "erp", stage: "needs-grant" }]);
  await writeFile(file, JSON.stringify({ plugins: { grants: { erp: { threads: true } } } }));
  await until(async () => (await pluginStates(changing.url))[0]?.stage === "live");
  await writeFile(file, "{}");
  await until(async () => (await pluginStates(changing.url))[0]?.stage === "needs-grant");
  t.pass("taken back as well");
});
