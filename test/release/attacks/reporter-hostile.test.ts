/** Reports that somebody asks for who means harm: through every field of the request, over HTTP. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { PDFDocument } from "@cantoo/pdf-lib";
import t, { type Test } from "tap";
import {
  type Answer,
  article,
  errorIds,
  isJson,
  type Json,
  project,
  ReporterClient,
} from "../../plugins/reporter-client.js";
import { startHost } from "../../start-host.js";

const mostBytes = 1_000_000;
/** What sender and receiver of a connection may have between them besides. */
const buffered = 30_000_000;

async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.teardown(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return `127.0.0.1:${port}`;
}

async function pdf(text: string, password?: string): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  document.addPage([300, 300]).drawText(text, { x: 20, y: 200, size: 12 });
  if (password !== undefined) document.encrypt({ userPassword: password, ownerPassword: password });
  return document.save();
}

const secret = "s3cr3t-word";
let reachedInside = 0;
const inside = await serve((_, response) => {
  reachedInside++;
  response.end("inside");
});
const [, insidePort = ""] = inside.split(":");

const files: Record<string, Uint8Array> = {
  "/good.pdf": await pdf("Good attachment"),
  "/locked.pdf": await pdf("Locked attachment", "password"),
  "/page.pdf": Buffer.from("<!doctype html><title>No PDF</title><script>alert(1)</script>"),
  "/both.pdf": Buffer.from("<!-- %PDF-1.7 --><!doctype html><script>alert(1)</script>"),
  "/cut.pdf": (await pdf("Cut")).slice(0, 300),
};
/** Bytes that left the server, by path. */
const sent = new Map<string, Promise<number>>();
const allowed = await serve((request, response) => {
  const path = request.url ?? "";
  const content = files[path];
  if (content !== undefined) response.end(content);
  else if (path.startsWith("/to-")) response.writeHead(302, { location: redirects[path] }).end();
  else endless(path, response);
});
const redirects: Record<string, string> = {
  "/to-inside": `http://${inside}/`,
  "/to-disguise": `http://0x7f000001:${insidePort}/`,
  "/to-file": "file:///etc/passwd",
  "/to-itself": "/to-itself",
};

/** 2 GB, announced or not. */
function endless(path: string, response: ServerResponse): void {
  const { socket } = response;
  if (socket === null) throw new Error("The connection is gone.");
  sent.set(path, new Promise((resolve) => response.once("close", () => resolve(socket.bytesWritten))));
  if (path === "/announced.pdf") response.setHeader("Content-Length", 2 ** 31);
  const part = Buffer.alloc(65_536, "x");
  const write = (): void => {
    while (!response.destroyed && response.write(part)) {}
  };
  response.on("drain", write);
  response.write("%PDF-1.7\n");
  write();
}

const choice = {
  type: "string",
  options: ["one", "two"].map((key) => ({ key, label: { en: key } })),
  default: "one",
};
const fields = [
  { key: "choice", label: { en: "Choice" }, ...choice },
  { key: "size", label: { en: "Size" }, type: "int", default: 1 },
  { key: "shown", label: { en: "Shown" }, type: "boolean", default: true },
  { key: "text", label: { en: "Text" }, type: "string", default: "" },
];
const templates = t.testdir({
  echo: {
    "template.json": JSON.stringify({
      key: "echo",
      name: { en: "Echo" },
      category: { key: "default", name: { en: "Default" } },
      version: "1.0.0",
      options: { categories: [{ key: "all", label: { en: "All" }, fields }] },
    }),
    "report.ejs":
      '<p title="<%= d.data.data.text %>"><%= d.data.data.text %></p><p>End of <%= d.data.options.text %></p>',
  },
  many: {
    "template.json": JSON.stringify({
      key: "many",
      name: { en: "Many" },
      category: { key: "default", name: { en: "Default" } },
      version: "1.0.0",
    }),
    "report.ejs": "<% for (let at = 0; at < d.data.data.elements; at++) { %><b>x</b> <% } %>",
  },
});
const host = await startHost({
  configuration: {
    fetch: { allowedInternalHosts: [allowed] },
    pdf: {
      attachments: { links: 30, bytes: mostBytes },
      pages: 2,
      printTimeout: 5000,
      printTimeoutPer100Kilobytes: 0,
    },
  },
  templates: [templates],
});
t.teardown(() => host.stop());
const client = new ReporterClient(host.url);
const sessionId = await client.open(project([article(1, "1.00")]));

const insides = /\/work\/|\/tmp\/|\/home\/|node_modules|node:internal|\.[jt]s:\d+|\n\s+at /;

async function ask(t: Test, path: string, body: Json): Promise<Answer> {
  const answer = await client.post(path, { sessionId, templateKey: "echo", ...body });
  t.notMatch(answer.text, insides, "nothing of the inside of the host");
  t.notMatch(answer.text, secret);
  return answer;
}

async function printed(t: Test, body: Json): Promise<{ json: Json; text: string }> {
  const { status, json, text } = await ask(t, "generate", body);
  t.equal(status, 200, text.slice(0, 300));
  return { json, text: (await client.pages(json["url"])).join(" ") };
}

function violations(json: Json): unknown[] {
  const info = json["additionalInformation"];
  const list = isJson(info) && Array.isArray(info["violations"]) ? info["violations"] : [];
  return list.filter(isJson).map(({ path }) => path);
}

t.test("options that the template does not take are all named", async (t) => {
  const wrong = { choice: "three", size: "2; DROP", shown: { $ne: 1 }, text: ["x"] };
  const unknown = { unknown: 1, constructor: "x", toString: "x", "<script>": secret.length };
  const templateOptions = { ...wrong, ...unknown };
  for (const path of ["generate", "data.json"]) {
    const { status, json } = await ask(t, path, { templateOptions });
    t.match([status, json["id"]], [400, "request-bad-request"]);
    t.same(
      violations(json),
      Object.keys(wrong).map((key) => `body.templateOptions.${key}`),
    );
    const known = await ask(t, path, { templateOptions: unknown });
    t.equal(known.status, 200, "those that are not known take nothing from the result");
    const told = JSON.stringify(known.json["errors"] ?? known.json);
    for (const key of path === "generate" ? Object.keys(unknown) : []) t.match(told, key);
  }
  const numbers = [1.5, "1.5", "0x10", "", "9".repeat(20), true];
  for (const size of numbers)
    t.same(violations((await ask(t, "data.json", { templateOptions: { size } })).json), [
      "body.templateOptions.size",
    ]);
  const own = `{"sessionId": "${sessionId}", "templateKey": "echo", "templateOptions": {"__proto__": {"text": "x"}}}`;
  const answer = await fetch(`${host.url}/EAIWS/plugins/Reporter/data.json`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: own,
  });
  t.equal(answer.status, 400, "__proto__ is no key of JSON that is taken");
  t.match(await answer.text(), /request-bad-request/);
});

t.test("positions, columns and ids that there are not", async (t) => {
  const pageBreaks = ["7.7", "__proto__", "<b>", "x".repeat(200)].map((posNo) => ({
    posNo,
    value: "before",
  }));
  const imageColumns = ["11111111-2222-4333-8444-555555555555"];
  const broken = await printed(t, { pageBreaks, imageColumns, preferredImageColumn: imageColumns[0] });
  t.same(errorIds(broken.json), Array(4).fill("page-break-unknown"));
  t.match(broken.text, /End of/);

  const items = Array.from({ length: 100_000 }, (_, index) => String(index));
  const many = await ask(t, "data.json", { items });
  t.match([many.status, many.json["id"]], [422, "project-empty"]);
  t.ok(many.text.length < 100_000, `an answer of ${many.text.length} characters`);
  const some = await ask(t, "data.json", { items: [...items, "00000000-0000-4000-8000-000000000001"] });
  t.equal(some.status, 200);
  const unknown = Array.isArray(some.json["errors"]) ? some.json["errors"] : [];
  t.same(errorIds(some.json), Array(100).fill("item-not-found"));
  t.match(unknown.at(-1), { message: /99900 more/, additionalInformation: { itemId: "99", more: 99_900 } });
  const breaks = items.slice(0, 10_000).map((each) => ({ posNo: `x${each}`, value: "after" }));
  t.equal(errorIds((await ask(t, "data.json", { pageBreaks: breaks })).json).length, 100);
  const large = await ask(t, "data.json", { items: items.map((each) => each.padStart(36, "0")) });
  t.match([large.status, large.json["id"]], [413, "request-too-large"]);
});

t.test("links to what the host must not ask", async (t) => {
  const refused = [
    `http://0x7f000001:${insidePort}/`,
    `http://0177.0.0.1:${insidePort}/`,
    `http://127.1:${insidePort}/`,
    `http://[::ffff:7f00:1]:${insidePort}/`,
    `http://[64:ff9b::7f00:1]:${insidePort}/`,
    `http://0.0.0.0:${insidePort}/`,
    `http://[::]:${insidePort}/`,
    `http://localhost.:${insidePort}/`,
    `http://LOCALHOST:${insidePort}/`,
    `http:\\\\127.0.0.1:${insidePort}/`,
    `http://${allowed}@${inside}/`,
    `http://user:${secret}@${allowed}/good.pdf`,
    `http://user:${secret}@exa mple:99999/`,
    "http://169.254.169.254/latest/meta-data/iam",
    "javascript:alert(1)",
    "data:application/pdf;base64,JVBERi0xLjcK",
    "gopher://127.0.0.1/_x",
    "blob:http://127.0.0.1/x",
    "file:///proc/self/environ",
    `//${inside}/`,
    "\u0000",
  ];
  const redirecting = Object.keys(redirects).map((path) => `http://${allowed}${path}`);
  const links = [...refused, ...redirecting];
  const { json, text } = await printed(t, {
    prependLinks: links,
    appendLinks: [`http://${allowed}/good.pdf`],
  });
  t.same(
    errorIds(json),
    links.map(() => "attachment-error"),
  );
  t.match(text, /End of.*Good attachment/);
  t.equal(reachedInside, 0, "nobody asked the internal server");
});

t.test("attachments that are none", async (t) => {
  const paths = ["/page.pdf", "/both.pdf", "/cut.pdf", "/locked.pdf"];
  const links = paths.map((path) => `http://${allowed}${path}`);
  const { json, text } = await printed(t, { prependLinks: [...links, `http://${allowed}/good.pdf`] });
  t.same(
    errorIds(json),
    paths.map(() => "attachment-error"),
  );
  t.match(text, /Good attachment.*End of/);
  t.notMatch(text, /Locked|alert/);
});

t.test("an attachment of 2 GB is refused before it is here", async (t) => {
  for (const path of ["/announced.pdf", "/streamed.pdf"]) {
    const { json, text } = await printed(t, { appendLinks: [`http://${allowed}${path}`] });
    t.match(json["errors"], [{ id: "attachment-error", message: /larger than the 1000000 bytes/ }]);
    t.match(text, /End of/);
    const bytes = (await sent.get(path)) ?? Number.NaN;
    t.ok(bytes < mostBytes + buffered, `${path}: ${bytes} bytes left the server`);
  }
});

t.test("too many and too long links", async (t) => {
  const link = `http://user:${secret}@${allowed}/good.pdf`;
  const many = await ask(t, "generate", {
    prependLinks: Array(101).fill(link),
    appendLinks: [link.padEnd(5000, "x")],
  });
  t.equal(many.status, 400);
  t.same(violations(many.json).sort(), ["body.appendLinks[0]", "body.prependLinks"]);
  const some = await printed(t, { appendLinks: Array(31).fill(`http://${allowed}/page.pdf`) });
  t.equal(errorIds(some.json).length, 31);
  t.match(some.json["errors"], Array(30).fill({ message: /not a PDF/ }));
  t.match(some.text, /End of/);
});

t.test("texts of a request are texts in the report", async (t) => {
  const text = `</style><script>document.body.remove()</script> <% process.exit() %> <%- 1 %> \${1 + 1} {{2}} "' &lt; --> <img src=x onerror=alert(1)>`;
  const { text: page } = await printed(t, { data: { text }, templateOptions: { text: "</p><h1>x" } });
  const shown = page.replace(/\s+/g, "");
  t.ok(shown.includes(text.replace(/\s+/g, "")), page);
  t.ok(shown.includes("Endof</p><h1>x"), page);
  const depth = 20_000;
  const deep = `{"sessionId": "${sessionId}", "templateKey": "echo", "data": {"a": ${"[".repeat(depth)}${"]".repeat(depth)}}}`;
  const answer = await fetch(`${host.url}/EAIWS/plugins/Reporter/generate`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: deep,
  });
  const said = await answer.text();
  t.equal(answer.status, 400, said.slice(0, 300));
  t.notMatch(said, insides);
});

t.test("a page of millions of elements ends alone", async (t) => {
  const beside = async (elements: number): Promise<Answer> => {
    const [large, small] = await Promise.all([
      ask(t, "generate", { templateKey: "many", data: { elements } }),
      printed(t, { data: { text: "beside" } }),
    ]);
    t.match(small.text, /beside/);
    return large;
  };
  const tooLong = await beside(5_000_000);
  t.match([tooLong.status, tooLong.json["id"]], [500, "template-error"]);
  t.match(tooLong.json["message"], /"many" failed at report\.ejs:1: the output has more than/);
  const tooMuch = await beside(1_000_000);
  t.match([tooMuch.status, tooMuch.json["id"]], [504, "request-timeout"]);
  t.match((await printed(t, { data: { text: "afterwards" } })).text, /afterwards/);
});

t.test("file names", async (t) => {
  const names: Record<string, string> = {
    "../../../etc/passwd": "etc passwd.pdf",
    "..\\..\\windows\\win.ini": "windows win.ini.pdf",
    "a\u0000b\r\nSet-Cookie: x": "a b Set-Cookie x.pdf",
    CON: "CON_.pdf",
    "nul.pdf": "NUL_.pdf",
    "com1.txt": "com1_.txt.pdf",
    "report\u202Efdp.exe": "report fdp.exe.pdf",
    '<script>"|?*': "script.pdf",
  };
  for (const [filename, name] of Object.entries(names)) {
    const { json } = await ask(t, "generate", { filename });
    t.equal(String(json["name"]).toLowerCase(), name.toLowerCase(), JSON.stringify(filename));
    const file = await fetch(String(json["url"]));
    t.equal(file.status, 200);
    t.notOk(file.headers.has("Set-Cookie"));
    await file.arrayBuffer();
  }
  const { json } = await ask(t, "generate", { filename: "\u{1F600}".repeat(450) });
  t.ok(Buffer.byteLength(String(json["name"])) <= 1000 && String(json["name"]).endsWith(".pdf"));
  t.equal((await fetch(String(json["url"]))).status, 200);
  t.equal((await ask(t, "generate", { filename: "x".repeat(1001) })).status, 400);
});

t.test("locales", async (t) => {
  for (const dateTimeLocale of [
    "../../x",
    "de_DE@currency=<b>",
    "de\u0000",
    "x".repeat(36),
    "*",
    "en-u-\u202E",
    5,
    ["de"],
  ]) {
    const { status, json } = await ask(t, "data.json", { dateTimeLocale });
    t.match([status, violations(json)[0]], [400, /^body\.dateTimeLocale/], JSON.stringify(dateTimeLocale));
  }
});

t.test("nothing of all this is too much for the host, and no secret is in its log", async (t) => {
  t.match((await printed(t, { data: { text: "still here" } })).text, /still here/);
  t.notMatch(JSON.stringify(host.log), secret);
  t.notOk(
    host.log.some(({ level }) => level === "error"),
    "and no error of its own",
  );
});
