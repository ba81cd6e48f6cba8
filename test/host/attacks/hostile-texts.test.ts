/**
 * Texts that are made against expressions: while reports, exports and workbooks of them are made, the host and its plugins
 * answer others as promptly as while they work on ordinary texts of the same length.
 */
import { join } from "node:path";
import t from "tap";
import { OexClient } from "../../plugins/oex-client.js";
import { type Answer, pluginClient } from "../../plugins/plugin-client.js";
import { article, isJson, project, ReporterClient } from "../../plugins/reporter-client.js";
import { repository, type StartedHost, startHost } from "../../start-host.js";
import { reportOnly } from "../templates-support.js";
import { longProject } from "./hostile-project.js";

/** What these templates print is long without being large: each would take the host seconds, in a quadratic expression. */
const templates: Record<string, string> = {
  "http-equiv": "<meta content='http-equiv=<%- ' '.repeat(60000) %>'><p>Printed</p>",
  "many-meta": "<p>Printed</p><%- '<meta'.repeat(100000) %>",
  "many-heads":
    "<p>Printed</p><%- '<head '.repeat(100000) + '<html '.repeat(100000) + '<!doctype'.repeat(100000) %>",
  "many-sources":
    "<p>Printed</p><p><%- 'src='.repeat(1000) + ' '.repeat(100000) + 'url('.repeat(50000) %></p>",
  "many-comments": "<p>Printed</p><%- '<!--'.repeat(100000) %>",
};
/** The same in the text of a margin. */
const margin = "<%- '<'.repeat(20000) + '\\n'.repeat(20000) + '<style'.repeat(20000) %>";

let host: StartedHost;
let reporter: ReporterClient;
let oex: OexClient;
t.before(async () => {
  const folder = t.testdir(
    Object.fromEntries(
      Object.entries(templates).map(([key, report]) => [
        key,
        { ...reportOnly(key, report), "footer.ejs": margin },
      ]),
    ),
  );
  host = await startHost({ templates: [join(repository, "templates"), folder] });
  reporter = new ReporterClient(host.url);
  oex = new OexClient(host.url);
});
t.teardown(() => host.stop());

interface Waiting {
  /** The longest turn of the host's event loop so far, as it measures itself. */
  host: number;
  /** How long others waited for an answer, by what they asked, at most. All in milliseconds. */
  others: Record<string, number>;
}

/** Asks host and plugins all the time while work is done. */
async function waitingWhile(work: () => Promise<void>): Promise<Waiting> {
  const small = await reporter.open(project([article(1, "10.00")]));
  const workbooks = pluginClient(host.url, "spreadsheet");
  const asks: Record<string, () => Promise<Answer | Response>> = {
    health: () => fetch(`${host.url}/healthz`),
    reporter: () => reporter.get("templates.json"),
    oex: () => oex.config(),
    spreadsheet: () => workbooks.post("v1/exportCSV", { sessionId: small }),
  };
  const others: Record<string, number> = {};
  let isDone = false;
  const asking = Object.entries(asks).map(async ([what, ask]) => {
    while (!isDone) {
      const start = performance.now();
      const { status } = await ask();
      if (status !== 200) throw new Error(`${what}: ${status}`);
      others[what] = Math.max(others[what] ?? 0, performance.now() - start);
    }
  });
  try {
    await work();
  } finally {
    isDone = true;
  }
  await Promise.all(asking);
  return { host: await longestTurn(), others };
}

async function longestTurn(): Promise<number> {
  const response = await fetch(`${host.url}/api/status`);
  const status: unknown = await response.json();
  const process = isJson(status) ? status["process"] : undefined;
  const delay = isJson(process) ? process["eventLoopDelay"] : undefined;
  if (!isJson(delay) || typeof delay["max"] !== "number") throw new Error("The host does not say.");
  return delay["max"];
}

t.test("long hostile texts of a project", async (t) => {
  const made = async (isHostile: boolean): Promise<Waiting> => {
    const content = longProject(isHostile);
    const sessionId = await reporter.open(content);
    const data = isHostile ? { texts: content["items"] } : {};
    return waitingWhile(async () => {
      for (const [what, answer] of [
        ["data.json", reporter.post("data.json", { sessionId, templateKey: "quote", data })],
        ["workbook", pluginClient(host.url, "spreadsheet").post("v1/export", { sessionId })],
        ["order", oex.export({ sessionId, config: { withPDF: true } })],
        ["report", reporter.post("generate", { sessionId, templateKey: "article-overview", data })],
      ] as const) {
        const { status, text } = await answer;
        t.equal(status, 200, `${what} ${status === 200 ? "" : text.slice(0, 500)}`);
      }
    });
  };
  const ordinary = await made(false);
  const hostile = await made(true);
  t.comment(JSON.stringify({ ordinary, hostile }, undefined, 1));
});

t.test("templates that print hostile text", async (t) => {
  const sessionId = await reporter.open(project([article(1, "10.00")]));
  const waiting = await waitingWhile(async () => {
    for (const templateKey of Object.keys(templates)) {
      const { status, json, text } = await reporter.post("generate", { sessionId, templateKey });
      t.equal(status, 200, text);
      t.match((await reporter.pages(json["url"])).join(""), "Printed", templateKey);
    }
  });
  t.comment(JSON.stringify(waiting));
});
