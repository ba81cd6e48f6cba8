/** Plugins with sessions that another server keeps: a second host, and servers that do what they should not. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import t, { type Test } from "tap";
import { clientLibrary, type Library } from "../compatibility/session-client.js";
import { freePort } from "../free-port.js";
import { loaded, projectOf, realObk, teller } from "../host/eaiws-support.js";
import { until } from "../host/plugins-support.js";
import { findServer, newDatabase, noServer } from "../host/postgresql-support.js";
import { type StartedHost, startHost } from "../start-host.js";

const noPlugins = { plugins: [], templates: [] };

interface Told {
  status: number;
  body: Record<string, unknown>;
}

async function nameOf(host: StartedHost, sessionId: string): Promise<Told> {
  const response = await fetch(`${host.url}/EAIWS/plugins/Teller/name`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ sessionId }),
  });
  const body: Record<string, unknown> = JSON.parse(await response.text());
  return { status: response.status, body };
}

/** A host whose plugins find the sessions of `server`. */
async function pluginHost(t: Test, server: string, more: Record<string, unknown> = {}): Promise<StartedHost> {
  const { eaiws = {}, fetch = {}, ...others } = more;
  const host = await startHost({
    plugins: [t.testdir(teller)],
    templates: [],
    configuration: {
      ...others,
      eaiws: { server, ...Object(eaiws) },
      fetch: { allowedInternalHosts: [new URL(server).host], ...Object(fetch) },
    },
  });
  t.teardown(host.stop);
  return host;
}

async function listed(host: StartedHost): Promise<Record<string, unknown>[]> {
  const { sessions }: { sessions: Record<string, unknown>[] } = JSON.parse(
    await (await fetch(`${host.url}/api/sessions`)).text(),
  );
  return sessions;
}

/** A server that answers as told, at an address of its own. */
async function serverOf(t: Test, answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, "127.0.0.1");
  await once(server, "listening");
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/EAIWS`;
}

const named = (library: Library, name: string) =>
  library.value("project", "ProjectData", { projectName: name });

/** A host that keeps the sessions of all tests. */
const keeper = await startHost(noPlugins);
t.teardown(keeper.stop);
const library = await clientLibrary();
const server = await findServer(t);

/** Stands in front of the keeper: counts the looks at it, holds them up, or answers nothing but errors. */
class Relay {
  url = "";
  saves = 0;
  isDown = false;
  /** What each save waits for. */
  gate: Promise<void> = Promise.resolve();

  async start(t: Test): Promise<this> {
    this.url = await serverOf(t, (request, response) => {
      this.answer(request, response).catch(() => response.destroy());
    });
    return this;
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    if (this.isDown) {
      response.writeHead(500).end("down");
      return;
    }
    if (body.includes("saveSession")) {
      this.saves += 1;
      await this.gate;
    }
    const { method = "GET", url = "", headers } = request;
    const type = headers["content-type"];
    const answer = await fetch(new URL(url, keeper.url), {
      method,
      ...(body === "" ? {} : { body }),
      headers: type === undefined ? {} : { "Content-Type": type },
    });
    response.writeHead(answer.status).end(Buffer.from(await answer.arrayBuffer()));
  }
}

/** A relay, and the settings that let a host ask it and the keeper. */
async function relay(t: Test): Promise<{ between: Relay; asks: Record<string, unknown> }> {
  const between = await new Relay().start(t);
  const allowedInternalHosts = [between.url, keeper.url].map((url) => new URL(url).host);
  return { between, asks: { fetch: { allowedInternalHosts } } };
}

/** Resolves when a host has as many requests as it is told, besides the one that asks. */
const untilBusy = (host: StartedHost, requests: number): Promise<void> =>
  until(async () => {
    const { requests: now }: { requests: { running: number } } = JSON.parse(
      await (await fetch(`${host.url}/api/status`)).text(),
    );
    return now.running > requests;
  });

for (const engine of ["files", "postgresql"] as const) {
  const skip = engine === "postgresql" && server === undefined && noServer;
  t.test(`a session of another server, kept in ${engine}`, { skip }, async (t) => {
    const url = engine === "postgresql" && server !== undefined ? await newDatabase(t, server) : undefined;
    const { between, asks } = await relay(t);
    const host = await pluginHost(t, between.url, { ...asks, ...(url !== undefined && { engine: { url } }) });
    const session = await loaded(library, keeper.url, await realObk());
    const id = session.sessionId;
    await session.project.setProjectData(named(library, "First"));
    t.match(await nameOf(host, id), { status: 200, body: { name: "First", locale: "de_DE" } });
    t.match(await nameOf(host, id), { body: { name: "First" } });
    t.equal(between.saves, 2, "each request asks");
    const [listing] = await listed(host);
    t.match(listing, { sessionId: id, project: { isCopy: true } });
    t.match(await nameOf(host, id), { body: { name: "First" } });
    t.match(
      await listed(host),
      [{ sessionId: id, revision: listing?.["revision"] }],
      "what has not changed is not copied again",
    );

    await session.project.setProjectData(named(library, "Between"));
    t.equal((await fetch(`${host.url}/api/sessions/${id}`, { method: "DELETE" })).status, 204);
    t.match(
      await nameOf(host, id),
      { body: { name: "Between" } },
      "a copy made again is not the one before it",
    );
    await session.project.setProjectData(named(library, "First"));
    t.match(await nameOf(host, id), { body: { name: "First" } });
    const [copy, kept] = await Promise.all([projectOf(host, id), projectOf(keeper, id)]);
    t.strictSame(copy, kept);

    let release = (): void => undefined;
    between.gate = new Promise((resolve) => {
      release = resolve;
    });
    const first = nameOf(host, id);
    await until(() => between.saves === 6);
    await session.project.setProjectData(named(library, "Second"));
    const others = Array.from({ length: 10 }, () => nameOf(host, id));
    await untilBusy(host, 11);
    release();
    t.ok((await Promise.all(others)).every(({ body }) => body["name"] === "Second"));
    t.equal((await first).status, 200);
    // Those that the host has got, but that wait for its database, may come after the next look has begun.
    t.ok(between.saves < 6 + others.length, "those that come while one looks share the next look");

    const put = await fetch(`${host.url}/api/sessions/${id}`, { method: "PUT", body: await realObk() });
    t.match([put.status, await put.json()], [409, { id: "request-conflict" }]);
    between.isDown = true;
    t.match(await nameOf(host, id), { status: 502, body: { message: /status 500/ } }, "no old copy");
    between.isDown = false;
    t.match(await nameOf(host, id), { status: 200, body: { name: "Second" } });
    await session.close();
    t.match(await nameOf(host, id), { status: 422, body: { id: "request-session-not-found" } });
    t.strictSame(await listed(host), [], "nothing stays of a session that was closed there");
  });
}

t.test("a copy may be as old as the setting allows, and own sessions are never asked for", async (t) => {
  const { between, asks } = await relay(t);
  const limits = { eaiws: { maximumAge: 86_400_000 }, sessions: { maximumSessions: 2 } };
  const host = await pluginHost(t, between.url, { ...asks, ...limits });
  const session = await loaded(library, keeper.url, await realObk());
  await session.project.setProjectData(named(library, "Old"));
  t.match(await nameOf(host, session.sessionId), { body: { name: "Old" } });
  await session.project.setProjectData(named(library, "New"));
  t.match(await nameOf(host, session.sessionId), { body: { name: "Old" } });
  const own = await loaded(library, host.url, await realObk());
  t.match(await nameOf(host, own.sessionId), { status: 200 });
  t.equal(between.saves, 1);
  const third = await loaded(library, keeper.url, await realObk());
  t.match(await nameOf(host, third.sessionId), { status: 503, body: { id: "request-overloaded" } });
  await own.close();
  t.match(await nameOf(host, third.sessionId), { status: 200 });
});

const envelope = (content: string): string =>
  `<S:Envelope xmlns:S="http://schemas.xmlsoap.org/soap/envelope/"><S:Body>${content}</S:Body></S:Envelope>`;

t.test("what is wrong with the other server is told, and the host goes on", async (t) => {
  const id = "22222222-2222-4222-8222-222222222222";
  let answer: RequestListener = () => undefined;
  const other = await serverOf(t, (request, response) => answer(request, response));
  const host = await pluginHost(t, other, { fetch: { readTimeout: 300, timeout: 2000 } });
  /** Answers calls by their operations, and everything else with a project that is none. */
  const soap =
    (results: Record<string, string>): RequestListener =>
    (request, response) => {
      let body = "";
      request.on("data", (part) => {
        body += part;
      });
      request.on("end", () => {
        const operation = Object.keys(results).find((each) => body.includes(`:${each}`));
        const result = results[operation ?? ""] ?? "not a project";
        response.statusCode = result.startsWith("<S:Fault") ? 500 : 200;
        const isSoap = operation !== undefined;
        response.end(
          isSoap
            ? envelope(
                result.startsWith("<")
                  ? result
                  : `<n:${operation}Response xmlns:n="http://ws.eai.egr/"><return>${result}</return></n:${operation}Response>`,
              )
            : result,
        );
      });
    };
  const fault =
    "<S:Fault><faultcode>S:Server</faultcode><faultstring>out of licences</faultstring></S:Fault>";
  const elsewhere = "http://127.0.0.1:1/secret";
  const cases: [name: string, answer: RequestListener, status: number, message: RegExp][] = [
    ["silence", () => undefined, 502, /does not answer in time/],
    ["a torn connection", ({ socket }) => void socket.destroy(), 502, /cannot be reached/],
    [
      "a page",
      (_, response) => void response.end("<html>hello</html>"),
      502,
      /answer to \w+ is not understood/,
    ],
    [
      "an error page",
      (_, response) => void response.writeHead(503).end("busy"),
      502,
      /answers with status 503/,
    ],
    [
      "an entity bomb",
      (_, response) => void response.end(`<!DOCTYPE a [<!ENTITY b "c">]>${envelope("<a>&b;</a>")}`),
      502,
      /not understood/,
    ],
    ["too much", (_, response) => void response.end(Buffer.alloc(3 * 1024 ** 2, "<a>")), 502, /larger than/],
    [
      "a fault of a session that it knows",
      soap({ saveSession: fault, getLocale: "de", keepAlive: "true" }),
      502,
      /it says: out of licences/,
    ],
    [
      "a fault of one that it does not know",
      soap({ saveSession: fault, getLocale: fault, keepAlive: "false" }),
      422,
      /is unknown or has expired/,
    ],
    ["no address", soap({ saveSession: "nowhere", getLocale: "de" }), 502, /no address of the saved project/],
    [
      "an internal address",
      soap({ saveSession: elsewhere, getLocale: "de" }),
      502,
      /fetch\.allowedInternalHosts/,
    ],
    ["no project", soap({ saveSession: `${other}/file`, getLocale: "de" }), 502, /project cannot be opened/],
    [
      "a project that is broken",
      soap({ saveSession: `${other}/file`, getLocale: "no locale" }),
      502,
      /cannot be opened/,
    ],
  ];
  for (const [name, next, status, message] of cases) {
    answer = next;
    const told = await nameOf(host, id);
    t.match(told, { status, body: { message } }, name);
    if (status === 502) t.equal(told.body["id"], "session-server-error", name);
    t.notMatch(JSON.stringify(told.body), /127\.0\.0\.1|secret|<\/?\w+>/, `${name}: no address, no markup`);
  }
  t.strictSame(await listed(host), []);

  const { url } = keeper;
  const unlisted = await pluginHost(t, url, { fetch: { allowedInternalHosts: [] } });
  t.match(await nameOf(unlisted, id), { status: 502, body: { message: /fetch\.allowedInternalHosts/ } });
  const gone = await pluginHost(t, `http://127.0.0.1:${await freePort()}`);
  t.match(await nameOf(gone, id), {
    status: 502,
    body: { id: "session-server-error", message: /cannot be reached/ },
  });
  t.equal((await fetch(`${gone.url}/healthz`)).status, 200);
});
