/** Traces, as a collector of OpenTelemetry gets them: one tree per request, from the client's span to the last step. */
import { randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { checked, Type, Validator } from "@slipway/sdk";
import t from "tap";
import { until } from "../../host/plugins-support.js";
import { demoFile } from "../../host/sessions-support.js";
import { type Json, ReporterClient } from "../../plugins/reporter-client.js";
import { repository, type StartedHost, startHost } from "../../start-host.js";

const Attribute = Type.Object({ key: Type.String(), value: Type.Record(Type.String(), Type.Unknown()) });
const SentSpan = Type.Object({
  traceId: Type.String({ pattern: "^[0-9a-f]{32}$" }),
  spanId: Type.String({ pattern: "^[0-9a-f]{16}$" }),
  parentSpanId: Type.Optional(Type.String()),
  name: Type.String(),
  kind: Type.Integer(),
  startTimeUnixNano: Type.String(),
  endTimeUnixNano: Type.String(),
  attributes: Type.Array(Attribute),
  status: Type.Object({ code: Type.Integer() }),
});
const checkExport = new Validator().compile(
  Type.Object({
    resourceSpans: Type.Array(
      Type.Object({
        resource: Type.Object({ attributes: Type.Array(Attribute) }),
        scopeSpans: Type.Array(Type.Object({ spans: Type.Array(SentSpan) })),
      }),
    ),
  }),
  "export",
);

interface Span {
  trace: string;
  id: string;
  parent: string | undefined;
  name: string;
  kind: number;
  facts: Json;
  status: number;
}

/** A collector that takes OTLP as JSON, or does not. */
class Collector {
  readonly spans: Span[] = [];
  readonly resources: Json[] = [];
  /** Leaves what is sent without an answer. */
  isStuck = false;
  readonly stuck: ServerResponse[] = [];
  readonly server = createServer(async (request, response) => {
    if (this.isStuck) return void this.stuck.push(response);
    this.take(await json(request), request.url);
    response.writeHead(200, { "Content-Type": "application/json" }).end("{}");
  });

  async start(): Promise<string> {
    this.server.listen(0, "127.0.0.1");
    await once(this.server, "listening");
    return `http://127.0.0.1:${portOf(this.server)}`;
  }

  stop(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  /** The trace in which a request with this id is, when it is there. */
  async traceOf(requestId: string): Promise<Trace> {
    let root: Span | undefined;
    await until(() => {
      root = this.spans.find(({ facts }) => facts["slipway.request.id"] === requestId);
      return root !== undefined;
    });
    return new Trace(this.spans.filter(({ trace }) => trace === root?.trace));
  }

  private take(content: unknown, path: string | undefined): void {
    if (path !== "/v1/traces") throw new Error(`Nobody should ask for ${path}`);
    for (const { resource, scopeSpans } of checked(checkExport(content), "export").resourceSpans) {
      this.resources.push(factsOf(resource.attributes));
      for (const sent of scopeSpans.flatMap(({ spans }) => spans)) {
        const { traceId: trace, spanId: id, parentSpanId: parent, name, kind, attributes, status } = sent;
        this.spans.push({ trace, id, parent, name, kind, facts: factsOf(attributes), status: status.code });
      }
    }
  }
}

class Trace {
  constructor(readonly spans: Span[]) {}

  /** Names of what is below a span, each with what is below it, in the order of their texts. */
  below(parent: string | undefined): unknown[] {
    return this.spans
      .filter((span) => span.parent === parent)
      .map((span) => [span.name, ...this.below(span.id)])
      .sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
  }

  named(name: string): Span {
    const found = this.spans.find((span) => span.name === name);
    if (found === undefined)
      throw new Error(`There is no ${name} among ${this.spans.map((each) => each.name)}`);
    return found;
  }
}

function factsOf(attributes: { key: string; value: Json }[]): Json {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}

function portOf(server: ReturnType<typeof createServer>): number {
  const { port } = server.address() as AddressInfo;
  return port;
}

const collector = new Collector();
/** Notes with which headers it is asked. */
const asked: IncomingHttpHeaders[] = [];
const server = createServer((request, response) => {
  asked.push(request.headers);
  response.end("{}");
});
let host: StartedHost;
let sessionId: string;

t.before(async () => {
  const endpoint = await collector.start();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const fixtures = join(repository, "test", "fixtures", "plugins", "observed");
  const folder = t.testdir({
    front: t.fixture("symlink", join(fixtures, "front")),
    back: t.fixture("symlink", join(fixtures, "back")),
    reporter: t.fixture("symlink", join(repository, "plugins", "reporter")),
    oex: t.fixture("symlink", join(repository, "plugins", "oex")),
  });
  host = await startHost({
    plugins: [folder],
    configuration: {
      tracing: { endpoint },
      fetch: { allowedInternalHosts: [`127.0.0.1:${portOf(server)}`] },
      plugins: { grants: { front: { network: [`127.0.0.1:${portOf(server)}`] } } },
      requests: { drain: 1000 },
    },
    environment: {
      OTEL_SERVICE_NAME: "reports-of-the-north",
      OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=test%20bed,broken",
      OTEL_BSP_SCHEDULE_DELAY: "100",
      OTEL_BSP_MAX_QUEUE_SIZE: "600",
    },
  });
  sessionId = await new ReporterClient(host.url).open(new Uint8Array(await demoFile("obk")));
});
t.teardown(async () => {
  await host.stop();
  collector.stop();
  server.close();
});

/** Asks a plugin; gives the id of the request. */
async function ask(path: string, body?: Json, headers: Record<string, string> = {}): Promise<string> {
  const requestId = randomUUID();
  const answer = await fetch(`${host.url}/EAIWS/plugins/${path}`, {
    ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
    headers: { "Content-Type": "application/json", "X-Request-Id": requestId, ...headers },
  });
  await answer.arrayBuffer();
  return requestId;
}

const beginning = [["find the session"], ["wait for a turn"]];
const report = [
  "pdf.render",
  ["finish"],
  ["print"],
  ["render the template"],
  ["store the file"],
  ["wait for a page"],
];

t.test("a report is one trace below the client's span", async (t) => {
  const trace = randomBytes(16).toString("hex");
  const client = randomBytes(8).toString("hex");
  const headers = { traceparent: `00-${trace}-${client}-01`, tracestate: "shop=7" };
  const path = "Reporter/template/quote/v1/generate";
  const id = await ask(path, { sessionId }, headers);
  const found = await collector.traceOf(id);
  const name = "POST /1.0/EAIWS/plugins/Reporter/template/:templateKey/v1/generate";
  t.same(found.below(client), [
    [
      name,
      ["Reporter POST template/:templateKey/v1/generate", report, ["session.project"], ["templates.find"]],
      ...beginning,
    ],
  ]);
  const root = found.named(name);
  t.match(root, { trace, parent: client, kind: 2, status: 0 });
  t.match(root.facts, {
    "http.request.method": "POST",
    "http.response.status_code": 200,
    "url.path": `/EAIWS/plugins/${path}`,
    "slipway.plugin": "Reporter",
    "slipway.plugin.version": "1.0.0",
    "slipway.session": `${sessionId.slice(0, 8)}…`,
  });
  t.equal(found.named("render the template").facts["slipway.template"], "quote");
  t.match(collector.resources[0], {
    "service.name": "reports-of-the-north",
    "deployment.environment.name": "test bed",
  });
  const line = await host.logged(({ requestId, msg }) => requestId === id && msg === "request");
  t.equal(line["traceId"], trace);
});

t.test("an order export with its PDF shows whose work each step is", async (t) => {
  const found = await collector.traceOf(await ask("oex/export", { sessionId, config: { attachPDF: true } }));
  t.match(found.spans.filter(({ parent }) => parent === undefined).length, 1);
  const oex = found.named("oex POST export");
  const call = found.named("service.call");
  t.equal(call.parent, oex.id, "the export asks the reporter");
  t.match(call.facts, { "slipway.plugin": "Reporter", "slipway.service": /\./ });
  const pdf = found.named("pdf.render");
  t.equal(pdf.parent, call.id, "which has the PDF printed");
  t.same([...["pdf.render"], ...found.below(pdf.id)], report);
  t.equal(found.named("files.archive").parent, oex.id);
});

t.test(
  "services, servers that are asked, failures and what the host does itself are in their traces",
  async (t) => {
    const urls = [`http://127.0.0.1:${portOf(server)}/a?secret`, "http://127.0.0.1:1/"];
    const found = await collector.traceOf(await ask("front/talk", { urls }));
    const front = found.named("front POST talk");
    t.same(found.below(front.id), [["fetch", ["GET"]], ["fetch"], ["files.create"], ["service.call"]]);
    const get = found.named("GET");
    t.match(get, { kind: 3, facts: { "server.address": "127.0.0.1", "http.response.status_code": 200 } });
    const [headers] = asked;
    t.equal(headers?.["traceparent"], `00-${get.trace}-${get.id}-01`, "the server can go on with it");
    t.notOk("x-request-id" in (headers ?? {}));
    const refused = found.spans.find(({ name, facts }) => name === "fetch" && "error.type" in facts);
    t.match(refused, { facts: { "error.type": "request-forbidden" }, status: 0 });

    const failed = await collector.traceOf(await ask("front/fail"));
    t.match(failed.named("service.call"), { status: 2, facts: { "error.type": "plugin-error" } });
    t.match(failed.named("GET /1.0/EAIWS/plugins/front/fail"), {
      status: 2,
      facts: { "error.type": "plugin-error" },
    });

    const opened = collector.spans.find(({ name }) => name === "open the project");
    t.match(opened?.facts, { "slipway.project.bytes": (await demoFile("obk")).length });
    const sent = JSON.stringify(collector.spans);
    for (const secret of [sessionId, "secret"]) t.notOk(sent.includes(secret), secret);
  },
);

t.test("who comes with a decision is followed, and what is no trace counts for nothing", async (t) => {
  const trace = randomBytes(16).toString("hex");
  const unsampled = await ask("front/wait?ms=0", undefined, {
    traceparent: `00-${trace}-${"1".repeat(16)}-00`,
  });
  const broken = await ask("front/wait?ms=0", undefined, { traceparent: `00-${"0".repeat(32)}-x-01` });
  const found = await collector.traceOf(broken);
  t.equal(found.spans.find(({ kind }) => kind === 2)?.parent, undefined);
  t.notOk(collector.spans.some((span) => span.trace === trace));
  const line = await host.logged(({ requestId, msg }) => requestId === unsampled && msg === "request");
  t.equal(line["traceId"], trace, "its lines can be found all the same");
});

t.test("a collector that hangs, or is gone, costs no request anything and is told of once", async (t) => {
  collector.isStuck = true;
  for (let round = 0; round < 40; round += 1)
    await Promise.all(Array.from({ length: 10 }, () => ask("front/wait?ms=0")));
  await until(() => collector.stuck.length > 0);
  collector.stop();
  await host.logged(({ msg }) => msg === "Traces cannot be sent");
  const answer = await fetch(`${host.url}/readyz`);
  t.match(await answer.json(), { status: "ready" });
  const code = await host.stop();
  t.equal(code, 0, "and the host stops");
  const told = host.log.filter(({ msg }) => /^Traces/.test(String(msg)));
  t.equal(told.length, 1);
  t.match(told, [{ level: 40 }]);
});

t.test("settings that say what cannot be are refused", async (t) => {
  for (const tracing of [{ endpoint: "collector:4318" }, { sampling: 2 }])
    await t.rejects(startHost({ configuration: { tracing } }), { message: /tracing\.(endpoint|sampling)/ });
});
