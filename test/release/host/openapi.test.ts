/** The description of a host: valid, of what serves right now, and true for every operation, called by a generated client. */
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Validator } from "@seriousme/openapi-schema-validator";
import { checked, ProjectDocument, Validator as SchemaValidator, type TSchema, Type } from "@slipway/sdk";
import t from "tap";
import { HostDescription, type OperationOfDescription } from "../../host/host-description.js";
import { type ClientAnswer, type GeneratedClient, generatedClient } from "../../host/openapi-support.js";
import { dropArchive, remove, writeFiles } from "../../host/plugin-load/plugin-dropping.js";
import { samplePlugin } from "../../host/plugin-load/plugin-maker.js";
import { until } from "../../host/plugins-support.js";
import { demoFile } from "../../host/sessions-support.js";
import { runCommand } from "../../run-command.js";
import { repository, type StartedHost, startHost } from "../../start-host.js";

let host: StartedHost;
let folder: string;
let description: HostDescription;
let key: string;

const inFile = (name: string): string => join(folder, name);
const releases = { "1.0": { Reporter: "*", oex: "*", Sample: "^1.0.0" }, legacy: { Sample: "~1.0.0" } };
const configure = (more: Record<string, unknown> = {}): Promise<void> =>
  writeFile(
    inFile("slipway.json"),
    JSON.stringify({
      releases: { ...releases, ...more },
      deprecatedReleases: { legacy: { since: "2026-01-31T00:00:00Z" } },
      plugins: { defaultRelease: "1.0" },
    }),
  );

t.before(async () => {
  folder = t.testdir({ plugins: {}, var: {} });
  await configure();
  await writeFiles(await samplePlugin({ version: "1.0.0" }), inFile("plugins/sample-1.0"));
  const roles = ["--role", "operate", "--role", "sessions"];
  const made = await runCommand(["key", "new", "tester", ...roles, "--var", inFile("var")]);
  if (made.code !== 0) throw new Error(made.errors);
  key = made.output.trim();
  host = await startHost({
    var: inFile("var"),
    // Plugins that come over the API go into the first one.
    plugins: [inFile("plugins"), join(repository, "plugins")],
    flags: ["--config", inFile("slipway.json")],
  });
  description = await HostDescription.of(host.url);
});
t.teardown(async () => {
  await host?.stop();
});

const invalid = async (described: HostDescription): Promise<unknown> => {
  const result = await new Validator().validate(JSON.parse(JSON.stringify(described.json)));
  return result.valid ? undefined : result.errors;
};

t.test("it is a valid description of host, releases and plugins, and of parts of them", async (t) => {
  t.match(description.json, { openapi: "3.1.0", info: { version: /^\d/ }, servers: [{ url: "." }] });
  t.equal(await invalid(description), undefined);
  const ids = description.operations.map(({ id }) => id);
  t.equal(new Set(ids).size, ids.length);
  for (const path of [
    "/healthz",
    "/readyz",
    "/metrics",
    "/openapi.json",
    "/files/{id}/{filename}",
    "/api/plugins",
  ])
    t.ok(description.paths.includes(path), path);
  for (const prefix of ["", "/1.0"])
    t.ok(description.paths.includes(`${prefix}/EAIWS/plugins/Reporter/template/{templateKey}/v1/generate`));
  t.ok(description.paths.includes("/legacy/EAIWS/plugins/Sample/version"), description.paths.join(" "));
  t.notOk(description.paths.some((path) => path.startsWith("/legacy/EAIWS/plugins/oex")));
  const deprecated = description.operations.filter(({ isDeprecated }) => isDeprecated);
  t.ok(deprecated.length > 0 && deprecated.every(({ path }) => path.startsWith("/legacy/")));

  const part = await HostDescription.of(host.url, "?release=legacy");
  t.equal(await invalid(part), undefined);
  t.ok(part.paths.includes("/api/plugins"));
  t.notOk(part.paths.some((path) => path.includes("oex") || path.startsWith("/EAIWS")));
  const plugin = await HostDescription.of(host.url, "?release=1.0&plugin=reporter");
  t.equal(await invalid(plugin), undefined);
  t.ok(plugin.paths.every((path) => path.startsWith("/1.0/EAIWS/plugins/Reporter/")));
  for (const name of plugin.schemas) t.ok(description.schemas.includes(name), `${name} has one name`);
  for (const query of ["?release=9.9", "?plugin=nothing", "?release=legacy&plugin=oex"])
    t.match(
      await (await fetch(`${host.url}/openapi.json${query}`)).json(),
      { id: "request-not-found" },
      query,
    );
  t.equal((await fetch(`${host.url}/openapi.json?releases=1.0`)).status, 400);
});

t.test("clients that have it are told so", async (t) => {
  const first = await fetch(`${host.url}/openapi.json`);
  const etag = first.headers.get("etag") ?? "";
  t.equal(first.headers.get("cache-control"), "no-cache");
  await first.body?.cancel();
  const again = await fetch(`${host.url}/openapi.json`, {
    headers: { "If-None-Match": etag, "Cache-Control": "max-age=0" },
  });
  t.equal(again.status, 304);
  t.equal((await fetch(`${host.url}/openapi.json`, { method: "HEAD" })).headers.get("etag"), etag);
  t.equal((await fetch(`${host.url}/openapi.json`, { method: "POST" })).status, 405);
});

/** What the operations are called with, in this order; each without the ending that a release gives to its id. */
const calls: Record<string, (client: GeneratedClient, name: string) => Promise<ClientAnswer>> = (() => {
  const memory = { sessionId: "", asset: "", file: "", version: "", job: "" };
  const call =
    (options: () => object | Promise<object> = () => ({})) =>
    async (client: GeneratedClient, name: string): Promise<ClientAnswer> => {
      const run = client[name];
      if (run === undefined) throw new Error(`The client has no ${name}`);
      return run({ baseUrl: host.url, auth: key, ...(await options()) });
    };
  const ofSession = (more: object = {}) => call(() => ({ path: { sessionId: memory.sessionId }, ...more }));
  const inBody = (more: object = {}) => call(() => ({ body: { sessionId: memory.sessionId, ...more } }));
  const report = (more: object = {}) =>
    call(() => ({ path: { templateKey: "order" }, body: { sessionId: memory.sessionId }, ...more }));
  const project = async () => JSON.parse((await demoFile("json")).toString());
  return {
    getAccess: call(),
    getHealth: call(),
    getReadiness: call(),
    getDescription: call(),
    openSession: async (client, name) => {
      const answer = await call(async () => ({ body: await project(), query: { locale: "en_GB" } }))(
        client,
        name,
      );
      memory.sessionId = parsed(Type.Object({ sessionId: Type.String() }), answer.data).sessionId;
      return answer;
    },
    listSessions: call(),
    getSession: ofSession(),
    keepSession: ofSession(),
    getProject: async (client, name) => {
      const answer = await ofSession()(client, name);
      const { assets = {} } = parsed(ProjectDocument, answer.data);
      memory.asset = Object.values(assets).find(({ sha256 }) => sha256 !== undefined)?.sha256 ?? "";
      return answer;
    },
    getAsset: call(() => ({ path: { sessionId: memory.sessionId, sha256: memory.asset } })),
    replaceProject: call(async () => ({
      path: { sessionId: memory.sessionId },
      body: { project: await project(), locale: "de_DE" },
    })),
    oexGetConfigJson: call(),
    oexPostManufacturersJson: inBody(),
    oexPostExport: inBody({ config: { attachOBX: true } }),
    reporterGetTemplatesJson: call(() => ({ query: { sessionId: memory.sessionId, category: "*" } })),
    reporterGetOptionsJson: call(() => ({ query: { templateKey: "order" } })),
    reporterGetTemplateTemplateKeyOptionsJson: call(() => ({ path: { templateKey: "order" } })),
    reporterPostDataJson: inBody({ templateKey: "order" }),
    reporterPostTemplateTemplateKeyDataJson: report(),
    reporterPostGenerate: inBody({ templateKey: "order" }),
    reporterPostTemplateTemplateKeyGenerate: report(),
    reporterPostTemplateTemplateKeyV1Generate: async (client, name) => {
      const answer = await report()(client, name);
      memory.file = parsed(Type.Object({ url: Type.String() }), answer.data).url;
      return answer;
    },
    listJobs: call(async () => {
      const accepted = await acceptedJob();
      const operation = description.operations.find(({ id }) => id === "oexGetConfigJson");
      if (operation === undefined) throw new Error("There is no oexGetConfigJson");
      const job: unknown = await accepted.json();
      t.strictSame(description.mistakes(operation, accepted.status, "application/json", job), undefined);
      memory.job = parsed(Type.Object({ id: Type.String() }), job).id;
      return {};
    }),
    getJob: call(() => ({ path: { id: memory.job }, query: { wait: 60 } })),
    getJobResult: call(() => ({ path: { id: memory.job } })),
    cancelJob: call(() => ({ path: { id: memory.job } })),
    getWebhookSecret: call(),
    rotateWebhookSecret: call(() => ({ query: { of: "host" } })),
    getFile: call(() => {
      const [, , id = "", filename = ""] = new URL(memory.file).pathname.split("/");
      return { path: { id, filename: decodeURIComponent(filename) } };
    }),
    closeSession: ofSession(),
    listPlugins: call(),
    listServices: call(),
    getPlugin: call(() => ({ path: { plugin: "Sample" } })),
    getPluginConfiguration: call(() => ({ path: { plugin: "Sample" } })),
    configurePlugin: call(() => ({
      path: { plugin: "Sample" },
      body: { revision: 0, configuration: { note: "by the client" } },
    })),
    grantPlugin: call(() => ({ path: { plugin: "Sample" }, body: { network: ["erp.example.com:8443"] } })),
    lookForPlugins: call(() => ({ body: {} })),
    addPlugin: call(async () => {
      const file = inFile("sample-1.2.tgz");
      await dropArchive(await samplePlugin({ version: "1.2.0" }), file);
      return { body: new Blob([await readFile(file)]) };
    }),
    rollBackPlugin: call(() => ({ path: { plugin: "Sample" }, body: { release: "1.0", version: "1.0.0" } })),
    disablePlugin: call(() => ({ path: { plugin: "Sample" }, body: {} })),
    enablePlugin: call(() => ({ path: { plugin: "Sample" }, body: {} })),
    listTemplates: call(),
    followTemplates: call(() => ({ query: { after: 0 } })),
    listEvents: call(() => ({ query: { plugin: "Sample", limit: 5 } })),
    listAudit: call(),
    listRequests: call(),
    getStatus: call(),
    getMetrics: call(),
  };
})();

t.test("a generated client calls every operation, and each answers as declared", async (t) => {
  const client = await generatedClient(description.json, inFile("client"));
  const described = description.operations.filter(({ tags }) => !tags.includes("Sample"));
  const known = new Set(Object.keys(calls));
  t.strictSame(
    described.map(callOf).filter((name) => !known.has(name)),
    [],
    "each has a call",
  );
  for (const [name, call] of Object.entries(calls)) {
    const operations = described.filter((operation) => callOf(operation) === name);
    t.ok(operations.length > 0, `${name} is described`);
    for (const operation of operations)
      await checkAnswer(operation, await call(client, clientName(operation)));
  }

  async function checkAnswer(operation: OperationOfDescription, answer: ClientAnswer): Promise<void> {
    const { data, error, response, stream } = answer;
    if (stream !== undefined) {
      const first = await firstOf(stream);
      t.strictSame(description.mistakes(operation, 200, "text/event-stream", first), undefined, operation.id);
      return;
    }
    const status = response?.status ?? 0;
    t.ok(operation.successes.includes(status), `${operation.id}: ${status} ${JSON.stringify(error)}`);
    const [mediaType = ""] = (response?.headers.get("Content-Type") ?? "").split(";");
    if (operation.mediaTypes.length === 0) return;
    t.ok(operation.mediaTypes.includes(mediaType), `${operation.id}: ${mediaType}`);
    if (mediaType === "application/json")
      t.strictSame(description.mistakes(operation, status, mediaType, data), undefined, operation.id);
  }
});

t.test("what asks for a key says so, and nothing else does", async (t) => {
  const ofHost = description.operations.filter(({ path }) => !path.includes("/EAIWS/"));
  for (const operation of ofHost) {
    const path = operation.path.replaceAll(/\{\w+\}/g, "00000000-0000-4000-8000-000000000000");
    const answer = await fetch(`${host.url}${path}`, { method: operation.method });
    t.equal(answer.status === 401, operation.asksForKey, operation.id);
    if (operation.id === "getReadiness")
      t.strictSame(description.mistakes(operation, 200, "application/json", await answer.json()), undefined);
  }
});

t.test("streams tell what they declare", async (t) => {
  const streams = description.operations.filter(({ mediaTypes }) => mediaTypes.includes("text/event-stream"));
  t.ok(streams.length > 2);
  const job = parsed(Type.Object({ id: Type.String() }), await (await acceptedJob()).json());
  for (const operation of streams) {
    const controller = new AbortController();
    const isOfJob = operation.id === "getJob";
    const path = isOfJob ? operation.path.replace("{id}", job.id) : `${operation.path}?after=0`;
    const answer = await fetch(`${host.url}${path}`, {
      headers: { Accept: "text/event-stream", ...authorized() },
      signal: controller.signal,
    });
    t.match(answer.headers.get("content-type"), /^text\/event-stream/, operation.id);
    const data = await firstData(answer);
    t.strictSame(description.mistakes(operation, 200, "text/event-stream", data), undefined, operation.id);
    controller.abort();
  }
});

t.test("errors are those that are declared", async (t) => {
  const nobody = "00000000-0000-4000-8000-000000000000";
  const asked: [status: number, id: string, path: string, init?: RequestInit][] = [
    [404, "getSession", `/api/sessions/${nobody}`],
    [400, "getSession", "/api/sessions/nonsense"],
    [415, "openSession", "/api/sessions", { method: "POST", body: "hello", headers: authorized() }],
    [404, "getPlugin", "/api/plugins/nothing"],
    [
      415,
      "disablePlugin",
      "/api/plugins/Sample/disable",
      { method: "POST", body: "{}", headers: authorized() },
    ],
    [404, "rollBackPlugin", "/api/plugins/Sample/rollback", json({ version: "7.0.0" })],
    [403, "lookForPlugins", "/api/plugins/look", json({}, { Origin: "https://evil.example.com" })],
    [401, "listPlugins", "/api/plugins", { headers: { Authorization: "Bearer nobody" } }],
    [400, "listEvents", "/api/events?limit=0"],
    [404, "getFile", `/files/${"x".repeat(32)}/report.pdf`],
    [422, "oexPostExport", "/EAIWS/plugins/oex/export", json({ sessionId: nobody })],
    [400, "reporterGetOptionsJson", "/EAIWS/plugins/Reporter/options.json"],
  ];
  for (const [status, id, path, init] of asked) {
    const operation = description.operations.find((each) => each.id === id);
    if (operation === undefined) throw new Error(`There is no ${id}`);
    const answer = await fetch(`${host.url}${path}`, { headers: authorized(), ...init });
    const error = parsed(Type.Object({ id: Type.String(), code: Type.Integer() }), await answer.json());
    t.strictSame([answer.status, error.code], [status, status], `${id}: ${error.id}`);
    t.match(description.errorText(operation, status), `\`${error.id}\``, `${id}: ${status}`);
  }
});

t.test("it changes when plugins and releases do", async (t) => {
  const changed = async (isRight: (described: HostDescription) => boolean): Promise<void> => {
    let current = await HostDescription.of(host.url);
    await until(async () => {
      current = await HostDescription.of(host.url);
      return isRight(current);
    });
    t.equal(await invalid(current), undefined);
  };
  const tagOf = ({ json }: HostDescription, name: string): string | undefined =>
    parsed(
      Type.Object({ tags: Type.Array(Type.Object({ name: Type.String(), description: Type.String() })) }),
      json,
    ).tags.find((tag) => tag.name === name)?.description;

  await writeFiles(await samplePlugin({ version: "1.3.0" }), inFile("plugins/sample-1.3"));
  await changed((described) => tagOf(described, "Sample")?.includes("1.3.0") ?? false);
  await configure({ next: { Sample: "^1.3.0" } });
  await changed(({ paths }) => paths.includes("/next/EAIWS/plugins/Sample/version"));
  for (const name of await readdir(inFile("plugins"))) await remove(inFile(`plugins/${name}`));
  await changed(({ paths }) => !paths.some((path) => path.includes("Sample")));
});

async function firstOf(stream: AsyncIterable<unknown>): Promise<unknown> {
  for await (const value of stream) return value;
  throw new Error("The stream ended before it said anything");
}

/** Data of the first event of a stream. */
async function firstData({ body }: Response): Promise<unknown> {
  let text = "";
  for await (const piece of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += piece;
    const data = /^data: (.*)\n/m.exec(text)?.[1];
    if (data !== undefined) return JSON.parse(data);
  }
  throw new Error("The stream ended before it said anything");
}

function callOf({ id }: OperationOfDescription): string {
  return id.replace(/In_.*$/, "");
}

/** As the generator writes it. */
function clientName({ id }: OperationOfDescription): string {
  return id.replaceAll("_", "");
}

function parsed<S extends TSchema>(schema: S, value: unknown) {
  return checked(new SchemaValidator().compile(schema, "answer")(value), "The answer is not as expected");
}

/** Works without a key. */
function acceptedJob(): Promise<Response> {
  return fetch(`${host.url}/EAIWS/plugins/oex/config.json`, { headers: { Prefer: "respond-async" } });
}

function authorized(): Record<string, string> {
  return { Authorization: `Bearer ${key}` };
}

function json(body: unknown, headers: Record<string, string> = {}): RequestInit {
  return {
    method: "POST",
    headers: { "Content-Type": "application/json", ...authorized(), ...headers },
    body: JSON.stringify(body),
  };
}
