/**
 * Metrics and readiness as a monitoring system meets them: through HTTP, with a real host. What is made of an instance's
 * report is tested by itself: the SDK sends no report as wrong as these. So are scrapes at the same time, whose turns HTTP does
 * not decide.
 */
import { readFileSync } from "node:fs";
import { cp, mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { MetricReport } from "@slipway/sdk/runtime";
import { Registry } from "prom-client";
import t from "tap";
import { CollectedMetrics } from "../../../host/observability/metrics/collected-metrics.js";
import { PluginDefinedMetrics } from "../../../host/observability/metrics/plugin-defined-metrics.js";
import { quotedWords, readPage, section } from "../../documentation/pages.js";
import { dropPlugin, Exposition, scrape } from "../../host/metrics-support.js";
import { browserOf } from "../../host/pdf-support.js";
import { fixtures, until } from "../../host/plugins-support.js";
import { repository, type StartedHost, startHost } from "../../start-host.js";

let host: StartedHost;
t.teardown(() => host.stop());
const folder = t.testdir({ plugins: {}, templates: {} });
const plugins = join(folder, "plugins");

t.before(async () => {
  await dropPlugin(plugins, "measured", "1.0.0");
  host = await startHost({
    plugins: [plugins, join(repository, "plugins")],
    templates: [join(repository, "templates"), join(folder, "templates")],
    configuration: {
      releases: {
        "1.0": { measured: "*", oex: "*", Reporter: "*" },
        "2.0": { measured: "*", "failing-setup": "^1.0.0" },
      },
      plugins: {
        settlingTime: 50,
        warmUp: false, // its documents would count
        rescanInterval: 100,
        probation: 100,
        limits: { measured: { concurrency: 1, queue: 1 } },
      },
      metrics: { retention: 1000 },
    },
  });
});

const get = (path: string, signal?: AbortSignal): Promise<Response> =>
  fetch(`${host.url}/1.0/EAIWS/plugins/measured/${path}`, signal ? { signal } : {});
const post = (path: string, body: unknown): Promise<Response> =>
  fetch(`${host.url}/1.0/EAIWS/plugins/measured/${path}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
const now = (): Promise<Exposition> => scrape(host.url);
/** A scrape that fits: what is counted when an answer ends may come a moment after it. */
async function when(fits: (exposition: Exposition) => boolean): Promise<Exposition> {
  let last = await now();
  await until(async () => {
    if (fits(last)) return true;
    // Each scrape and its reading cost more than most of what is waited for.
    await pause(100);
    last = await now();
    return fits(last);
  });
  return last;
}
const own = { plugin: "measured", version: "1.0.0" };

t.test("requests are counted by operation and status, with their time", async (t) => {
  const before = await now();
  t.equal(before.sum("slipway_requests_total", own), 0);
  for (const path of ["ok", "ok", "item/1", "item/2", "item/3"]) t.equal((await get(path)).status, 200);
  const missing = await fetch(`${host.url}/EAIWS/plugins/measured/ok`);
  t.equal(missing.status, 200, "the default release is the highest");
  t.equal((await get("fail?id=thing-wrong")).status, 422);
  const after = await when((each) => each.sum("slipway_requests_total", own) === 7);
  const requests = (labels: Record<string, string>): number =>
    after.sum("slipway_requests_total", { ...own, ...labels });
  t.equal(requests({ release: "1.0", operation: "ok", status: "2xx" }), 2);
  t.equal(requests({ release: "2.0", operation: "ok", status: "2xx" }), 1);
  t.equal(requests({ operation: "item/:id", status: "2xx" }), 3, "as declared, not as asked for");
  t.equal(requests({ operation: "fail", status: "4xx" }), 1);
  t.equal(after.sum("slipway_request_duration_seconds_count", { ...own, operation: "ok" }), 3);
  t.equal(after.sum("slipway_request_wait_seconds_count", { plugin: "measured" }), 7);
  t.equal(after.sum("slipway_request_errors_total", { ...own, id: "thing-wrong" }), 1);
});

t.test("requests to the host itself are counted by its operations", async (t) => {
  const before = await now();
  await fetch(`${host.url}/api/plugins`);
  await fetch(`${host.url}/healthz`);
  await fetch(`${host.url}/api/plugins/nobody`);
  await fetch(`${host.url}/files/${"a".repeat(24)}/a.pdf`);
  const grew = (each: Exposition, labels: Record<string, string>): number =>
    each.sum("slipway_host_requests_total", labels) - before.sum("slipway_host_requests_total", labels);
  const after = await when((each) => grew(each, { operation: "getFile", status: "4xx" }) === 1);
  t.equal(grew(after, { operation: "listPlugins", status: "2xx" }), 1);
  t.equal(grew(after, { operation: "getHealth", status: "2xx" }), 1);
  t.ok(after.sum("slipway_host_request_errors_total", { id: "request-not-found" }) > 0);
  t.ok(after.sum("slipway_host_requests_total", { operation: "getMetrics" }) > 0);
});

t.test("a request that is late, one too many, and one that is given up", async (t) => {
  t.equal((await get("late")).status, 504);
  const controllers = [new AbortController(), new AbortController()];
  const held: Promise<unknown>[] = [];
  for (const [index, { signal }] of controllers.entries()) {
    held.push(get("hold", signal).catch(() => undefined));
    const name = index === 0 ? "slipway_requests_working" : "slipway_requests_waiting";
    const busy = await when((each) => each.sum(name, { plugin: "measured" }) === 1);
    t.equal(busy.sum(`${name}_limit`, { plugin: "measured" }), 1);
  }
  t.equal((await get("ok")).status, 503);
  for (const each of controllers) each.abort();
  await Promise.all(held);
  const after = await when((each) => each.sum("slipway_requests_total", { ...own, status: "gone" }) === 2);
  t.equal(after.sum("slipway_requests_refused_total", { plugin: "measured" }), 1);
  t.equal(after.sum("slipway_request_timeouts_total", own), 1);
  t.equal(after.sum("slipway_requests_total", { ...own, operation: "late", status: "5xx" }), 1);
  await when((each) => each.sum("slipway_requests_working", { plugin: "measured" }) === 0);
});

t.test("calls between plugins, documents and sessions are counted", async (t) => {
  t.equal((await get("call")).status, 200);
  t.equal((await post("print", {})).status, 200);
  const project = readFileSync(join(repository, "config", "demo", "demo-project.obk"));
  const opened = await fetch(`${host.url}/api/sessions`, {
    method: "POST",
    headers: { "Content-Type": "application/zip" },
    body: project,
  });
  const { sessionId }: { sessionId: string } = JSON.parse(await opened.text());
  const report = await fetch(`${host.url}/1.0/EAIWS/plugins/Reporter/template/order/v1/generate`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ sessionId }),
  });
  t.equal(report.status, 200);
  const after = await when((each) => each.sum("slipway_plugin_report_pages_count") === 1);
  const call = { caller: "measured", ...own, service: "own", method: "greet", outcome: "done" };
  t.equal(after.sum("slipway_service_calls_total", call), 1);
  t.equal(after.sum("slipway_pdf_documents_total", { outcome: "done" }), 2);
  t.ok(after.sum("slipway_pdf_pages_total") > 1);
  t.equal(after.sum("slipway_pdf_print_duration_seconds_count"), 2);
  t.equal(after.sum("slipway_pdf_finisher_runs_total", { outcome: "done" }), 1);
  t.equal(after.sum("slipway_template_renders_total", { template: "order", outcome: "done" }), 1);
  t.equal(after.sum("slipway_sessions_open"), 1);
  t.equal(after.sum("slipway_sessions_opened_total"), 1);
  t.ok(after.sum("slipway_sessions_bytes") > 1000);
  t.equal(after.sum("slipway_files"), 2);
  t.ok(after.sum("slipway_files_bytes") > 1000);
  t.equal(after.sum("slipway_instances", { plugin: "Reporter" }), 1);
  t.ok(after.sum("slipway_instance_memory_bytes", { plugin: "Reporter" }) > 10_000_000);
});

t.test("a plugin's own metrics come with its name and version, and stay within their bounds", async (t) => {
  await post("measure", { kinds: ["a", 'b"\\\n'], level: -1.5, sizes: [5, 50, 500] });
  await post("measure", { kinds: ["a"], level: 2, sizes: [] });
  await get("suppress");
  const after = await when((each) => each.sum("slipway_plugin_suppressed_errors_total", own) === 1);
  t.equal(after.sum("slipway_plugin_done_total", { ...own, kind: "a" }), 4);
  t.equal(after.sum("slipway_plugin_done_total", { ...own, kind: 'b"\\\n' }), 2);
  t.equal(after.sum("slipway_plugin_level", own), 2);
  t.equal(after.sum("slipway_plugin_size_bytes_bucket", { ...own, le: "100" }), 2);
  t.equal(after.sum("slipway_plugin_size_bytes_count", own), 3);
  t.equal(after.families.get("slipway_plugin_level")?.help, "A level with a \\\\ and a\\nsecond line");

  const made = async (kind: string, name: string, labels: string[] = []): Promise<unknown> =>
    Reflect.get(Object(await (await post("metric", { kind, name, labels })).json()), "error");
  t.match(await made("counter", "Wrong"), /name/);
  t.match(await made("counter", "wrong"), /_total/);
  t.match(await made("gauge", "wrong_bucket"), /another ending/);
  t.match(await made("gauge", "wrong", ["version"]), /labels/);
  t.match(await made("counter", "done_total"), /there already/);
  t.equal(await made("gauge", "not_a_number"), null, "a value that is none ends no request");
  t.equal(await made("counter", "labels_total", ["kind"]), null);

  const kinds = Array.from({ length: 3000 }, (_, index) => `kind ${index}`);
  t.equal((await post("measure", { kinds, level: 3, sizes: [] })).status, 200);
  const flooded = await when((each) => each.sum("slipway_plugin_level", own) === 3);
  const samples = [...flooded.families].flatMap(([name, family]) =>
    name.startsWith("slipway_plugin_")
      ? family.samples.filter(({ labels }) => labels["plugin"] === "measured")
      : [],
  );
  t.equal(samples.length, 1000);
  t.equal(flooded.samples("slipway_plugin_not_a_number").length, 0);
  await host.logged(({ msg }) => /may have 1000 samples/.test(String(msg)));
});

t.test("nobody outside makes series", async (t) => {
  const lines = async (): Promise<number> => (await now()).text.split("\n").length;
  for (const path of ["nope", "item/x"]) await get(path);
  await Promise.all([fetch(`${host.url}/first`), fetch(`${host.url}/9.9/EAIWS/plugins/measured/ok`)]);
  const before = await lines();
  for (let index = 0; index < 60; index++) {
    await get(`item/${index}`);
    await get(`nope-${index}`);
    await fetch(`${host.url}/path-${index}`, { method: index % 2 === 0 ? "GET" : "DELETE" });
    await fetch(`${host.url}/9.${index}/EAIWS/plugins/measured/ok`);
    await fetch(`${host.url}/EAIWS/plugins/nobody-${index}/ok`);
  }
  t.ok((await lines()) - before < 30, "at most the buckets of one operation more");
  for (let index = 0; index < 60; index++)
    await get(`fail?id=${encodeURIComponent(`id-${index}"}\n# TYPE`)}`);
  const after = await when((each) => each.sum("slipway_request_errors_total", { ...own, id: "other" }) > 0);
  t.equal(after.samples("slipway_request_errors_total", own).length, 51, "50 ids and all others");
});

t.test("a death, a swap and what is gone afterwards", async (t) => {
  const restarts = (await now()).sum("slipway_instance_restarts_total", { plugin: "measured" });
  t.equal((await get("exit")).status, 500);
  await when((each) => each.sum("slipway_instance_restarts_total", { plugin: "measured" }) === restarts + 1);
  await until(async () => (await get("ok")).status === 200);

  const swaps = (await now()).sum("slipway_swaps_total", { plugin: "measured" });
  await dropPlugin(plugins, "measured-next", "1.1.0");
  const live = { release: "1.0", plugin: "measured", version: "1.1.0" };
  const after = await when((each) => each.sum("slipway_live_plugins", live) === 1);
  t.equal(after.sum("slipway_live_plugins", { ...live, version: "1.0.0" }), 0);
  await when((each) => each.sum("slipway_swaps_total", { plugin: "measured" }) === swaps + 2);
  await get("ok");
  await when((each) => each.sum("slipway_requests_total", live) === 1);

  const back = await fetch(`${host.url}/api/plugins/measured/rollback`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: "{}",
  });
  t.equal(back.status, 200);
  await when((each) => each.sum("slipway_rollbacks_total", { plugin: "measured" }) === 2);
  await when((each) => each.sum("slipway_live_plugins", { ...own, release: "1.0" }) === 1);
  await rm(join(plugins, "measured-next"), { recursive: true });
  const gone = await when((each) => each.samples("slipway_requests_total", live).length === 0);
  const named = gone.text.split("\n").filter((line) => line.includes('plugin="measured",version="1.1.0"'));
  t.strictSame(named, [], "nothing is left of a version that is gone for a while");
});

t.test("a version that does not start is counted", async (t) => {
  const place = join(plugins, "failing");
  await cp(join(fixtures, "broken", "failing-setup"), join(plugins, ".failing"), { recursive: true });
  await rename(join(plugins, ".failing"), place);
  const failed = await when((each) => each.sum("slipway_versions", { stage: "failed" }) === 1);
  t.equal(failed.sum("slipway_failed_starts_total", { plugin: "failing-setup" }), 1);
  await rm(place, { recursive: true });
  await when((each) => each.sum("slipway_versions", { stage: "failed" }) === 0);
});

t.test("scrapes at the same time each get the numbers once, and none for what has none", async (t) => {
  const registry = new Registry();
  const failed: unknown[] = [];
  const log = {
    debug() {},
    info() {},
    warn: (_: string, fields?: unknown) => void failed.push(fields),
    error() {},
  };
  const collected = new CollectedMetrics(registry, log);
  collected.counter("grown_total", "Grown.", async () => 3);
  collected.counter("known_total", "Known.", () => [{ labels: { kind: "a" }, value: 2 }], ["kind"]);
  collected.gauge("missing", "Missing.", () => undefined);
  collected.gauge("broken", "Broken.", () => Promise.reject(new Error("No answer")));
  for (const text of await Promise.all([registry.metrics(), registry.metrics()])) {
    const exposition = new Exposition(text);
    t.equal(exposition.sum("grown_total"), 3);
    t.equal(exposition.sum("known_total", { kind: "a" }), 2);
    for (const name of ["missing", "broken"]) t.equal(exposition.samples(name).length, 0, name);
  }
  t.match(failed, [{ metric: "broken" }], "told once");
});

t.test("what an instance says of its metrics is not believed", (t) => {
  const told: unknown[] = [];
  const log = {
    debug: () => {},
    info: () => {},
    warn: (_: string, fields?: unknown) => told.push(fields),
    error: () => {},
  };
  const metrics = new PluginDefinedMetrics(log);
  const facts = { help: 'Help "with"\nlines \\', labels: ["kind"] };
  const value = (kind: string, value: number) => ({ labels: [kind], value });
  const histogram = {
    kind: "histogram" as const,
    ...facts,
    series: [{ labels: ["a"], counts: [1, 2, 3], sum: 4 }],
  };
  const take = (plugin: string, ...reports: MetricReport[]): void =>
    metrics.take({ name: plugin, version: "1.0.0" }, { metrics: reports });
  take("one", {
    kind: "counter",
    name: "grown_total",
    ...facts,
    series: [value("a", 3), value("a", -2), value("\ud800", 1), value("\ud801", 1)],
  });
  take("one", { kind: "gauge", name: "taken_count", ...facts, series: [value("a", 1)] });
  take("one", { ...histogram, name: "twice", buckets: [1, 1] });
  take(
    "one",
    { ...histogram, name: "sizes", buckets: [1, 2] },
    { ...histogram, name: "sizes_short", buckets: [1] },
  );
  take("two", { kind: "gauge", name: "sizes", ...facts, series: [value("a", 1)] });
  take("two", { kind: "gauge", name: "endless", ...facts, series: [value("a", Number.POSITIVE_INFINITY)] });
  for (let index = 0; index < 100; index++)
    take("two", { kind: "gauge", name: `metric_${index}`, ...facts, series: [value("a", 1)] });
  const exposition = new Exposition(metrics.text());
  const one = { plugin: "one", version: "1.0.0" };
  t.equal(exposition.sum("slipway_plugin_grown_total", { ...one, kind: "a" }), 3, "a counter only grows");
  t.equal(
    exposition.samples("slipway_plugin_grown_total", one).length,
    2,
    "what UTF-8 cannot hold is one value",
  );
  t.equal(exposition.sum("slipway_plugin_sizes_count", one), 6);
  t.equal(exposition.sum("slipway_plugin_endless", { plugin: "two" }), Number.POSITIVE_INFINITY);
  for (const name of ["taken_count", "twice", "sizes_short"])
    t.equal(exposition.samples(`slipway_plugin_${name}`).length, 0);
  const families = [...exposition.families.values()].filter(({ samples }) =>
    samples.some(({ labels }) => labels["plugin"] === "two"),
  );
  t.equal(families.length, 49, "50, of which one has the name of another plugin's histogram");
  t.equal(told.length, 4, "each once");
  t.end();
});

t.test("a killed browser is counted", async () => {
  const before = (await now()).sum("slipway_browser_restarts_total");
  process.kill(browserOf(host.var), "SIGKILL");
  await when((each) => each.sum("slipway_browser_restarts_total") === before + 1);
  await when((each) => each.sum("slipway_browser_state", { state: "ready" }) === 1);
});

t.test("readiness names what is missing and how to mend it", async (t) => {
  interface Readiness {
    status: string;
    parts: Record<string, { ready: boolean; problems?: string[] }>;
  }
  const ready = async (): Promise<Readiness> => JSON.parse(await (await fetch(`${host.url}/readyz`)).text());
  const { status, parts } = await ready();
  t.equal(status, "ready", "a plugin that one release misses keeps nobody else from serving");
  t.match(parts["plugins"]?.problems, [
    /^The release 2\.0 has no failing-setup in \^1\.0\.0: put .* "slipway plugin list"\.$/,
  ]);
  t.match(parts, { sessions: { ready: true }, files: { ready: true }, process: { ready: true } });
  const after = await now();
  t.equal(after.sum("slipway_wanted_plugin_live", { release: "2.0", plugin: "failing-setup" }), 0);
  t.equal(after.sum("slipway_wanted_plugin_live", { release: "1.0", plugin: "measured" }), 1);
  t.equal(after.sum("slipway_part_problems", { part: "plugins" }), 1);

  await mkdir(join(folder, "half", "broken"), { recursive: true });
  await writeFile(join(folder, "half", "broken", "template.json"), "{");
  await rename(join(folder, "half", "broken"), join(folder, "templates", "broken"));
  await when((each) => each.sum("slipway_templates_broken") === 1);
  t.match((await ready()).parts["templates"]?.problems, [/^broken: /]);
});

t.test("alerts and the page name the metrics that there are", async (t) => {
  const { families } = await now();
  const rules = readFileSync(join(repository, "config", "deployment", "prometheus-alerts.yaml"), "utf8");
  const expressions = [...rules.matchAll(/^ +expr: (?:>-\n((?: {10}.*\n)+)|(.*)\n)/gm)].map(
    ([, folded, line = ""]) => folded ?? line,
  );
  t.equal(expressions.length, [...rules.matchAll(/- alert: /g)].length);
  const used = expressions.flatMap((each) =>
    [...each.matchAll(/\b(?:slipway|process|nodejs)_\w+/g)].map(String),
  );
  t.ok(used.length >= expressions.length);
  for (const name of used) t.ok(families.has(name.replace(/_bucket$/, "")), name);

  const page = section(readPage("host/observability/metrics/README.md"), "## Of the host");
  const rows = [...page.matchAll(/^\| `(slipway_(?!plugin_)\w+)` \| (\w+) \|([^|]*)\|/gm)];
  const documented = new Map(
    rows.map(([, name = "", kind = "", labels = ""]) => [name, { kind, labels: quotedWords(labels) }]),
  );
  const own = [...families.keys()].filter((name) => /^slipway_(?!plugin_)/.test(name));
  t.strictSame([...documented.keys()].sort(), own.sort());
  for (const [name, { kind, labels }] of documented) {
    const family = families.get(name);
    t.equal(kind, family?.kind, name);
    const shown = (family?.samples ?? []).map((sample) => {
      const { le: _, ...others } = sample.labels;
      return Object.keys(others).sort().join();
    });
    t.ok(
      shown.every((each) => each === labels.sort().join()),
      name,
    );
  }
  for (const usual of [
    "process_resident_memory_bytes",
    "process_cpu_seconds_total",
    "process_open_fds",
    "nodejs_eventloop_lag_p99_seconds",
  ])
    t.ok(families.has(usual), usual);
});
