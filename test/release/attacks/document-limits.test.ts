/** Documents that would take memory, paper or disk without end: each ends with an error that names the limit, and others go on. */
import type { Log } from "@slipway/sdk";
import { untraced } from "@slipway/sdk/runtime/host";
import t from "tap";
import { job, open, page, quiet, startedService, until, varFolder } from "../../host/pdf-support.js";

const rows = (count: number): string =>
  page(`<div style="display:flex"><b>a</b><i>b</i></div>`.repeat(count));
const pages = (count: number): string =>
  page(`<p>x</p>${'<p style="break-before:page">x</p>'.repeat(count - 1)}`);
/** Hardly to be compressed. */
const words = page(Array.from({ length: 4000 }, (_, index) => `<p>${Math.sin(index)}</p>`).join(""));
const overLimit = (setting: string, limit: number, message: RegExp) => ({
  code: 413,
  id: "request-too-large",
  message,
  additionalInformation: { setting, limit, value: Number },
});

t.test("limits of a document", async (t) => {
  const service = await startedService({
    varDirectory: varFolder(),
    pdf: {
      pages: 2,
      documentMemory: 128,
      documentPages: 200,
      documentBytes: 8_000_000,
      outputBytes: 150_000,
    },
  });
  t.teardown(() => service.stop());

  t.test("memory", { skip: process.platform !== "linux" && "known on Linux only" }, async (t) => {
    const lost: string[] = [];
    const log: Log = { ...quiet, warn: (message) => lost.push(message) };
    const greedy = service.print(job(rows(60_000), { work: untraced(log) }));
    await until(() => service.health().running === 1, "the start of the print");
    const modest = service.print(job(rows(2000)));
    await t.rejects(
      greedy,
      overLimit(
        "pdf.documentMemory",
        128,
        /took \d+ MiB of memory, but at most 128 are allowed \(pdf\.documentMemory\)/,
      ),
    );
    t.strictSame(lost, [], "it is not tried again, as after a crash");
    t.ok((await modest).pages > 30, "another document goes on");
    t.equal((await service.print(job(page("next")))).pages, 1);
    t.equal(service.health().restarts, 0, "in the same browser");
  });

  t.test("pages", async (t) => {
    t.equal((await service.print(job(pages(200)))).pages, 200);
    await t.rejects(
      service.print(job(pages(201))),
      overLimit(
        "pdf.documentPages",
        200,
        /has 201 pages, but at most 200 are allowed \(pdf\.documentPages\)/,
      ),
    );
    const { content } = await service.print(job(pages(120)));
    const joined = await service.print(
      job(pages(100), { appendLinks: ["template:a"], attachment: () => Promise.resolve(content) }),
    );
    t.equal(joined.pages, 100, "with attachments as well");
    t.match(joined.errors, [
      { id: "attachment-error", message: /120 pages, more than the 100 that are left/ },
    ]);
  });

  t.test("bytes", async (t) => {
    // Two bytes each.
    await t.rejects(
      service.print(job(page("é".repeat(4_000_000)))),
      overLimit(
        "pdf.documentBytes",
        8_000_000,
        /80\d+ bytes of HTML, but at most 8000000 are allowed \(pdf\.documentBytes\)/,
      ),
    );
    const { content } = await service.print(job(pages(100)));
    await t.rejects(
      service.print(job(words)),
      overLimit(
        "pdf.outputBytes",
        150_000,
        /at least \d+ bytes, but at most 150000 are allowed \(pdf\.outputBytes\)/,
      ),
    );
    const links = ["template:a", "template:b"];
    const attachment = (link: string) =>
      Promise.resolve(link.endsWith("a") ? Buffer.concat([content, Buffer.alloc(100_000)]) : content);
    const joined = await service.print(job(page("x"), { appendLinks: links, attachment }));
    t.match(joined.errors, [{ id: "attachment-error", message: /template:\/\/a .*pdf\.outputBytes/ }]);
    t.equal(joined.pages, 101, "the other one is there");
  });

  t.test("a title is cut, between two characters", async (t) => {
    const family = "👨‍👩‍👧‍👦";
    for (const tagged of [true, false]) {
      const html = page("x").replace("Test", family.repeat(10_000));
      const { content } = await service.print(job(html, { tagged }));
      t.ok(content.length < 50_000);
      const document = await open(content);
      const { info } = await document.getMetadata();
      t.match(info, { Title: family.repeat(Math.floor(1000 / family.length)) });
      await document.destroy();
    }
  });
});
