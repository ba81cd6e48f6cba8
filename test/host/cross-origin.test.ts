/** Pages of other origins: plugins and files answer them, with errors that they can read; everything else does not. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import t from "tap";
import { repository, type StartedHost, startHost } from "../start-host.js";
import { until } from "./plugins-support.js";
import { project, session } from "./sessions-support.js";

const page = "https://shop.example.org";
const listed = "https://app.example.com";
const fixtures = join(repository, "test", "fixtures", "plugins", "good");
const root = t.testdir({
  plugins: {
    consumer: t.fixture("symlink", join(fixtures, "consumer")),
    troublemaker: t.fixture("symlink", join(fixtures, "troublemaker")),
    echo: t.fixture("symlink", join(fixtures, "echo-1.1")),
  },
});
const file = join(root, "slipway.json");
const settings = {
  limits: { json: 5000 },
  requests: { timeout: 1000, concurrency: 1, queue: 1 },
  plugins: { config: { echo: { greeting: { text: "Hi", mark: "!" } } } },
  log: { level: "info" },
};

let host: StartedHost;
let sessionId: string;
let fileUrl: string;

t.before(async () => {
  await writeFile(file, JSON.stringify(settings));
  host = await startHost({ plugins: [join(root, "plugins")], templates: [root], flags: ["--config", file] });
  const opened = await fetch(`${host.url}/api/sessions`, { method: "POST", body: JSON.stringify(project()) });
  sessionId = (await session(opened)).sessionId;
  const body = JSON.stringify({ name: "a.txt", content: "0123456789", mediaType: "text/plain" });
  const headers = { "Content-Type": "application/json" };
  const made = await fetch(plugin("consumer/file"), { method: "POST", headers, body });
  fileUrl = /"url":"([^"]+)"/.exec(await made.text())?.[1] ?? "";
});
t.teardown(() => host.stop());

const plugin = (path: string): string => `${host.url}/EAIWS/plugins/${path}`;

type Asked = { method?: string; origin?: string; headers?: Record<string, string>; body?: unknown };

async function ask(
  url: string,
  { method, origin = page, headers = {}, body }: Asked = {},
): Promise<Response> {
  const json = body === undefined ? {} : { "Content-Type": "application/json" };
  return await fetch(url, {
    method: method ?? (body === undefined ? "GET" : "POST"),
    redirect: "manual",
    headers: { ...(origin !== "" && { Origin: origin }), ...json, ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}

const preflight = (url: string, origin = page, more: Record<string, string> = {}): Promise<Response> =>
  ask(url, {
    method: "OPTIONS",
    origin,
    headers: {
      "Access-Control-Request-Method": "POST",
      "Access-Control-Request-Headers": "authorization,content-type,prefer,range,x-requested-with",
      ...more,
    },
  });

const allowedOrigin = (answer: Response): string | null => answer.headers.get("access-control-allow-origin");
const exposes = (answer: Response): string => answer.headers.get("access-control-expose-headers") ?? "";

t.test("a preflight admits what clients send, to plugins and files and nowhere else", async (t) => {
  const release = await (await fetch(`${host.url}/api/plugins`)).text();
  t.match(release, /"1\.0"/);
  for (const url of [
    plugin("echo/echo"),
    `${host.url}/1.0/EAIWS/plugins/echo/echo`,
    plugin("nobody/x"),
    fileUrl,
    `${host.url}/files/x/y`,
  ]) {
    const answer = await preflight(url);
    t.equal(answer.status, 204, url);
    t.equal(allowedOrigin(answer), "*", url);
    t.match(answer.headers.get("access-control-allow-methods"), /GET.*POST/);
    t.equal(
      answer.headers.get("access-control-allow-headers"),
      "authorization,content-type,prefer,range,x-requested-with",
    );
    t.match(answer.headers.get("access-control-max-age"), /^\d+$/);
    t.equal(answer.headers.get("access-control-allow-credentials"), null, "cookies stay at home");
    t.equal(
      (await preflight(url, "null")).headers.get("access-control-allow-origin"),
      "*",
      "a sandboxed page",
    );
  }
  for (const path of [
    "/api/sessions",
    "/api/plugins",
    "/metrics",
    "/healthz",
    "/openapi.json",
    "/files",
    "/x",
  ]) {
    const asked = await preflight(`${host.url}${path}`);
    t.equal(allowedOrigin(asked), null, path);
    t.equal(asked.headers.get("access-control-allow-headers"), null, path);
    t.equal(allowedOrigin(await ask(`${host.url}${path}`)), null, path);
  }
});

t.test("a page of a public network reaches no server of an internal one unless it is listed", async (t) => {
  const wanted = { "Access-Control-Request-Private-Network": "true" };
  const answer = await preflight(plugin("echo/echo"), page, wanted);
  t.equal(allowedOrigin(answer), "*");
  t.equal(answer.headers.get("access-control-allow-private-network"), null);
});

t.test("answers and errors of every status can be read, whoever asked for them first", async (t) => {
  const unknown = "73bd68f4-da62-11d8-b9d6-00e081513ada";
  const never = await Promise.all([1, 2, 3].map(() => ask(plugin("troublemaker/never"))));
  const statuses = never.map(({ status }) => status).sort();
  t.strictSame(statuses, [503, 504, 504], "one runs, one waits, one is too many");
  const answers: [number, Response][] = [
    [200, await ask(plugin(`echo/session?sessionId=${sessionId}`))],
    [200, await ask(plugin("echo/item/7"), { method: "HEAD" })],
    [200, await ask(plugin("echo/item/7"), { origin: "" })],
    [204, await ask(plugin("echo/echo"), { method: "OPTIONS" })],
    [400, await ask(plugin("echo/session?sessionId=x"))],
    [404, await ask(plugin("echo/nothing"))],
    [404, await ask(`${host.url}/9.9/EAIWS/plugins/echo/echo`)],
    [405, await ask(plugin("echo/echo"), { method: "DELETE" })],
    [413, await ask(plugin("echo/echo"), { body: { name: "x".repeat(6000) } })],
    [
      415,
      await ask(plugin("echo/echo"), { method: "POST", headers: { "Content-Type": "text/csv" }, body: "" }),
    ],
    [422, await ask(plugin(`echo/session?sessionId=${unknown}`))],
    [500, await ask(plugin("troublemaker/throw"))],
    ...never.map((each): [number, Response] => [each.status, each]),
    [200, await ask(fileUrl)],
    [200, await ask(fileUrl, { method: "HEAD" })],
    [206, await ask(fileUrl, { headers: { Range: "bytes=2-4" } })],
    [304, await ask(fileUrl, { headers: { "If-None-Match": "*" } })],
    [405, await ask(fileUrl, { method: "OPTIONS" })],
    [416, await ask(fileUrl, { headers: { Range: "bytes=99-" } })],
    [404, await ask(`${fileUrl}x`)],
    [404, await ask(`${host.url}/files/x`)],
  ];
  for (const [status, answer] of answers) {
    const place = `${status} ${answer.url}`;
    t.equal(answer.status, status, place);
    t.equal(allowedOrigin(answer), "*", place);
    t.equal(answer.headers.get("access-control-allow-credentials"), null);
    t.equal(answer.headers.get("cross-origin-resource-policy"), "cross-origin", place);
    const names = exposes(answer).toLowerCase().split(/, */);
    for (const name of answer.headers.keys()) {
      if (
        /^(slipway-|x-request-id|retry-after|content-(disposition|range)|etag|accept-ranges|allow$)/.test(
          name,
        )
      )
        t.ok(names.includes(name), `${place} exposes ${name}`);
    }
    if (status >= 400) t.match(await answer.json(), { code: status, scopes: [] }, place);
  }
  for (const name of ["Deprecation", "Sunset", "Link", "Retry-After"])
    t.match(exposes(await ask(fileUrl)), new RegExp(`\\b${name}\\b`), name);
});

t.test("what changes something without a session is not for pages of other origins", async (t) => {
  const body = { name: "Ann" };
  const foreign = await ask(plugin("echo/echo"), { body });
  t.equal(foreign.status, 403);
  t.match(await foreign.json(), { id: "request-forbidden", message: /cors\.origins/ });
  t.equal(allowedOrigin(foreign), "*", "the page can read why");
  const fromOtherSite = { headers: { "Sec-Fetch-Site": "cross-site" }, origin: "" };
  t.equal((await ask(plugin("echo/echo"), { body, ...fromOtherSite })).status, 403);
  t.equal((await ask(plugin("echo/echo"), { body, origin: "null" })).status, 403);
  t.equal((await ask(plugin("echo/echo"), { body, origin: host.url })).status, 200, "the host's own page");
  const behindProxy = { headers: { "Sec-Fetch-Site": "same-origin" } };
  t.equal((await ask(plugin("echo/echo"), { body, ...behindProxy })).status, 200, "a page beside the host");
  t.equal((await ask(plugin("echo/echo"), { body, origin: "" })).status, 200, "no page at all");
});

t.test("pages of other origins open no sessions, whatever type they send", async (t) => {
  const sessions = `${host.url}/api/sessions`;
  const content = JSON.stringify(project());
  const open = async (headers: Record<string, string>): Promise<number> =>
    (await fetch(sessions, { method: "POST", headers, body: content })).status;
  const count = async (): Promise<number> => {
    const listed: { sessions: unknown[] } = JSON.parse(await (await fetch(sessions)).text());
    return listed.sessions.length;
  };
  const before = await count();
  const types = [
    "text/plain",
    "application/json",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
  ];
  for (const type of types) {
    // What browsers send for a page; the first of them also without asking (`mode: "no-cors"`).
    for (const from of [{ Origin: page }, { Origin: "null" }, { "Sec-Fetch-Site": "cross-site" }])
      t.equal(await open({ "Content-Type": type, ...from }), 403, `${type} ${JSON.stringify(from)}`);
  }
  const byPage = { origin: page, headers: { "Sec-Fetch-Site": "cross-site" } };
  for (const method of ["PUT", "DELETE"])
    t.equal((await ask(`${sessions}/${sessionId}`, { method, ...byPage })).status, 403, method);
  t.equal((await ask(`${sessions}/${sessionId}/keepalive`, { method: "POST", ...byPage })).status, 403);
  t.equal(await count(), before);
  t.equal(await open({ Origin: host.url }), 201, "the host's own page");
  t.equal(await open({}), 201, "no page at all");
});

t.test("origins that are listed, plugins that need a key, and the setting close it again", async (t) => {
  const echo = plugin("echo/item/7");
  const now = async (more: object, isThere: () => Promise<boolean>): Promise<void> => {
    await writeFile(file, JSON.stringify({ ...settings, ...more }));
    await until(isThere);
  };
  const origins =
    (origin: string, url = echo) =>
    async () =>
      allowedOrigin(await ask(url, { origin }));

  await now({ cors: { plugins: "listed" } }, async () => (await origins(page)()) === null);
  t.match((await ask(echo)).headers.get("vary"), /Origin/);
  t.equal(await origins(page, fileUrl)(), null);
  t.equal((await preflight(plugin("echo/echo"))).headers.get("access-control-allow-headers"), null);
  t.equal((await ask(echo)).status, 200, "browsers keep the answer from the page");

  await now({ cors: { origins: [listed] } }, async () => (await origins(listed)()) === listed);
  t.equal(await origins(page)(), null, "a list is a list");
  t.equal(await origins(page, fileUrl)(), null);
  t.equal((await ask(plugin("echo/echo"), { origin: listed, body: { name: "Ann" } })).status, 200);
  const wanted = { "Access-Control-Request-Private-Network": "true" };
  const headers = { "Sec-Fetch-Site": "cross-site" };
  const open = (origin: string): Promise<Response> =>
    ask(`${host.url}/api/sessions`, { origin, headers, body: project() });
  t.equal((await open(listed)).status, 201);
  t.equal((await open(page)).status, 403);
  const named = await preflight(plugin("echo/echo"), listed, wanted);
  t.equal(named.headers.get("access-control-allow-private-network"), "true");
  const api = await preflight(`${host.url}/api/sessions`, listed, wanted);
  t.equal(allowedOrigin(api), listed);
  t.equal(api.headers.get("access-control-allow-private-network"), null);

  await now({ cors: { origins: [listed], plugins: "any" } }, async () => (await origins(page)()) === "*");
  t.equal(await origins(listed)(), "*");
  t.equal(await origins(page, `${host.url}/api/plugins`)(), null);
  t.equal((await ask(plugin("echo/echo"), { body: { name: "Ann" } })).status, 200, "the admin opened it");

  await now({ cors: { origins: ["*"] } }, async () => (await open(page)).status === 201);

  await now({ access: { plugins: "key" } }, async () => (await origins(page)()) === null);
  t.equal(await origins(page, fileUrl)(), null);
  const both = { access: { plugins: "key" }, cors: { origins: [listed] } };
  await now(both, async () => (await origins(listed)()) === listed);
  t.equal(await origins(page)(), null);

  await now({}, async () => (await origins(page)()) === "*");
});
