/**
 * What each layer of the confinement refuses by itself, and both together. Uses the part itself: a host has all layers that its
 * system has.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { checked, Type, Validator } from "@slipway/sdk";
import t from "tap";
import { Confinement, type ConfinementLayer } from "../../../host/system/confinement/confinement.js";
import { attempts, attemptsCode, attemptTools } from "./escape-attempts.js";

const nothing = { writable: [], network: false, programs: false, threads: false, native: false };
const checkOutcomes = new Validator().compile(Type.Array(Type.String()), "outcomes");
const listener = createServer((socket) => socket.destroy());
let victim: ChildProcess;
let folder: string;
let secret: string;

/** Those that need no host: what a plugin asks of its host is refused by the host. */
const names = Object.keys(attempts).filter((name) => !/^(?:fetch from the host|call a service)$/.test(name));

const program = `${attemptTools}const attempts = {
${attemptsCode}
};
const { names, ...scope } = JSON.parse(process.argv[2]);
const got = [];
for (const name of names) {
  const late = new Promise((_, failed) => setTimeout(failed, 5000, new Error("late")));
  try {
    await Promise.race([attempts[name](scope), late]);
    got.push(name);
  } catch {}
}
process.stdout.write(JSON.stringify(got));
process.exit();
`;

t.before(async () => {
  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");
  folder = t.testdir({
    confinement: { root: {} },
    plugin: { "plugin.mjs": program },
    var: { snapshots: {} },
  });
  secret = join(folder, "var", "secret.json");
});
t.teardown(() => {
  listener.close();
  victim?.kill("SIGKILL");
});

/** The attempts that succeed. */
async function successes(layers: readonly ConfinementLayer["layer"][], tried: readonly string[]) {
  await writeFile(secret, '"swordfish"');
  mkdirSync(join(folder, "var", "snapshots"), { recursive: true });
  victim?.kill("SIGKILL");
  victim = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
  const confinement = new Confinement(
    "auto",
    (["permissions", "namespaces"] as const).map((layer) => ({ layer, holds: layers.includes(layer) })),
    join(folder, "confinement"),
  );
  const own = join(folder, "plugin");
  const question = JSON.stringify({
    names: tried,
    secret,
    varFolder: join(folder, "var"),
    port: (listener.address() as AddressInfo).port,
    pid: victim.pid,
  });
  const { command, parameters } = confinement.command(
    [join(own, "plugin.mjs"), question],
    { ...nothing, readable: [own] },
    own,
  );
  const child = spawn(command, parameters, { cwd: own, env: {}, stdio: ["ignore", "pipe", "inherit"] });
  return checked(checkOutcomes(JSON.parse(await text(child.stdout))), "These are no outcomes");
}

/** What goes through the permission model of each version: signals, and before Node.js 25 the network. */
const throughPermissions =
  /^(?:signal|end) |^connect to |^fetch from the loopback|^send a datagram|^ask for a name/;

/** What namespaces alone permit: it stays inside them. */
const insideNamespaces =
  /^start a |^fork|^use an internal binding|^open the inspector|^join an inspector|^use system interfaces/;

t.test("a process without layers reaches what the others are kept from", async (t) => {
  const harmless = ["read a file of var", "list var", "signal the host", "connect to the loopback"];
  t.same(await successes([], harmless), harmless);
});

t.test("the permission model by itself refuses files, programs, threads and native code", async (t) => {
  const got = await successes(["permissions"], names);
  t.comment(got.join("; "));
  t.same(
    got.filter((name) => !throughPermissions.test(name)),
    [],
  );
});

t.test("namespaces by themselves", async (t) => {
  const { layers } = await Confinement.open("auto", join(folder, "checked"));
  if (layers.some(({ holds }) => !holds)) return t.pass("there are none here", { skip: true });
  const got = await successes(["namespaces"], names);
  t.comment(got.join("; "));
  t.same(
    got.filter((name) => !insideNamespaces.test(name)),
    [],
  );
  t.equal(victim.exitCode ?? victim.signalCode, null, "no signal has reached a process outside");
  t.same(await successes(["permissions", "namespaces"], names), [], "together, nothing succeeds");
});
