/**
 * Every route with everything that can be wrong. What is random comes of a seed, which is printed; EVERY_ROUTE_SEED gives it
 * again.
 */
import { randomInt } from "node:crypto";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { checked, type Static, Type, Validator } from "@slipway/sdk";
import t from "tap";
import { keyCommand } from "../../host/access-support.js";
import { demoFile, session } from "../../host/sessions-support.js";
import { repository, type StartedHost, startHost } from "../../start-host.js";
import type { Asked } from "./every-route-asked.js";
import { brokenRequests } from "./every-route-broken.js";
import { Checks } from "./every-route-checks.js";
import { nowherePaths, otherMethods, pathTricks, strangeHeaders, wrongBodies } from "./every-route-corpus.js";
import { RequestDescription, type Route } from "./every-route-document.js";
import { Questions } from "./every-route-questions.js";

const Status = Type.Object({
  ready: Type.Boolean(),
  process: Type.Object({ id: Type.Integer(), memory: Type.Integer(), heap: Type.Integer() }),
  browser: Type.Object({ restarts: Type.Integer() }),
  requests: Type.Object({ running: Type.Integer() }),
  instances: Type.Array(
    Type.Object({
      plugin: Type.String(),
      version: Type.String(),
      processId: Type.Integer(),
      memory: Type.Integer(),
    }),
  ),
});
const checkStatus = new Validator().compile(Status, "status");

const seed = Number(process.env["EVERY_ROUTE_SEED"] ?? randomInt(2 ** 31));
/** Bytes by which the host may grow: garbage of large bodies above all, which is not collected while there is room. */
const mostGrowth = 400_000_000;
const secret = "every-route-secret-of-the-environment";
const roles = ["read", "operate", "sessions"] as const;
const keys = new Map<string, string>();
let host: StartedHost;
let description: RequestDescription;
let questions: Questions;
let checks: Checks;
let before: Static<typeof Status>;
let asked = 0;

const authorized = (key = keys.get("all") ?? ""): Record<string, string> => ({
  Authorization: `Bearer ${key}`,
});
/** Each operation once: those under a release are the same. */
const once = ({ operation: { path } }: Route): boolean =>
  !path.includes("/EAIWS/") || path.startsWith("/EAIWS/");

async function faults(all: readonly Asked[], atATime?: number): Promise<string[]> {
  asked += all.length;
  return checks.faults(all, atATime);
}

async function status(): Promise<Static<typeof Status>> {
  const answer = await fetch(`${host.url}/api/status`, { headers: authorized() });
  return checked(checkStatus(await answer.json()), "This is no status");
}

async function openSession(): Promise<string> {
  const headers = { ...authorized(), "Content-Type": "application/json" };
  const answer = await fetch(`${host.url}/api/sessions`, {
    method: "POST",
    headers,
    body: new Uint8Array(await demoFile("json")),
  });
  return (await session(answer)).sessionId;
}

t.teardown(async () => {
  t.comment(`${asked} requests, EVERY_ROUTE_SEED=${seed}`);
  await host?.stop();
});

t.before(async () => {
  const folder = t.testdir({ plugins: {}, var: {} });
  for (const [name, own] of [["all", roles], ...roles.map((role) => [role, [role]] as const)] as const) {
    const flags = own.flatMap((role) => ["--role", role]);
    const made = await keyCommand(join(folder, "var"), "new", name, ...flags);
    if (made.code !== 0) throw new Error(made.errors);
    keys.set(name, made.output.trim());
  }
  host = await startHost({
    var: join(folder, "var"),
    // Plugins that come over the API go into the first one.
    plugins: [join(folder, "plugins"), join(repository, "plugins")],
    environment: { EVERY_ROUTE_SECRET: secret },
    configuration: {
      releases: { "1.0": { Reporter: "*", oex: "*" }, legacy: { Reporter: "*", oex: "*" } },
      plugins: { defaultRelease: "1.0" },
      access: { plugins: "key" },
      limits: { project: 4_000_000 },
      requests: { receive: 4000 },
      rateLimits: { refusedKeys: 1_000_000_000 },
    },
  });
  const document = await fetch(`${host.url}/openapi.json`);
  description = new RequestDescription(await document.json());
  const known = {
    key: keys.get("all") ?? "",
    sessionId: await openSession(),
    otherSessionId: await openSession(),
    templateKey: "order",
  };
  questions = new Questions(description, known, seed);
  checks = await Checks.of(host, description, [secret, ...keys.values()]);
  // What a host makes at the first request is nothing that grows.
  await checks.faults(description.routes.filter(once).map((route) => questions.right(route)));
  before = await status();
});
t.test("right requests are answered as declared", async (t) => {
  const right = description.routes.map((route): Asked => questions.right(route));
  t.strictSame(await faults(right), []);
});

t.test("each operation is for those whose key has its roles", async (t) => {
  const asking = description.routes.flatMap((route) => {
    const right = questions.right(route);
    const others = (right.headers ?? []).filter(([name]) => name !== "Authorization");
    const allowed = (key: string): boolean =>
      route.roles.length === 0 ||
      route.roles.some((role) => role === key || (role === "read" && key === "operate"));
    const { route: _, ...only } = right;
    const refused = (status: number, headers: Asked["headers"] = others): Asked =>
      route.roles.length === 0 ? { ...right, headers } : { ...only, headers, only: [status] };
    return [
      refused(401),
      ...(route.roles.length === 0 ? [] : [refused(401, [...others, ...questions.keyHeader("nonsense")])]),
      ...roles.map((role): Asked => {
        const headers = [...others, ...questions.keyHeader(keys.get(role))];
        return allowed(role) ? { ...right, headers } : refused(403, headers);
      }),
    ];
  });
  t.strictSame(await faults(asking), []);
  t.strictSame(
    await faults(pathTricks(description.routes.filter(once))),
    [],
    "no other path leads around it",
  );
});

t.test("one wrong field is what the answer names", async (t) => {
  const wrong = description.routes.flatMap((route) => questions.mistakes(route, once(route) ? 40 : 6));
  t.ok(wrong.length > 300, `${wrong.length} mistakes`);
  t.strictSame(await faults(wrong), []);
});

t.test("bodies that are none, too large, packed, torn or of another kind", async (t) => {
  // Two of the largest at a time: for more there is no room, and so no other answer than to try again.
  t.strictSame(await faults(wrongBodies(questions, description.routes.filter(once)), 2), []);
});

t.test("headers, methods and paths that nobody expects", async (t) => {
  const stream = description.routes.find(({ operation }) => operation.id === "followTemplates");
  if (stream === undefined) throw new Error("Nothing can be followed");
  const follow = questions.right(stream);
  // More than may be open at one time.
  const heads = Array.from({ length: 110 }, (): Asked => ({ ...follow, method: "HEAD" }));
  t.strictSame(await faults([...heads, follow]), [], "streams that nobody reads are over");
  t.strictSame(await faults(strangeHeaders(questions, description.routes.filter(once))), []);
  t.strictSame(await faults(otherMethods(questions, description.routes.filter(once))), []);
  t.strictSame(await faults(nowherePaths()), []);
});

t.test("what is hardly HTTP", async (t) => {
  t.strictSame(await faults(brokenRequests(keys.get("all") ?? "")), []);
});

t.test("anything anywhere", async (t) => {
  const random = description.routes.flatMap((route) => questions.random(route, once(route) ? 25 : 5));
  t.strictSame(await faults(random), [], `EVERY_ROUTE_SEED=${seed}`);
});

t.test("afterwards the host is as it was", async (t) => {
  await setImmediate();
  const after = await status();
  t.equal(host.process.exitCode, null);
  t.equal(after.ready, true);
  t.equal(after.process.id, host.process.pid);
  t.equal(after.requests.running, 1, "nothing hangs");
  t.equal(after.browser.restarts, before.browser.restarts);
  const instances = ({ instances: all }: Static<typeof Status>): string[] =>
    all.map(({ plugin, version, processId }) => `${plugin}@${version} ${processId}`).sort();
  t.strictSame(instances(after), instances(before), "no instance was replaced");
  t.comment(`${before.process.memory} bytes before, ${after.process.memory} after`);
  t.ok(
    after.process.memory - before.process.memory < mostGrowth,
    `${before.process.memory} ${after.process.memory}`,
  );
  t.strictSame(
    host.log.filter(({ level }) => Number(level) >= 50),
    [],
  );
  const good = description.routes.filter(({ operation }) => /generate|export|data/.test(operation.path));
  t.strictSame(await faults(good.map((route) => ({ ...questions.right(route), only: [200] }))), []);
});
