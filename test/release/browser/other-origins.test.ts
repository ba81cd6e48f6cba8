/** A page of another site in a real browser: it has plugins work for it, reads errors and files, and gets nowhere else. */
import { once } from "node:events";
import { createServer } from "node:http";
import { join } from "node:path";
import { projectOf } from "@slipway/sdk/testing";
import type { Browser, Page } from "puppeteer-core";
import t from "tap";
import { launchBrowser } from "../../bench/pdf/browser-contenders.js";
import { session } from "../../host/sessions-support.js";
import { repository, type StartedHost, startHost } from "../../start-host.js";

let host: StartedHost;
let browser: Browser;
let page: Page;
let sessionId: string;

t.before(async () => {
  const oex = t.fixture("symlink", join(repository, "plugins", "oex"));
  const folder = t.testdir({ browser: {}, none: {}, plugins: { oex } });
  const site = createServer((_request, response) => {
    response.setHeader("Content-Type", "text/html").end("<!doctype html><title>Shop</title>");
  }).listen(0, "localhost");
  t.teardown(() => site.close());
  await once(site, "listening");
  const address = site.address();
  if (address === null || typeof address === "string") throw new Error("The site has no port");
  [host, browser] = await Promise.all([
    startHost({ plugins: [join(folder, "plugins")], templates: [join(folder, "none")] }),
    launchBrowser(join(folder, "browser"), ["--host-resolver-rules=MAP intranet 127.0.0.1"]),
  ]);
  const project = projectOf({ header: { number: "Q-1" }, items: [{ article: "A-1" }] });
  const opened = await fetch(`${host.url}/api/sessions`, { method: "POST", body: JSON.stringify(project) });
  sessionId = (await session(opened)).sessionId;
  page = await browser.newPage();
  // Another name than the host's, so that it is another site and not only another port.
  await page.goto(`http://localhost:${address.port}/`);
});
t.teardown(() => browser?.close());
t.teardown(async () => {
  await host?.stop();
});

interface Read {
  status: number;
  text: string;
  headers: Record<string, string>;
}

/** What the page can read of an answer; the message of the browser where it keeps it away. */
function read(url: string, init: RequestInit = {}): Promise<Read | string> {
  return page.evaluate(
    async (target, options) => {
      try {
        const answer = await fetch(target, options);
        const headers = Object.fromEntries(answer.headers.entries());
        return { status: answer.status, text: await answer.text(), headers };
      } catch (error) {
        return String(error);
      }
    },
    url,
    init,
  );
}

const post = (operation: string, body: unknown): Promise<Read | string> =>
  read(`${host.url}/EAIWS/plugins/oex/${operation}`, {
    method: "POST",
    // Neither may be sent without a preflight.
    headers: { "Content-Type": "application/json", "X-Requested-With": "XMLHttpRequest" },
    body: JSON.stringify(body),
  });

const readable = (answer: Read | string): Read => {
  if (typeof answer === "string") throw new Error(`The page cannot read it: ${answer}`);
  return answer;
};

t.test("a page of another site has an order made, and fetches its files", async (t) => {
  const made = readable(await post("export", { sessionId }));
  t.equal(made.status, 200);
  t.match(made.headers, { "slipway-plugin": /^oex@/, "x-request-id": /./ });
  const { url, archive } = JSON.parse(made.text);
  const whole = readable(await read(url));
  t.match(whole.text, /^<\?xml/);
  t.match(whole.headers, { "content-disposition": /^attachment; filename="oex-orders_Q-1_/, etag: /./ });
  const part = readable(
    await read(url, { headers: { Range: "bytes=0-4", "If-Range": whole.headers["etag"] ?? "" } }),
  );
  t.match(part, { status: 206, text: "<?xml", headers: { "content-range": /^bytes 0-4\// } });
  t.match(readable(await read(archive.url, { method: "HEAD" })), { status: 200 });
});

t.test("it reads the object of each error", async (t) => {
  const unknown = "73bd68f4-da62-11d8-b9d6-00e081513ada";
  const inactive = readable(await post("export", { sessionId: unknown }));
  t.match(JSON.parse(inactive.text), { code: 422, id: "request-session-not-found" });
  t.match(JSON.parse(readable(await post("export", { sessionId: 5 })).text), {
    code: 400,
    additionalInformation: { violations: [{ path: "body.sessionId" }] },
  });
  t.match(JSON.parse(readable(await post("nothing", {})).text), { code: 404, id: "request-not-found" });
  t.match(JSON.parse(readable(await read(`${host.url}/files/gone/gone.pdf`)).text), { code: 404 });
});

t.test("it gets nothing of the host's own operations, and changes nothing by them", async (t) => {
  for (const path of ["/api/sessions", "/api/plugins", "/api/access", "/metrics", "/readyz"])
    t.type(await read(`${host.url}${path}`), "string", path);
  t.type(await read(`${host.url}/api/sessions/${sessionId}`, { method: "DELETE" }), "string");
  t.type(await read(`${host.url}/api/sessions`, { method: "POST", body: "{}" }), "string");
  const cookies: RequestInit = { credentials: "include" };
  t.type(
    await read(`${host.url}/EAIWS/plugins/oex/config.json`, cookies),
    "string",
    "no answer with cookies",
  );
  t.equal(readable(await read(`${host.url}/EAIWS/plugins/oex/config.json`)).status, 200);
  t.equal((await fetch(`${host.url}/api/sessions/${sessionId}`)).status, 200, "the session is still open");
});

t.test(
  "a page of a name that leads to the host, to which it is its own server, gets and changes nothing",
  async (t) => {
    const { port } = new URL(host.url);
    await page.setBypassCSP(true);
    // The only answer that it gets, so that it is a page of this name.
    await page.goto(`http://intranet:${port}/healthz`);
    for (const path of ["/", "/admin", "/readyz", "/api/sessions", "/EAIWS/plugins/oex/config.json"])
      t.equal(readable(await read(path)).status, 421, path);
    const json = { method: "POST", headers: { "Content-Type": "application/json" } };
    const disabled = readable(await read("/api/plugins/oex/disable", { ...json, body: "{}" }));
    t.match(JSON.parse(disabled.text), { id: "request-misdirected", message: /"intranet:\d+".*hostNames/ });
    t.equal(readable(await read("/api/sessions", { ...json, body: "{}" })).status, 421);
    t.equal(
      (await fetch(`${host.url}/EAIWS/plugins/oex/config.json`)).status,
      200,
      "the plugin still serves",
    );
  },
);
