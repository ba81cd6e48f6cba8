/**
 * Texts that are made against expressions: while reports, exports and workbooks of them are made, the host and its plugins
 * answer others as promptly as while they work on ordinary texts of the same length.
 */
import { join } from "node:path";
import t, { type Test } from "tap";
import { reportOnly } from "../host/templates-support.js";
import { OexClient } from "../plugins/oex-client.js";
import { type Answer, type PluginClient, pluginClient } from "../plugins/plugin-client.js";
import { article, isJson, project, ReporterClient } from "../plugins/reporter-client.js";
import { repository, type StartedHost, startHost } from "../start-host.js";
import { longest, longProject, printable } from "./attacks/hostile-project.js";

/** What these templates print is long without being large: each would take the host seconds, in a quadratic expression. */
const hostileTemplates: Record<string, string> = {
  "http-equiv": "<meta content='http-equiv=<%- ' '.repeat(60000) %>'><p>Printed</p>",
  "many-meta": "<p>Printed</p><%- '<meta'.repeat(100000) %>",
  "many-heads":
    "<p>Printed</p><%- '<head '.repeat(100000) + '<html '.repeat(100000) + '<!doctype'.repeat(100000) %>",
  "many-sources":
    "<p>Printed</p><p><%- 'src='.repeat(1000) + ' '.repeat(100000) + 'url('.repeat(50000) %></p>",
  "many-comments": "<p>Printed</p><%- '<!--'.repeat(100000) %>",
};
/** The same in the text of a margin. */
const margin = "<%- '<'.repeat(9000) + '\\n'.repeat(9000) %>x";

let host: StartedHost;
let reporter: ReporterClient;
let oex: OexClient;
let workbooks: PluginClient;
t.before(async () => {
  const folder = t.testdir(
    Object.fromEntries(
      Object.entries({ ...hostileTemplates, ordinary: "<p>Printed</p>" }).map(([key, report]) => [
        key,
        { ...reportOnly(key, report), "footer.ejs": margin },
      ]),
    ),
  );
  host = await startHost({ templates: [join(repository, "templates"), folder] });
  reporter = new ReporterClient(host.url);
  oex = new OexClient(host.url);
  workbooks = pluginClient(host.url, "spreadsheet");
});
t.teardown(() => host.stop());

/** Milliseconds that any machine may need besides. */
const spare = 5000;

/**
 * Asks host and plugins all the time while work is done: how long each answer took at most, in milliseconds, and as "host" the
 * longest turn of the host's event loop, as it measures itself.
 */
async function waitingWhile(work: () => Promise<void>): Promise<Record<string, number>> {
  const sessionId = await reporter.open(project([article(1, "10.00")]));
  const asks: Record<string, () => Promise<Answer | Response>> = {
    health: () => fetch(`${host.url}/healthz`),
    reporter: () => reporter.get("templates.json"),
    oex: () => oex.config(),
    spreadsheet: () => workbooks.post("v1/exportCSV", { sessionId }),
  };
  const longest: Record<string, number> = {};
  const observe = (what: string, milliseconds: number): void => {
    longest[what] = Math.max(longest[what] ?? 0, milliseconds);
  };
  let isDone = false;
  const asking = Object.entries(asks).map(async ([what, ask]) => {
    while (!isDone) {
      const start = performance.now();
      const { status } = await ask();
      if (status !== 200) throw new Error(`${what}: ${status}`);
      observe(what, performance.now() - start);
      if (what === "health") observe("host", await longestTurn());
    }
  });
  await Promise.all([work().finally(() => (isDone = true)), ...asking]);
  return longest;
}

async function longestTurn(): Promise<number> {
  const response = await fetch(`${host.url}/api/status`);
  const status: unknown = await response.json();
  const process = isJson(status) ? status["process"] : undefined;
  const delay = isJson(process) ? process["eventLoopDelay"] : undefined;
  if (!isJson(delay) || typeof delay["max"] !== "number") throw new Error("The host does not say.");
  return delay["max"];
}

/** Makes everything of a project; all of it has to come. */
async function makeAll(t: Test, isHostile: boolean): Promise<void> {
  const sessionId = await reporter.open(longProject(isHostile, longest));
  const printed = await reporter.open(longProject(isHostile, printable));
  const begin = (text: string): string => (isHostile ? text : "Oak");
  const texts = ["src=", "url(", "<", "."].map((text) => begin(text).padEnd(200_000));
  const answers: Record<string, Promise<Answer>> = {
    data: reporter.post("data.json", { sessionId, templateKey: "quote", data: { texts } }),
    order: oex.export({ sessionId, config: { featureInARTL: true } }),
    workbook: workbooks.post("v1/export", { sessionId }),
    "order with its PDF": oex.export({ sessionId: printed, config: { attachPDF: true } }),
    report: reporter.post("generate", { sessionId: printed, templateKey: "quote", data: { texts } }),
  };
  for (const [what, answer] of Object.entries(answers)) {
    const { status, text } = await answer;
    t.equal(status, 200, `${what}${status === 200 ? "" : ` ${text.slice(0, 500)}`}`);
  }
}

t.test("long hostile texts of a project", async (t) => {
  const ordinary = await waitingWhile(() => makeAll(t, false));
  const hostile = await waitingWhile(() => makeAll(t, true));
  // Quadratic expressions kept the host busy for 16 seconds, and others of the plugins waiting for 9 to 19.
  for (const [what, milliseconds] of Object.entries(hostile))
    t.ok(milliseconds < 3 * (ordinary[what] ?? 0) + spare, what, { milliseconds, ordinary: ordinary[what] });
});

t.test("an error names no more of a member's name than a person reads", async (t) => {
  const name = "😀".repeat(5_000_000);
  for (const body of [{ [name]: 1 }, { ...project([]), appData: 1, header: { [name]: { [name]: 1 } } }]) {
    const response = await fetch(`${host.url}/api/sessions?locale=en_GB`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    const answer = await response.text();
    t.equal(response.status, 400);
    t.ok(answer.length < 20_000, `${answer.length} characters`);
    t.match(answer, `${"😀".repeat(99)}…`);
  }
});

t.test("more lines and ids than a call has arguments", async (t) => {
  const value = `${"x\n".repeat(99_999)}x`;
  const texts = [1, 2].map((number) => ({ id: `${number}`, visible: true, text: [{ lang: "en", value }] }));
  const sessionId = await reporter.open(project([article(1, "10.00", { customTexts: texts })]));
  const soldTo = {
    addressType: "SoldTo",
    name1: "Buyer",
    street: "Street 1",
    countryCode: "DE",
    postalCode: "10115",
    location: "Berlin",
  };
  const quotation = { documentType: "QUOTES", addresses: [soldTo] };
  const order = await oex.export({ sessionId, config: quotation });
  t.equal(order.status, 200, order.text.slice(0, 500));
  const items = Array.from({ length: 200_000 }, () => "");
  const data = await reporter.post("data.json", { sessionId, templateKey: "quote", items });
  t.not(data.status, 500, data.text.slice(0, 500));
});

t.test("templates that print hostile text", async (t) => {
  const sessionId = await reporter.open(project([article(1, "10.00")]));
  const make = async (templateKey: string): Promise<void> => {
    const { status, json, text } = await reporter.post("generate", { sessionId, templateKey });
    t.equal(status, 200, text);
    t.match((await reporter.pages(json["url"])).join(""), "Printed", templateKey);
  };
  const ordinary = await waitingWhile(() => make("ordinary"));
  const hostile = await waitingWhile(async () => {
    for (const templateKey of Object.keys(hostileTemplates)) await make(templateKey);
  });
  for (const [what, milliseconds] of Object.entries(hostile))
    t.ok(milliseconds < 3 * (ordinary[what] ?? 0) + spare, what, { milliseconds, ordinary: ordinary[what] });
});
