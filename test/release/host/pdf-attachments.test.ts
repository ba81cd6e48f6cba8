/** Links before and after a report, and which servers the host asks for them. */
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { deflateSync } from "node:zlib";
import { PDFDocument } from "@cantoo/pdf-lib";
import t from "tap";
import { outgoingFetch } from "../../host/fetch-support.js";
import { hostile } from "../../host/pdf-finisher-support.js";
import {
  job,
  memoryOf,
  open,
  page,
  pageTexts,
  quiet,
  startedService,
  until,
  varFolder,
  workersOf,
} from "../../host/pdf-support.js";

type Scope = { teardown(handler: () => void): void };

async function serve(t: Scope, listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.teardown(() => {
    server.close();
    server.closeAllConnections();
  });
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function pdf(...texts: string[]): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  for (const text of texts) document.addPage([300, 300]).drawText(text, { x: 20, y: 200, size: 12 });
  return document.save();
}

/** A PDF of a few hundred kilobytes whose one stream unpacks to 250 MB. */
function bomb(): Uint8Array {
  const packed = deflateSync(Buffer.alloc(250_000_000, " "));
  const head = `%PDF-1.5\n1 0 obj\n<</Type /ObjStm /N 1 /First 4 /Filter /FlateDecode /Length ${packed.length}>>\nstream\n`;
  return Buffer.concat([Buffer.from(head), packed, Buffer.from("\nendstream\nendobj\n%%EOF")]);
}

t.test("attachments", async (t) => {
  const files: Record<string, Uint8Array> = {
    "/a.pdf": await pdf("A1", "A2"),
    "/b.pdf": await pdf("B1"),
    "/broken.pdf": Buffer.from("%PDF-1.7\nnothing of a PDF follows"),
    "/cut.pdf": (await pdf("C1", "C2")).subarray(0, 900),
    "/text.txt": Buffer.from("no PDF"),
    "/huge.pdf": Buffer.concat([Buffer.from("%PDF-1.7\n"), Buffer.alloc(2_000_000, "x")]),
    "/bomb.pdf": bomb(),
    "/many.pdf": await pdf(...Array.from({ length: 30 }, (_, index) => `M${index}`)),
  };
  const asked: string[] = [];
  const host = await serve(t, (request, response) => {
    asked.push(request.url ?? "");
    if (request.url === "/hang.pdf") return;
    if (request.url === "/endless.pdf") {
      const write = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536))) {}
      };
      response.on("drain", write);
      write();
      return;
    }
    const content = files[request.url ?? ""];
    response.writeHead(content ? 200 : 404).end(content ?? "none");
  });
  const internal = await serve(t, (_request, response) => void response.end(files["/a.pdf"]));
  const service = await startedService({
    varDirectory: varFolder(),
    pdf: { attachments: { bytes: 1_000_000, pages: 20, memory: 128, timeout: 60_000 } },
    fetch: { allowedInternalHosts: [host], readTimeout: 4000 },
  });
  t.teardown(() => service.stop());
  const links = (...paths: string[]) => paths.map((path) => `http://${host}${path}`);

  t.test("come in their order around the report, which keeps its tags and title", async (t) => {
    const printed = await service.print(
      job(page("<h1>Report</h1>"), {
        tagged: true,
        prependLinks: links("/a.pdf", "/b.pdf"),
        appendLinks: links("/b.pdf", "/a.pdf"),
      }),
    );
    t.strictSame(printed.errors, []);
    t.equal(printed.pages, 7);
    t.strictSame(await pageTexts(printed.content), ["A1", "A2", "B1", "Report", "B1", "A1", "A2"]);
    const document = await open(printed.content);
    t.match(JSON.stringify(await (await document.getPage(4)).getStructTree()), '"role":"H1"');
    t.match((await document.getMetadata()).info, { Title: "Test" });
  });

  const leftOut: Record<string, RegExp> = {
    "/none.pdf": /404/,
    "/broken.pdf": /damaged/,
    "/text.txt": /not a PDF/,
    "/huge.pdf": /larger than the 1000000 bytes/,
    "/endless.pdf": /larger than the 1000000 bytes/,
    "/many.pdf": /30 pages/,
    "/hang.pdf": /in time/,
  };
  for (const [path, reason] of Object.entries(leftOut)) {
    t.test(`${path} is an error of the result, and the rest comes`, async (t) => {
      const printed = await service.print(job(page("Report"), { appendLinks: links(path, "/b.pdf") }));
      t.strictSame(await pageTexts(printed.content), ["Report", "B1"]);
      t.match(printed.errors, [
        { id: "attachment-error", type: "attachment", scopes: ["ERROR"], message: reason },
      ]);
      t.match(printed.errors[0]?.message, `http://${host}${path}`);
    });
  }

  t.test("what a damaged one has lost is told once", async (t) => {
    const printed = await service.print(job(page("Report"), { appendLinks: links("/cut.pdf", "/b.pdf") }));
    t.strictSame((await pageTexts(printed.content)).at(-1), "B1");
    const link = `http://${host}/cut.pdf`;
    t.match(printed.errors, [
      {
        id: "attachment-damaged",
        scopes: ["ERROR"],
        message: `The attachment ${link} is damaged: `,
        additionalInformation: { link },
      },
    ]);
    t.equal(printed.errors.length, 1);
  });

  t.test("one that unpacks to more memory than allowed costs the attachments, not the report", async (t) => {
    const printed = await service.print(job(page("Report"), { appendLinks: links("/bomb.pdf", "/b.pdf") }));
    t.strictSame(await pageTexts(printed.content), ["Report"]);
    t.match(printed.errors, [{ message: /within the limits/ }, { message: /within the limits/ }]);
  });

  t.test("a process that cannot be started costs the attachments, not the report", async (t) => {
    const { execPath } = process;
    t.teardown(() => {
      process.execPath = execPath;
    });
    process.execPath = `${varFolder()}/none`;
    const printed = await service.print(job(page("Report"), { appendLinks: links("/b.pdf") }));
    t.strictSame(await pageTexts(printed.content), ["Report"]);
    t.match(printed.errors, [{ id: "attachment-error", message: /b\.pdf was left out/ }]);
  });

  t.test("links to internal servers, files and nonsense are refused, in every disguise", async (t) => {
    const [, port] = internal.split(":");
    const bad = [
      `http://${internal}/`,
      `http://localhost:${port}/`,
      `http://[::1]:${port}/`,
      `http://[::ffff:127.0.0.1]:${port}/`,
      `http://2130706433:${port}/`,
      "http://169.254.169.254/latest/meta-data",
      "http://10.0.0.1/",
      "file:///etc/passwd",
      "ftp://example.com/a.pdf",
      `http://user:secret@${host}/a.pdf`,
      "no link at all",
    ];
    const printed = await service.print(job(page("Report"), { prependLinks: bad }));
    t.strictSame(await pageTexts(printed.content), ["Report"]);
    t.equal(printed.errors.length, bad.length);
    for (const error of printed.errors) t.match(error, { id: "attachment-error", message: /left out/ });
    t.notMatch(JSON.stringify(printed.errors), /secret|root:/);
  });

  t.test("the deadline holds while attachments load", async (t) => {
    const late = job(page("Report"), { appendLinks: links("/hang.pdf"), deadline: Date.now() + 400 });
    await t.rejects(service.print(late), { code: 504, id: "request-timeout" });
  });
});

t.test("a host that stops waits no longer for an attachment that keeps its process busy", async (t) => {
  const host = await serve(t, (_request, response) => {
    response.end(hostile["a cross-reference stream of nothing"]);
  });
  const service = await startedService({
    varDirectory: varFolder(),
    pdf: { stopTimeout: 100, attachments: { memory: 4096, timeout: 600_000 } },
    fetch: { allowedInternalHosts: [host] },
  });
  t.teardown(() => service.stop());
  const finishing = (): number[] => workersOf(process.pid, "finish-in-process");
  const printing = service.print(job(page("Report"), { appendLinks: [`http://${host}/busy.pdf`] }));
  await until(() => finishing().some((pid) => memoryOf(pid) > 250_000_000), "the process is busy");
  await service.stop();
  await until(() => finishing().length === 0, "the process is gone");
  const printed = await printing;
  t.strictSame(await pageTexts(printed.content), ["Report"]);
  t.match(printed.errors, [{ id: "attachment-error" }]);
});

t.test("outgoing requests", async (t) => {
  const target = await serve(t, (_request, response) => void response.end("inside"));
  const entry = await serve(t, (request, response) => {
    if (request.url === "/typed")
      return void response.setHeader("content-type", "Text/Plain; charset=utf-8").end("ok");
    const to = {
      "/inside": `http://${target}/`,
      "/round": "/round",
      "/on": "/typed",
      "/file": "file:///etc/passwd",
    };
    const location = to[(request.url ?? "") as keyof typeof to];
    response.writeHead(302, { location }).end();
  });
  const fetcher = (settings: Record<string, unknown>) => {
    const fetch = outgoingFetch(settings, quiet);
    return (url: string) => fetch(url, { signal: AbortSignal.timeout(20_000) });
  };
  const fetch = fetcher({ allowedInternalHosts: [entry], readTimeout: 300 });

  t.match(await fetch(`http://${entry}/typed`), { status: 200, mediaType: "text/plain" });
  t.match(await fetch(`http://${entry}/on`), { status: 200 }, "a redirect to an allowed server");
  await t.rejects(fetch(`http://${entry}/inside`), { code: 403 }, "a redirect to an internal server");
  await t.rejects(fetch(`http://${entry}/file`), { code: 403 }, "a redirect to a file");
  await t.rejects(fetch(`http://${entry}/round`), { code: 403, message: /redirects/ });
  await t.rejects(fetch("http://127.0.0.1:1/"), { code: 403 });
  await t.rejects(fetcher({ allowedInternalHosts: ["127.0.0.1:1"] })("http://127.0.0.1:1/"), {
    code: 502,
    id: "fetch-error",
  });
  const narrow = fetcher({ allowedHosts: ["files.example.com", "*.example.org:8443"] });
  await t.rejects(narrow("https://www.example.com/"), {
    code: 403,
    message: /may not load links from www\.example\.com/,
  });
  await t.rejects(narrow("https://files.example.com:444/"), { code: 403 }, "another port");
  await t.rejects(narrow("https://a.example.org/"), { code: 403 }, "not the port that is allowed");
});
