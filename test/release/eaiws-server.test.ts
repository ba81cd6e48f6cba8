/** What a host asks of the server that keeps sessions: memory, credentials, addresses, and requests that end early. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { manyArticles } from "@slipway/sdk/testing";
import t, { type Test } from "tap";
import { call, envelope, realObk, teller } from "../host/eaiws-support.js";
import { until } from "../host/plugins-support.js";
import { type StartedHost, startHost } from "../start-host.js";

interface Asked {
  operation: string;
  authorization: string | undefined;
  known: string | undefined;
}

/** A server of sessions that writes down what it is asked. */
class OtherServer {
  url = "";
  readonly asked: Asked[] = [];
  /** Where a saved project is; default: here. */
  saved: string | undefined;
  /** Answers of saved projects; default: one with an ETag. */
  download: (response: ServerResponse) => void | Promise<void> = async (response) =>
    void response.setHeader("ETag", '"one"').end(Buffer.from(await (await realObk()).arrayBuffer()));
  /** What a call to save waits for. */
  gate: Promise<void> = Promise.resolve();
  cut = 0;

  async start(t: Test): Promise<this> {
    const server = createServer((request, response) => {
      this.answer(request, response).catch(() => response.destroy());
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    t.teardown(() => {
      server.closeAllConnections();
      server.close();
    });
    const address = server.address();
    this.url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
    return this;
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const [, called = ""] = /<ns2:(\w+)/.exec(body) ?? [];
    const { authorization, "if-none-match": known } = request.headers;
    this.asked.push({ operation: called || `${request.method}`, authorization, known });
    response.once("close", () => {
      if (!response.writableFinished) this.cut += 1;
    });
    if (called === "") return void (await this.download(response));
    if (called === "saveSession") await this.gate;
    const result =
      called === "saveSession" ? (this.saved ?? `${this.url}/session-cache/a/file.obk`) : "de_DE";
    const answer = `<n:${called}Response xmlns:n="http://ws.eai.egr/"><return>${result}</return></n:${called}Response>`;
    response.end(envelope("", "x", "").replace(/<x .*<\/x>/, answer));
  }
}

async function pluginHost(t: Test, servers: OtherServer[], more: Record<string, unknown> = {}) {
  const { eaiws = {}, ...others } = more;
  const host = await startHost({
    plugins: [t.testdir(teller)],
    templates: [],
    configuration: {
      ...others,
      eaiws: { server: `${servers[0]?.url}/EAIWS`, ...Object(eaiws) },
      fetch: { allowedInternalHosts: servers.map(({ url }) => new URL(url).host) },
    },
  });
  t.teardown(host.stop);
  return host;
}

const sessionId = (n = 0): string => `22222222-2222-4222-8222-${String(n).padStart(12, "0")}`;

function count(host: StartedHost, id = sessionId(), signal: AbortSignal | null = null): Promise<Response> {
  return fetch(`${host.url}/EAIWS/plugins/Teller/name`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ sessionId: id }),
    signal,
  });
}

t.test("credentials, ETags and removals go where they belong, and nowhere else", async (t) => {
  const [own, elsewhere] = [await new OtherServer().start(t), await new OtherServer().start(t)];
  const authorization = "Bearer very-secret";
  const host = await pluginHost(t, [own, elsewhere], { eaiws: { authorization } });
  const operations = (server: OtherServer): string[] => server.asked.map(({ operation }) => operation).sort();
  t.equal((await count(host)).status, 200);
  await until(() => own.asked.length === 4);
  t.strictSame(operations(own), ["DELETE", "GET", "getLocale", "saveSession"]);
  t.ok(own.asked.every((each) => each.authorization === authorization));
  t.ok(own.asked.every(({ known }) => known === undefined));

  t.equal((await count(host)).status, 200);
  const [again] = own.asked.slice(4).filter(({ operation }) => operation === "GET");
  t.equal(again?.known, '"one"', "the ETag goes back to the address that gave it");

  own.saved = `${own.url}/session-cache/b/file.obk`;
  await until(() => own.asked.length === 8);
  t.equal((await count(host)).status, 200);
  await until(() => own.asked.length === 12);
  t.ok(
    own.asked.slice(8).every(({ known }) => known === undefined),
    "another address gets none",
  );

  own.saved = `${elsewhere.url}/session-cache/c/file.obk`;
  t.equal((await count(host)).status, 200);
  t.strictSame(elsewhere.asked, [{ operation: "GET", authorization: undefined, known: undefined }]);

  own.saved = undefined;
  own.download = (response) => void response.writeHead(302, { Location: `${elsewhere.url}/moved` }).end();
  t.equal((await count(host)).status, 200);
  own.download = (response) => void response.writeHead(302, { Location: `${own.url}/moved` }).end();
  t.equal((await count(host)).status, 502);
  const redirected = own.asked.filter(({ operation }) => operation === "GET").slice(-3);
  t.ok(
    redirected.every((each) => each.authorization === undefined),
    "not even to another path of its own",
  );
  t.ok(elsewhere.asked.every((each) => each.operation === "GET" && each.authorization === undefined));

  const shown = await (await fetch(`${host.url}/api/config`)).text();
  t.notMatch(shown, /very-secret/);
  t.notMatch(JSON.stringify(host.log), /very-secret/);
});

t.test("the question to the other server ends with the last request that waits for its answer", async (t) => {
  const own = await new OtherServer().start(t);
  let release = (): void => undefined;
  own.gate = new Promise((resolve) => {
    release = resolve;
  });
  const host = await pluginHost(t, [own]);
  const [one, other] = [new AbortController(), new AbortController()];
  const requests = [one, other].map(({ signal }) => count(host, sessionId(), signal).catch(() => undefined));
  await until(() => own.asked.some(({ operation }) => operation === "saveSession"));
  one.abort();
  await requests[0];
  other.abort();
  await until(() => own.cut > 0);
  release();
  await Promise.all(requests);
  t.equal((await count(host)).status, 200, "a later request asks anew");
});

t.test("the memory for copies has a limit", async (t) => {
  const own = await new OtherServer().start(t);
  const limit = 200_000;
  let release = (): void => undefined;
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  const usual = own.download;
  own.download = async (response) => {
    response.write(Buffer.alloc(0.9 * limit));
    await gate;
    response.end();
  };
  const host = await pluginHost(t, [own], { limits: { project: limit } });
  const answers = Array.from({ length: 6 }, (_, n) => count(host, sessionId(n)));
  const first = await Promise.race(answers);
  t.match([first.status, first.headers.get("Retry-After")], [503, /^\d+$/]);
  t.match(await first.json(), { id: "request-overloaded" });
  release();
  const statuses = (await Promise.all(answers)).map(({ status }) => status);
  t.ok(statuses.every((status) => status === 503 || status === 502));
  own.download = usual;
  t.equal((await count(host, sessionId(9))).status, 200, "it is free again");
});

t.test("a change takes memory for the project of its session, which has a limit", async (t) => {
  const place = { plugins: [], templates: [], var: t.testdir() };
  const host = await startHost(place);
  const opened = await fetch(`${host.url}/api/sessions`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(manyArticles(500)),
  });
  const { sessionId: id }: { sessionId: string } = JSON.parse(await opened.text());
  await host.stop();
  const small = await startHost({ ...place, configuration: { limits: { project: 10_000 } } });
  t.teardown(small.stop);
  const change = (session: string) =>
    call(
      small.url,
      "Basket",
      "setCurrency",
      `<sessionId xmlns="">${session}</sessionId><currency xmlns="">GBP</currency>`,
    );
  t.match(await change(id), { status: 503, fault: /Too many projects/ });
  const [empty = ""] = (await call(small.url, "Session", "openSession")).results;
  t.match(await change(empty), { status: 200 });
});

t.test("changes of a session wait for each other, and only so many", async (t) => {
  const host = await startHost({ plugins: [], templates: [] });
  t.teardown(host.stop);
  const opened = await fetch(`${host.url}/api/sessions`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(manyArticles(200)),
  });
  const { sessionId: id }: { sessionId: string } = JSON.parse(await opened.text());
  const changes = Array.from({ length: 300 }, (_, index) =>
    call(
      host.url,
      "Project",
      "setProjectData",
      `<sessionId xmlns="">${id}</sessionId><data xmlns=""><projectNumber>${index}</projectNumber></data>`,
    ),
  );
  const answers = await Promise.all(changes);
  const made = answers.filter(({ status }) => status === 200).length;
  const refused = answers.filter(({ status }) => status === 503);
  t.equal(made + refused.length, 300);
  t.ok(made >= 100, `${made} are made`);
  t.ok(refused.length > 0);
  for (const { fault } of refused) t.match(fault, /Too many changes of sessions are waiting/);
  const after: unknown = await (await fetch(`${host.url}/api/sessions/${id}`)).json();
  t.match(after, { revision: made + 1 });
});
