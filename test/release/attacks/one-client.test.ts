/** One client, or one session of it, keeps plugins and printer busy: others still get their turn, and all of it while it is alone. */
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { checked, Type, Validator } from "@slipway/sdk";
import t from "tap";
import { page } from "../../host/pdf-support.js";
import { until } from "../../host/plugins-support.js";
import { project, session } from "../../host/sessions-support.js";
import { repository, type StartedHost, startHost } from "../../start-host.js";

const concurrency = 4;
const greedy = "203.0.113.1";
const modest = "203.0.113.2";

const rows = (length: number): string =>
  page(
    Array.from({ length }, (_, row) => `<div style="display:flex"><b>row</b><i>${row}</i></div>`).join(""),
  );
/** A document whose print takes so long that all others are waiting before it ends, on a busy machine, too. */
const longest = rows(12_000);
/** Takes longer than the way of a request to the printer. */
const long = rows(3000);

/** Answers only when the test says so: what a plugin asks it for is a request that takes as long as the test wants. */
const held = new Map<string, ServerResponse>();
const slow = createServer((request, response) => held.set(request.url ?? "", response));
let host: StartedHost;

t.before(async () => {
  slow.listen(0, "127.0.0.1");
  await once(slow, "listening");
  host = await startHost({
    plugins: [t.testdir({ consumer: t.fixture("symlink", consumer) })],
    configuration: {
      // So that requests can come from any address.
      trustedProxies: ["loopback"],
      // The test decides how long a request takes, on a slow machine, too.
      fetch: { allowedInternalHosts: [new URL(slowUrl("/")).host], readTimeout: 300_000, timeout: 300_000 },
      plugins: { grants: { consumer: { network: [new URL(slowUrl("/")).host] } } },
      requests: { concurrency, queue: 8, clientShare: 0.5, timeout: 300_000 },
      pdf: { pages: 1 },
    },
  });
});
t.teardown(async () => {
  await host.stop();
  slow.close();
  slow.closeAllConnections();
});

const consumer = join(repository, "test", "fixtures", "plugins", "good", "consumer");
const slowUrl = (path: string): string => `http://127.0.0.1:${(slow.address() as AddressInfo).port}${path}`;

const post = (client: string, path: string, body: unknown): Promise<Response> =>
  fetch(`${host.url}${path}`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Forwarded-For": client },
    body: JSON.stringify(body),
  });

const checkStatus = new Validator().compile(
  Type.Object({
    requests: Type.Object({
      plugins: Type.Array(Type.Object({ working: Type.Integer(), waiting: Type.Integer() })),
    }),
    browser: Type.Object({ busy: Type.Integer(), waiting: Type.Integer() }),
  }),
  "status",
);

async function load() {
  const { requests, browser } = checked(
    checkStatus(await (await fetch(`${host.url}/api/status`)).json()),
    "The answer is no status",
  );
  const { working = 0, waiting = 0 } = requests.plugins[0] ?? {};
  return { working, waiting, browser };
}

t.test("calls of a plugin", async (t) => {
  /** A request that runs until `answer` is called with its name; `held` has it as soon as the plugin works on it. */
  const ask = (client: string, name: string): Promise<Response> =>
    post(client, "/EAIWS/plugins/consumer/fetch", { url: slowUrl(name) });
  const begun = (name: string): Promise<void> => until(() => held.has(name));
  const answer = (name: string): void => {
    const response = held.get(name);
    if (response === undefined) throw new Error(`${name} has not begun`);
    response.end("done");
  };

  const first = Array.from({ length: concurrency }, (_, index) => ask(greedy, `/first-${index}`));
  await until(() => held.size === concurrency);
  t.match(await load(), { working: concurrency, waiting: 0 }, "a client that is alone has all slots");

  const more = Array.from({ length: 4 }, (_, index) => ask(greedy, `/more-${index}`));
  await until(async () => (await load()).waiting === 4);
  const refused = await ask(greedy, "/refused");
  t.ok(Number(refused.headers.get("Retry-After")) > 0);
  t.match(
    await refused.json(),
    { code: 503, id: "request-overloaded", message: /of this client/ },
    "half of the queue is full of it, as its share says",
  );

  const short = ask(modest, "/short");
  await begun("/short");
  t.match(await load(), { working: concurrency + 1, waiting: 4 }, "a slot is kept for another client");
  answer("/short");
  t.equal((await short).status, 200, "answered before any request of the client that came first");

  const both = ["/one", "/two"].map((name) => ask(modest, name));
  // The host counts a request as working before the plugin works on it.
  await until(async () => (await load()).waiting === 5 && (held.has("/one") || held.has("/two")));
  const [running, waiting] = held.has("/one") ? ["/one", "/two"] : ["/two", "/one"];
  answer("/first-0");
  answer("/first-1");
  await begun(waiting);
  t.notOk(held.has("/more-0"), "a slot goes to the client that has fewer, though it came later");
  answer(running);
  answer(waiting);
  for (const name of ["/first-2", "/first-3"]) answer(name);
  for (let index = 0; index < more.length; index++) {
    await begun(`/more-${index}`);
    answer(`/more-${index}`);
  }
  for (const each of await Promise.all([...first, ...more, ...both])) t.equal(each.status, 200);
});

t.test("reports", async (t) => {
  const open = async (): Promise<string> =>
    (await session(await post("127.0.0.1", "/api/sessions?locale=en_GB", project()))).sessionId;
  const [crowded, other] = await Promise.all([open(), open()]);

  /** Names of the reports in the order in which they came, with a short one that was asked for when all others waited. */
  async function order(short: { client: string; sessionId: string }): Promise<string[]> {
    const done: string[] = [];
    const print = async (name: string, client: string, sessionId: string, html: string): Promise<void> => {
      const answer = await post(client, "/EAIWS/plugins/consumer/pdf", { sessionId, html, filename: name });
      t.equal(answer.status, 200);
      done.push(name);
    };
    const first = print("longest", greedy, crowded, longest);
    await until(async () => (await load()).browser.busy === 1);
    const others = Array.from({ length: concurrency + 2 }, () => print("long", greedy, crowded, long));
    const many = [first, ...others];
    await until(async () => {
      const { waiting, browser } = await load();
      return waiting === 3 && browser.waiting === concurrency - 1;
    });
    await Promise.all([print("short", short.client, short.sessionId, page("short")), ...many]);
    return done;
  }

  t.test("of another client", async (t) => {
    const done = await order({ client: modest, sessionId: other });
    t.ok(done.indexOf("short") <= 2, "it came after those at most that were printed already", { done });
  });

  t.test("of another session of the same client", async (t) => {
    const done = await order({ client: greedy, sessionId: other });
    // It waits for its turn at the plugin, and for another one at the printer.
    t.ok(done.indexOf("short") <= 3, { done });
  });
});
