/**
 * Where settings come from, which one wins, and how mistakes are told. Tested by itself: to start a host with each of these
 * configurations would take minutes.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Validator } from "@slipway/sdk";
import t from "tap";
import type { Configuration } from "../../host/configuration/configuration.js";
import { ConfigurationError } from "../../host/configuration/configuration-error.js";
import { changedSettings } from "../../host/configuration/live-settings.js";
import {
  type ConfigurationInput,
  resolveConfiguration,
} from "../../host/configuration/resolve-configuration.js";
import { runCommand } from "../run-command.js";
import { repository, startHost } from "../start-host.js";
import { until } from "./plugins-support.js";

const resolve = (input: Partial<ConfigurationInput>): Configuration =>
  resolveConfiguration({ environment: {}, flags: {}, workingFolder: "/work", ...input });

/** The mistakes of a configuration; fails when there are none. */
function mistakes(input: Partial<ConfigurationInput>): string[] {
  try {
    resolve(input);
  } catch (error) {
    if (error instanceof ConfigurationError) return error.message.split("\n").slice(1);
    throw error;
  }
  throw new Error("The configuration has no mistakes");
}

t.test("defaults, file, environment and flags, later ones winning", async (t) => {
  const file = join(
    t.testdir({
      "slipway.json": JSON.stringify({
        port: 1,
        var: "data",
        folders: { plugins: ["mine"] },
        sessions: { lifetime: 5, locale: "de_DE" },
        releases: { "1.0": { reporter: "^1.0.0" } },
      }),
    }),
    "slipway.json",
  );
  const folder = join(file, "..");
  const plain = resolve({});
  t.equal(plain.host, "127.0.0.1");
  t.ok(plain.pdf.queueBytes > 0, "the services' own defaults are filled in");

  const fromFile = resolve({ file });
  t.equal(fromFile.port, 1);
  t.equal(fromFile.var, join(folder, "data"), "folders of a file are relative to it");
  t.strictSame(fromFile.folders.plugins, [join(folder, "mine")]);
  t.strictSame(fromFile.folders.templates, plain.folders.templates);
  t.strictSame(fromFile.sessions, { ...plain.sessions, lifetime: 5, locale: "de_DE" });

  const environment = {
    SLIPWAY_CONFIG: file,
    SLIPWAY_PORT: "2",
    SLIPWAY_PUBLIC_URL: "https://reports.example.com/slipway",
    SLIPWAY_PLUGINS: "one,two",
    SLIPWAY_SESSIONS__MAXIMUM_BYTES: "1000",
    SLIPWAY_RELEASES: '{"2.0": {"reporter": "2"}}',
    SLIPWAY_TEMPLATES__WATCH: "false",
    SLIPWAY_CORS__ORIGINS: "https://a.example.com, https://b.example.com",
    HOME: "/root",
  };
  const fromEnvironment = resolve({ environment });
  t.equal(fromEnvironment.port, 2);
  t.equal(fromEnvironment.publicUrl, "https://reports.example.com/slipway");
  t.strictSame(fromEnvironment.folders.plugins, ["/work/one", "/work/two"]);
  t.equal(fromEnvironment.sessions.maximumBytes, 1000);
  t.equal(fromEnvironment.sessions.lifetime, 5);
  t.equal(fromEnvironment.templates.watch, false);
  t.strictSame(fromEnvironment.cors.origins, ["https://a.example.com", "https://b.example.com"]);
  t.strictSame(Object.keys(fromEnvironment.releases), ["1.0", "2.0"]);

  const flags = { port: "3", var: "there", plugins: ["three"], logLevel: "debug" };
  const fromFlags = resolve({ environment, flags });
  t.equal(fromFlags.port, 3);
  t.equal(fromFlags.var, "/work/there");
  t.strictSame(fromFlags.folders.plugins, ["/work/three"]);
  t.equal(fromFlags.log.level, "debug");
});

t.test("every mistake is told with its source, key, value and what was expected", async (t) => {
  const settings = { port: "many", sesions: {}, limits: { json: -1 }, pdf: { sandbox: "maybe" } };
  const file = join(t.testdir({ "slipway.json": JSON.stringify(settings) }), "slipway.json");
  const found = mistakes({
    file,
    environment: { SLIPWAY_PORT: "80a", SLIPWAY_SESSIONS__LIVETIME: "5", SLIPWAY_FILES__LIFETIME: "0" },
    flags: { host: "", logLevel: "loud" },
  });
  for (const expected of [
    /port` must be an integer, but is "many" \(file .*slipway\.json\)/,
    /sesions` is not a known field; did you mean "sessions"\? \(file/,
    /limits\.json` must be at least 1, but is -1 \(file/,
    /pdf\.sandbox` must be one of "auto", "on", "off", but is "maybe" \(file/,
    /port` must be an integer, but is "80a" \(environment variable SLIPWAY_PORT\)/,
    /SESSIONS__LIVETIME` is not a known field; did you mean SLIPWAY_SESSIONS__LIFETIME\? \(environment/,
    /files\.lifetime` must be at least 1, but is 0 \(environment variable SLIPWAY_FILES__LIFETIME\)/,
    /host` must .*, but is "" \(flag --host\)/,
    /log\.level` must be one of "debug".*, but is "loud" \(flag --log-level\)/,
  ]) {
    t.ok(
      found.some((line) => expected.test(line)),
      String(expected),
    );
  }
  t.equal(found.length, 9);
});

t.test("contradictions between settings are mistakes", async (t) => {
  t.match(mistakes({ flags: { host: "0.0.0.0" } }), [
    /host` .*allowedAddresses.*"0\.0\.0\.0" \(flag --host\)/,
  ]);
  const allowed = { SLIPWAY_ALLOWED_ADDRESSES: "0.0.0.0" };
  t.equal(resolve({ flags: { host: "0.0.0.0" }, environment: allowed }).host, "0.0.0.0");
  for (const host of ["127.0.0.2", "::1", "localhost"]) t.equal(resolve({ flags: { host } }).host, host);

  const environment = {
    SLIPWAY_RELEASES: '{"1.0": {"reporter": "newest"}, "a/b": {}}',
    SLIPWAY_PLUGINS__DEFAULT_RELEASE: "3.0",
    SLIPWAY_SESSIONS__LOCALE: "klingon",
  };
  t.match(mistakes({ environment }), [
    /releases\.1\.0\.reporter` must be a range.*"newest"/,
    /releases\.a\/b/,
    /plugins\.defaultRelease` must be one of the releases 1\.0, a\/b, but is "3\.0"/,
    /sessions\.locale.*"klingon"/,
  ]);
});

t.test(
  "contradictions of deprecated releases, of single plugins' limits and of trust are mistakes",
  async (t) => {
    const file = join(t.testdir(), "slipway.json");
    const told = (settings: object): string[] => {
      writeFileSync(file, JSON.stringify(settings));
      return mistakes({ file });
    };
    const since = "2026-06-01T00:00:00Z";
    const deprecated = (deprecation: object) =>
      told({
        releases: { "1.0": {}, "1.1": {} },
        deprecatedReleases: { "1.0": { since, ...deprecation } },
      });
    t.match(deprecated({ successor: "2.0" }), [
      /deprecatedReleases\.1\.0\.successor` must be one of the releases 1\.0, 1\.1, but is "2\.0"/,
    ]);
    t.match(deprecated({ successor: "1.0" }), [/successor` must be another release/]);
    t.match(deprecated({ sunset: "2026-05-31T23:59:59Z" }), [/sunset` must be a time not before "since"/]);
    t.match(deprecated({ sunset: "2026-12-31T23:59:60Z" }), [/sunset` must be a time such as/]);
    for (const link of ["page", "javascript:alert()", "https://me:secret@example.com"])
      t.match(deprecated({ link }), [/link` must be an http or https address without/], link);
    t.match(told({ releases: { "1.0": {} }, deprecatedReleases: { "0.9": { since } } }), [
      /deprecatedReleases\.0\.9` must be one of the releases 1\.0/,
    ]);
    const aliased = (releaseAliases: object) => told({ releases: { "1.0": {}, "1.1": {} }, releaseAliases });
    t.match(aliased({ "1.0": ["1.1", "*", "4.18", "a/b"], "1.1": ["4.18", "*", "5", "5"], "2.0": [] }), [
      /releaseAliases\.1\.0\[0\]` must be another name than the releases 1\.0, 1\.1, but is "1\.1"/,
      /releaseAliases\.1\.0\[3\]` must be a name that fits into a path, or "\*" for every version, but is "a\/b"/,
      /releaseAliases\.1\.1\[0\]` must be a name that is not yet an alias of the release 1\.0, but is "4\.18"/,
      /releaseAliases\.1\.1\[1\]` must be a name that is not yet an alias of the release 1\.0, but is "\*"/,
      /releaseAliases\.1\.1\[3\]` must be a name that is not yet an alias of the release 1\.1, but is "5"/,
      /releaseAliases\.2\.0` must be one of the releases 1\.0, 1\.1, but is "2\.0"/,
    ]);
    t.match(told({ releaseAliases: { "0.1": ["*"] } }), [
      /releaseAliases\.0\.1` must be one of the releases \d/,
    ]);
    t.match(told({ deprecatedReleases: { "1.0": { since: "soon" } }, sessions: { locale: "klingon" } }), [
      /deprecatedReleases\.1\.0\.since` must be a date-time, but is "soon"/,
      /sessions\.locale/,
    ]);

    t.match(told({ plugins: { memory: { soft: 600, hard: 500 } } }), [
      /plugins\.memory\.soft` must be at most the hard limit, 500, but is 600/,
    ]);
    t.match(told({ plugins: { limits: { a: { soft: 2000 }, b: { hard: 100 }, c: { heap: 2000 } } } }), [
      /plugins\.limits\.a\.soft` must be at most the hard limit, 1536, but is 2000/,
      /plugins\.limits\.b\.hard` must be at least the soft limit, 1024, but is 100/,
    ]);

    t.match(told({ plugins: { trust: { required: true } } }), [/plugins\.trust\.keys` must be a key/]);
    const found = told({ plugins: { trust: { keys: { we: "-----BEGIN PRIVATE KEY-----" } } } });
    t.match(found, [/plugins\.trust\.keys\.we` must be a public Ed25519 key/]);
    t.notMatch(found.join(), /BEGIN/, "a key is not shown: it may be the wrong half");
  },
);

t.test("changed settings are named by their keys", async (t) => {
  const before = resolve({});
  t.strictSame(changedSettings(before, resolve({})), []);
  const environment = {
    SLIPWAY_PORT: "1",
    SLIPWAY_RELEASES: '{"1.0": {"a": "1"}}',
    SLIPWAY_PUBLIC_URL: "https://example.com",
    SLIPWAY_PLUGINS__CONFIG: '{"a": {"secret": 1}}',
    SLIPWAY_PLUGINS__MEMORY__HEAP: "100",
    SLIPWAY_CORS__ORIGINS: "https://a.example.com",
  };
  const expected = ["port", "publicUrl", "releases", "plugins.memory.heap", "plugins.config", "cors.origins"];
  t.strictSame(changedSettings(before, resolve({ environment })), expected);
  t.strictSame(changedSettings(resolve({ environment }), before), expected);
});

t.test("no mistake hides another one", async (t) => {
  const settings = {
    port: "many",
    sessions: { lifetime: -1, locale: "klingon" },
    releases: { "1.0": { r: "new" } },
  };
  const file = join(t.testdir({ "slipway.json": JSON.stringify(settings) }), "slipway.json");
  t.match(mistakes({ file, flags: { host: "0.0.0.0" } }), [
    /port` must be an integer/,
    /sessions\.lifetime/,
    /host` .*allowedAddresses/,
    /releases\.1\.0\.r` must be a range/,
    /sessions\.locale.*"klingon"/,
  ]);
  const wrongList = { SLIPWAY_ALLOWED_ADDRESSES: "[5]", SLIPWAY_RELEASES: "[]" };
  const environment = { ...wrongList, SLIPWAY_PLUGINS__DEFAULT_RELEASE: "3.0" };
  t.equal(mistakes({ flags: { host: "0.0.0.0" }, environment }).length, 2, "nor does one look like another");
});

t.test("a file that cannot be used", async (t) => {
  const folder = t.testdir({ "broken.json": "{", "list.json": "[]" });
  t.match(mistakes({ file: join(folder, "missing.json") }), [
    /a file that can be read, but is missing .*missing\.json/,
  ]);
  t.match(mistakes({ file: join(folder, "broken.json") }), [/must be JSON \(.+\), but is "\{"/]);
  t.match(mistakes({ file: join(folder, "list.json") }), [/must be a JSON object, but is \[\]/]);
});

t.test("live settings are in force at once, others are named until the host is restarted", async (t) => {
  const folder = t.testdir();
  const file = join(folder, "slipway.json");
  const write = (settings: object): void => writeFileSync(file, JSON.stringify(settings));
  const started = { pdf: { executable: "/bin/true" } };
  write(started);
  const empty = ["--plugins", folder, "--templates", folder];
  const host = await startHost({ flags: ["--config", file, ...empty] });
  t.teardown(() => host.stop());
  const ready = async (): Promise<string> => await (await fetch(`${host.url}/readyz`)).text();
  const opened = async (): Promise<number> =>
    (await fetch(`${host.url}/api/sessions`, { method: "POST", body: "x".repeat(2000) })).status;
  const origin = "https://app.example.com";
  const allowed = async (): Promise<string | null> =>
    (await fetch(`${host.url}/healthz`, { headers: { Origin: origin } })).headers.get(
      "Access-Control-Allow-Origin",
    );
  t.not(await opened(), 413);
  t.equal(await allowed(), null);

  write({
    ...started,
    limits: { project: 1000 },
    cors: { origins: [origin] },
    log: { level: "debug" },
    preview: true,
  });
  await until(async () => /need a restart.*preview/.test(await ready()));
  t.match(await ready(), /"configuration":\{"ready":true,.*stay as they were: preview\./);
  await until(async () => (await allowed()) === origin);
  t.equal(await opened(), 413);
  await until(() => host.log.some(({ level }) => level === 20));
  const events = await (await fetch(`${host.url}/api/events`)).text();
  t.match(events, /"kind":"configuration","to":"waiting","reason":"[^"]*: preview\."/);
  t.match(
    events,
    /"kind":"configuration","to":"in force","reason":"[^"]*limits\.project, cors\.origins, log\.level\."/,
  );

  write({ ...started, port: "many" });
  await until(async () => /The configuration was refused: `port` must be an integer/.test(await ready()));
  t.equal(await allowed(), origin, "what was in force stays");
  write(started);
  await until(async () => /Every setting is in force/.test(await ready()));
  t.equal(await allowed(), null);
});

t.test("config shows each setting with its source, and nothing secret", async (t) => {
  const settings = {
    sessions: { lifetime: 5 },
    plugins: { config: { oex: { timeZone: "UTC", password: "hush" } } },
  };
  const file = join(t.testdir({ "slipway.json": JSON.stringify(settings) }), "slipway.json");
  const shown = await runCommand(["config", "--config", file, "--port", "4", "--changed"]);
  t.equal(shown.code, 0, shown.errors);
  t.match(shown.output, /^port +4 +flag --port$/m);
  t.match(shown.output, /^sessions\.lifetime +5 +file .*slipway\.json$/m);
  t.match(shown.output, /^plugins\.config +.*"timeZone":"UTC","password":"\(hidden\)"/m);
  t.notMatch(shown.output, /hush/);
  t.equal(shown.output.trim().split("\n").length, 4);

  const all = await runCommand(["config", "--config", file, "--json"]);
  const answer: { settings: { key: string; value: unknown; source: string; live: boolean }[] } = JSON.parse(
    all.output,
  );
  t.match(
    answer.settings.find(({ key }) => key === "limits.json"),
    { value: 1_048_576, source: "default", live: true },
  );
  t.match(
    answer.settings.find(({ key }) => key === "preview"),
    { value: false, live: false },
  );

  const schema = await runCommand(["config", "schema"]);
  const written = join(repository, "config", "slipway.schema.json");
  t.equal(schema.output, readFileSync(written, "utf8"));
  const check = new Validator().compile(JSON.parse(schema.output), "file");
  t.match(check(settings), { ok: true });
  t.match(check({ sesions: {} }), { ok: false });

  const wrong = mistakes({ environment: { SLIPWAY_SESIONS__LIFETIME: "5" }, flags: {} });
  t.match(wrong, [/did you mean SLIPWAY_SESSIONS__LIFETIME\?/]);
  writeFileSync(file, JSON.stringify({ $schema: "slipway.schema.json", limits: { jsn: 5 } }));
  t.match(mistakes({ file }), [/limits\.jsn` is not a known field; did you mean "limits\.json"\?/]);
});

t.test("a variable may name a file with the value, which is shown nowhere", async (t) => {
  const folder = t.testdir({
    token: "squirrel 0123\r\n",
    digits: "0123",
    level: "loud\n",
    port: "4\n",
    "slipway.json": JSON.stringify({ plugins: { config: { orders: { timeZone: "UTC", key: "badger" } } } }),
    broken: Buffer.from([0x61, 0xff]),
    large: "x".repeat(64 * 1024 + 1),
  });
  const file = join(folder, "slipway.json");
  const environment = {
    SLIPWAY_PLUGINS__CONFIG__orders__token_FILE: join(folder, "token"),
    SLIPWAY_PLUGINS__CONFIG__orders__erp__pin_FILE: "digits",
    SLIPWAY_PORT_FILE: "port",
  };
  const { plugins, port } = resolve({ file, environment, workingFolder: folder });
  t.strictSame(plugins.config["orders"], {
    timeZone: "UTC",
    key: "badger",
    token: "squirrel 0123",
    erp: { pin: "0123" },
  });
  t.equal(port, 4);

  const shown = await runCommand(["config", "--config", file, "--changed"], { environment, folder });
  t.equal(shown.code, 0, shown.errors);
  t.match(
    shown.output,
    /"timeZone":"UTC","key":"badger","token":"\(hidden\)","erp":\{"pin":"\(hidden\)"\}/,
    "what comes from other sources is shown",
  );
  t.match(shown.output, /^port +"?\(hidden\)"? +environment variable SLIPWAY_PORT_FILE$/m);
  t.notMatch(shown.output, /squirrel|0123/);

  const invalid = mistakes({ environment: { SLIPWAY_LOG__LEVEL_FILE: join(folder, "level") } });
  t.match(invalid, [
    /log\.level` must be one of .*but is \(hidden\) \(environment variable SLIPWAY_LOG__LEVEL_FILE\)/,
  ]);
  t.notMatch(invalid.join(), /loud/);
  for (const name of ["missing", "broken", "large", "."]) {
    const unreadable = mistakes({
      environment: { SLIPWAY_PLUGINS__CONFIG__orders__token_FILE: join(folder, name) },
    });
    t.match(
      unreadable,
      [/plugins\.config\.orders\.token` must be a readable text file of at most 64 KB, but is/],
      name,
    );
  }
  t.match(mistakes({ environment: { SLIPWAY_NOTHING_FILE: "x" } }), [/NOTHING_FILE` is not a known field/]);
});
