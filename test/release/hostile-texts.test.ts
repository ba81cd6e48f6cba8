/**
 * Texts that are made against expressions: reports, exports and workbooks of them cost the host and its plugins about as much
 * work as those of ordinary texts of the same length, and others are answered meanwhile.
 */
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import t, { type Test } from "tap";
import { pluginStates } from "../host/plugin-load/host-api.js";
import { processorTime } from "../host/plugin-load/process-tree.js";
import { reportOnly } from "../host/templates-support.js";
import { OexClient } from "../plugins/oex-client.js";
import { type Answer, type PluginClient, pluginClient } from "../plugins/plugin-client.js";
import { article, project, ReporterClient } from "../plugins/reporter-client.js";
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

/** Seconds of work that any text may need besides; quadratic expressions took the host and its plugins 9 to 19 more. */
const spare = 3;

/** Milliseconds, so that asking is little work. */
const betweenAsks = 250;

/**
 * Compares what the host and its plugins work for hostile texts with their work for ordinary ones of the same length. It is
 * their own processor time, which does not grow with what else the machine does; nothing where the system does not tell.
 */
async function compareWork(
  t: Test,
  ordinary: () => Promise<void>,
  hostile: () => Promise<void>,
): Promise<void> {
  const expected = await workOf(ordinary);
  for (const [name, seconds] of Object.entries(await workOf(hostile)))
    t.ok(seconds < 4 * (expected[name] ?? 0) + spare, name, { seconds, ordinary: expected[name] });
}

/** Seconds that each process works while something is done. */
async function workOf(make: () => Promise<void>): Promise<Record<string, number>> {
  const before = await worked();
  await whileAsked(make);
  const after = Object.entries(await worked());
  return Object.fromEntries(after.map(([name, seconds]) => [name, seconds - (before[name] ?? 0)]));
}

/** Seconds that the processes of the host and of its plugins have worked so far. */
async function worked(): Promise<Record<string, number>> {
  const processes = [{ name: "host", processId: host.process.pid }, ...(await pluginStates(host.url))];
  const times = processes.map(
    async ({ name, processId = 0 }) => [name, (await processorTime(processId)) ?? 0] as const,
  );
  return Object.fromEntries(await Promise.all(times));
}

/** Asks host and plugins now and then while work is done; each of them answers each time. */
async function whileAsked(work: () => Promise<void>): Promise<void> {
  const sessionId = await reporter.open(project([article(1, "10.00")]));
  const asks: Record<string, () => Promise<Answer | Response>> = {
    health: () => fetch(`${host.url}/healthz`),
    reporter: () => reporter.get("templates.json"),
    oex: () => oex.config(),
    spreadsheet: () => workbooks.post("v1/exportCSV", { sessionId }),
  };
  let isDone = false;
  const asking = Object.entries(asks).map(async ([what, ask]) => {
    while (!isDone) {
      const { status } = await ask();
      if (status !== 200) throw new Error(`${what}: ${status}`);
      await pause(betweenAsks);
    }
  });
  await Promise.all([work().finally(() => (isDone = true)), ...asking]);
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
  await compareWork(
    t,
    () => makeAll(t, false),
    () => makeAll(t, true),
  );
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
  await compareWork(
    t,
    () => make("ordinary"),
    async () => {
      for (const templateKey of Object.keys(hostileTemplates)) await make(templateKey);
    },
  );
});
