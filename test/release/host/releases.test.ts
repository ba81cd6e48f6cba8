/** Releases side by side, deprecated ones, limits of single plugins, and a configuration that changes while requests run. */
import { cp, mkdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { checked, Type, Validator } from "@slipway/sdk";
import t from "tap";
import { fixtures, until } from "../../host/plugins-support.js";
import { startHost } from "../../start-host.js";

const folder = t.testdir();
const file = join(folder, "settings", "slipway.json");
const drops = join(folder, "plugins");
const templates = join(folder, "templates");
const settings = {
  publicUrl: "https://reports.example.com/slipway/",
  releases: {
    "1.0": { Echo: "~1.0.0" },
    "1.1": { Echo: "^1.1.0", troublemaker: "*", weigher: "*", plain: "*", Ecko: "*" },
  },
  deprecatedReleases: {
    "1.0": {
      since: "2026-01-31T12:00:00.5+01:00",
      sunset: "2027-06-30T22:00:00Z",
      link: "https://example.com/old releases#1.0",
      successor: "1.1",
    },
  },
  plugins: {
    defaultRelease: "1.0",
    limits: { troublemaker: { concurrency: 1, queue: 1 }, scales: { heap: 96 } },
  },
};
const deprecated = {
  Deprecation: "@1769857200",
  Sunset: "Wed, 30 Jun 2027 22:00:00 GMT",
  Link: '<https://example.com/old%20releases#1.0>; rel="deprecation", <https://reports.example.com/slipway/1.1/>; rel="successor-version"',
};
const current = { Deprecation: null, Sunset: null, Link: null };

/** What an answer says of its release. */
function said({ headers }: Response): Record<string, string | null> {
  return Object.fromEntries(Object.keys(current).map((name) => [name, headers.get(name)]));
}

/** As editors do: beside the file, then in its place. */
async function configure(content: object | string): Promise<void> {
  const beside = `${file}~`;
  await writeFile(beside, typeof content === "string" ? content : JSON.stringify(content));
  await rename(beside, file);
}

/** A plugin that tells how much heap it may take. */
async function dropWeigher(name: string, aliases: string[]): Promise<void> {
  const place = join(drops, name);
  await mkdir(place, { recursive: true });
  const slipway = { plugin: name, entry: "index.js", aliases };
  const manifest = { name, version: "1.0.0", type: "module", engines: { slipway: "^1.0.0" }, slipway };
  await writeFile(join(place, "package.json"), JSON.stringify(manifest));
  await writeFile(
    join(place, "index.js"),
    `import { getHeapStatistics } from "node:v8";
    import { definePlugin, route } from "@slipway/sdk";
    const handler = () => ({ megabytes: getHeapStatistics().heap_size_limit / 1024 / 1024 });
    export default definePlugin({ setup: () => ({ routes: [route.get("heap", { summary: "Weighs", handler })] }) });`,
  );
}

/** One more version of Echo. */
async function dropEcho(version: string): Promise<void> {
  const place = join(drops, version);
  await cp(join(fixtures, "good", "echo-1.1"), place, { recursive: true });
  const manifest = join(place, "package.json");
  await writeFile(manifest, (await readFile(manifest, "utf8")).replace('"1.1.0"', JSON.stringify(version)));
}

await mkdir(join(folder, "first"));
await symlink("first", join(folder, "settings"));
await configure(settings);
await mkdir(templates);
await dropEcho("1.2.0-beta.1");
await dropWeigher("weigher", ["scales"]);
await dropWeigher("plain", []);
const host = await startHost({
  plugins: [join(fixtures, "good"), drops],
  templates: [templates],
  flags: ["--config", file],
});
t.teardown(() => host.stop());

function ask(path: string, init: RequestInit = {}): Promise<Response> {
  return fetch(`${host.url}/${path}`, init);
}

function greet(release: string, body: object = { name: "Ann" }): Promise<Response> {
  const headers = { "Content-Type": "application/json" };
  const init = { method: "POST", headers, body: JSON.stringify(body) };
  return ask(`${release}EAIWS/plugins/Echo/echo`, init);
}

const readWeight = new Validator().compile(Type.Object({ megabytes: Type.Number() }), "answer");
const readParts = new Validator().compile(
  Type.Object({
    parts: Type.Record(Type.String(), Type.Object({ problems: Type.Optional(Type.Array(Type.String())) })),
  }),
  "answer",
);
const readStatus = new Validator().compile(
  Type.Object({ releases: Type.Unknown(), releaseAliases: Type.Unknown() }),
  "answer",
);
const readError = new Validator().compile(Type.Object({ additionalInformation: Type.Unknown() }), "answer");

async function answerOf(answer: Response) {
  return checked(readError(await answer.json()), "answer");
}

const readEvents = new Validator().compile(
  Type.Object({
    events: Type.Array(Type.Object({ kind: Type.String(), reason: Type.Optional(Type.String()) })),
  }),
  "answer",
);

const readAudit = new Validator().compile(
  Type.Object({
    entries: Type.Array(
      Type.Object({ action: Type.String(), target: Type.Optional(Type.String()), outcome: Type.String() }),
    ),
  }),
  "answer",
);

/** Who answers a greeting under a path prefix, such as "Echo@1.0.0"; null when nobody does. */
async function whoGreets(release: string): Promise<string | null> {
  return (await greet(release)).headers.get("Slipway-Plugin");
}

async function refusals(): Promise<string[]> {
  const { events } = checked(readEvents(await (await ask("api/events")).json()), "answer");
  return events.flatMap(({ kind, reason = "" }) =>
    kind === "releases" && /refused/.test(reason) ? [reason] : [],
  );
}

t.test("versions serve side by side, each under its release", async (t) => {
  t.equal(await whoGreets("1.0/"), "Echo@1.0.0");
  t.equal(await whoGreets("1.1/"), "Echo@1.1.0");
  t.equal(await whoGreets(""), "Echo@1.0.0", "the configured release is behind paths without one");
  const unknown = await greet("3.0/");
  t.equal(unknown.status, 404);
  t.match(await unknown.json(), {
    id: "request-not-found",
    message: 'There is no release "3.0".',
    additionalInformation: { releases: ["1.0", "1.1"], releaseAliases: undefined },
  });
  t.equal((await greet("4.18.2-001/")).status, 404, "no version is known beforehand");
});

t.test("names of plugins that are not there are told, as they may be mistyped", async (t) => {
  t.match(await host.logged(({ msg }) => /not there/.test(String(msg))), { settings: ["releases.1.1.Ecko"] });
});

t.test("every answer under a deprecated release says so, and no other", async (t) => {
  const preflight = { method: "OPTIONS" };
  const answers: [status: number, answer: Promise<Response>][] = [
    [200, greet("1.0/")],
    [200, greet("")],
    [400, greet("1.0/", { name: 5 })],
    [404, ask("1.0/EAIWS/plugins/Echo/nothing")],
    [404, ask("1.0/EAIWS/plugins/troublemaker/fine")],
    [404, ask("EAIWS/plugins/nobody/fine")],
    [405, ask("1.0/EAIWS/plugins/Echo/echo")],
    [204, ask("1.0/EAIWS/plugins/Echo/echo", preflight)],
  ];
  for (const [status, answer] of answers) {
    const answered = await answer;
    t.equal(answered.status, status);
    t.strictSame(said(answered), deprecated, `${status} ${answered.url}`);
  }
  for (const answer of [greet("1.1/"), greet("3.0/"), ask("1.1/EAIWS/plugins/nobody/fine"), ask("readyz")])
    t.strictSame(said(await answer), current);
});

t.test("one plugin's room for requests is its own", async (t) => {
  const trouble = "1.1/EAIWS/plugins/troublemaker";
  const leaving = new AbortController();
  const working = ask(`${trouble}/slow`, { signal: leaving.signal });
  await host.logged(({ msg }) => msg === "slow began");
  const others = [ask(`${trouble}/fine`), ask(`${trouble}/fine`)];
  const first = await Promise.race(others);
  t.equal(first.status, 503, "one may wait, and no more");
  t.match(await first.json(), { id: "request-overloaded" });
  t.equal((await greet("1.1/")).status, 200, "who has no limits of its own has those of all");
  leaving.abort();
  await t.rejects(working);
  t.strictSame((await Promise.all(others)).map(({ status }) => status).sort(), [200, 503]);
});

t.test("one plugin's memory is its own, also by an alias", async (t) => {
  const limit = async (plugin: string): Promise<number> => {
    const answer = await ask(`1.1/EAIWS/plugins/${plugin}/heap`);
    return checked(readWeight(await answer.json()), "answer").megabytes;
  };
  // What V8 calls its limit has a little room for young objects on top.
  const [limited, usual] = [await limit("weigher"), await limit("plain")];
  t.ok(limited >= 96 && limited < 300, `${limited}`);
  t.ok(usual >= 768, `${usual}`);
});

const coming = "Echo@1.2.0-beta.1";
const changed = {
  ...settings,
  files: { lifetime: 1234 },
  releases: { ...settings.releases, "1.0": { Echo: "^1.0.0" }, "2.0": { Echo: "~1.2.0-beta" } },
  releaseAliases: { "1.0": ["4.18.2-001", "latest"], "1.1": ["*"] },
  deprecatedReleases: { "1.1": { since: "2026-11-01T00:00:00Z" } },
  plugins: { limits: settings.plugins.limits, config: { Echo: { language: "swordfish" } } },
};

t.test("releases change while requests run, and none of those fails", async (t) => {
  let running = true;
  const failures: string[] = [];
  let answered = 0;
  const clients = ["", "1.0/", "1.1/"].map(async (release) => {
    while (running) {
      const answer = await greet(release);
      const text = await answer.text();
      answered += 1;
      if (answer.status !== 200) failures.push(`${release} ${text}`);
    }
  });
  const before = answered;
  await configure(changed);
  await until(async () => (await greet("2.0/")).status === 200);
  await until(async () => (await whoGreets("1.0/")) === "Echo@1.1.0");
  await until(() => answered > before + 50);
  running = false;
  await Promise.all(clients);
  t.strictSame(failures, []);
  t.equal(
    await whoGreets(""),
    coming,
    "the highest release is behind paths without one, since none is named",
  );
  t.strictSame(said(await greet("1.0/")), current);
  t.strictSame(said(await greet("1.1/")), { Deprecation: "@1793491200", Sunset: null, Link: null });
  t.match(await host.logged(({ msg }) => /in force/.test(String(msg))), {
    settings: [
      "releases",
      "releaseAliases",
      "deprecatedReleases",
      "plugins.defaultRelease",
      "files.lifetime",
    ],
  });
  t.match(
    await host.logged(({ msg }) => /need a restart/.test(String(msg))),
    { settings: ["plugins.config"] },
    "what else changed is named",
  );
  t.notMatch(JSON.stringify(host.log), /swordfish/, "values are nobody's business");
});

t.test("releases answer under their aliases, and one under every other version", async (t) => {
  const answering = async (segment: string): Promise<unknown[]> => {
    const answer = await greet(segment);
    return [answer.headers.get("Slipway-Plugin"), answer.headers.get("Deprecation")];
  };
  // Both have the same version of Echo, and one of them is deprecated.
  const ofAlias = ["Echo@1.1.0", null];
  const ofAny = ["Echo@1.1.0", "@1793491200"];
  t.strictSame(await answering("1.0/"), ofAlias);
  t.strictSame(await answering("4.18.2-001/"), ofAlias, "an alias counts more than every version");
  t.strictSame(await answering("latest/"), ofAlias);
  t.strictSame(await answering("2.0/"), [coming, null], "and a release more than both");
  for (const version of ["4.19.0-003", "3", "v4", "4.20.0~rc1"])
    t.strictSame(await answering(`${version}/`), ofAny, version);
  const preflight = await ask("9.9/EAIWS/plugins/Echo/echo", { method: "OPTIONS" });
  t.strictSame(said(preflight)["Deprecation"], "@1793491200");
  for (const name of ["newest", "*", "%2A", "-1", "1%2F2", "1 2", `1${"0".repeat(200)}`, "9.9/9.9"]) {
    const unknown = await greet(`${name}/`);
    t.equal(unknown.status, 404, name);
  }
  const unknown = await greet("newest/");
  t.match((await answerOf(unknown)).additionalInformation, {
    releases: ["1.0", "1.1", "2.0"],
    releaseAliases: { "4.18.2-001": "1.0", latest: "1.0", "*": "1.1" },
  });
  const documentOf = async (query: string) => (await ask(`openapi.json${query}`)).text();
  t.match(JSON.parse(await documentOf("")), {
    info: {
      description:
        /The prefix `latest` means release `1\.0`\. Every other version as prefix means release `1\.1`\./,
      "x-slipway": { releases: ["1.0", "1.1", "2.0"], releaseAliases: { latest: "1.0", "*": "1.1" } },
    },
  });
  t.equal(await documentOf("?release=latest"), await documentOf("?release=1.0"));
  t.equal(await documentOf("?release=4.19.0-003"), await documentOf("?release=1.1"));
  t.equal((await ask("openapi.json?release=newest")).status, 404);
  const { parts } = checked(readParts(await (await ask("readyz")).json()), "answer");
  const missing = (parts["plugins"]?.problems ?? []).filter((text) => /^The release /.test(text));
  t.match(missing, [/^The release 1\.1 has no Ecko/], "releases are missed by their names alone");
  t.match(checked(readStatus(await (await ask("api/status")).json()), "answer"), {
    releases: { "1.0": { Echo: "1.1.0" } },
    releaseAliases: { "4.18.2-001": "1.0", latest: "1.0", "*": "1.1" },
  });
});

t.test("a configuration with mistakes is refused as a whole", async (t) => {
  const refused = async (what: RegExp): Promise<Record<string, unknown>> =>
    await host.logged(({ msg, error }) => /refused as a whole/.test(String(msg)) && what.test(String(error)));

  const { "1.0": _, ...releases } = changed.releases;
  const wrong = { ...changed, releases: { ...releases, "1.1": { Echo: "swordfish" } }, prot: 8 };
  await configure(wrong);
  t.match(await refused(/releases\.1\.1\.Echo` must be a range/), { error: /prot` is not a known field/ });
  await configure('{"releases": {"1.0"');
  await refused(/must be JSON/);
  await rm(file);
  await refused(/a file that can be read/);
  await until(async () => (await refusals()).length === 3);
  t.match(
    await refusals(),
    [
      /prot` is not a known field; did you mean "port"\?; `releases\.1\.1\.Echo` must be a range.*; `releaseAliases\.1\.0` must be one of the releases 1\.1, 2\.0/,
      /JSON/,
      /a file/,
    ],
    "each is an event",
  );
  t.notMatch((await refusals()).join(), /swordfish|testdir|slipway\.json/, "without values and paths");
  t.equal(await whoGreets("1.0/"), "Echo@1.1.0", "what was in force stays");

  await configure({ ...changed, releases, releaseAliases: {} });
  await until(async () => (await greet("1.0/")).status === 404);
  t.equal(await whoGreets("2.0/"), coming);
  t.equal((await greet("4.19.0-003/")).status, 404, "and aliases go as they came");
});

t.test("SIGHUP has it read again", async (t) => {
  const told = (): number => host.log.filter(({ msg }) => /need a restart/.test(String(msg))).length;
  const before = told();
  host.process.kill("SIGHUP");
  await until(() => told() > before);
  t.equal(await whoGreets("2.0/"), coming, "and the host goes on");
});

t.test("a change that causes no event is found", async (t) => {
  await mkdir(join(folder, "second"));
  await writeFile(join(folder, "second", "slipway.json"), JSON.stringify(settings));
  await symlink("second", join(folder, "next"));
  await rename(join(folder, "next"), join(folder, "settings"));
  await until(async () => (await greet("2.0/")).status === 404);
  t.equal(await whoGreets("1.0/"), "Echo@1.0.0");
});

t.test("the audit trail has what came into force and what was refused", async (t) => {
  const { entries } = checked(readAudit(await (await ask("api/audit?limit=1000")).json()), "answer");
  const changes = entries.flatMap(({ action, target, outcome }) =>
    action === "configuration.change" ? [`${target} ${outcome}`] : [],
  );
  t.strictSame([...new Set(changes)].sort(), ["configuration done", "releases done", "releases refused"]);
  t.equal(changes.filter((each) => each === "releases refused").length, 3, "each refusal once");
});
