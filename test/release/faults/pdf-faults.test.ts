/** Deaths, freezes, overload and deadlines: the report still comes, or its error does, and nothing is left behind. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import t from "tap";
import {
  browserOf,
  job,
  page,
  pageTexts,
  processesOf,
  resources,
  startedService,
  until,
  varFolder,
  workersOf,
} from "../../host/pdf-support.js";
import { testProgram } from "../../start-host.js";

/** A document whose print takes long enough to be met in the middle of it. */
const long = page(
  Array.from(
    { length: 5_000 },
    (_, row) => `<div style="display:flex"><b>row ${row}</b><i>text of it</i></div>`,
  ).join(""),
);

t.test("a picture that takes too long to prepare is left out by name", async (t) => {
  const service = await startedService({ varDirectory: varFolder(), pdf: { pictures: { timeout: 1 } } });
  t.teardown(() => service.stop());
  const create = { width: 300, height: 200, channels: 3, background: "#345" } as const;
  const path = `/assets/${"a".repeat(64)}`;
  const files = resources({
    [path]: { mediaType: "image/png", content: await sharp({ create }).png().toBuffer() },
  });
  // Each document is told, whoever asked first.
  const twice = job(page(`<img src="${path}" alt="instead"><p>still here`), { resources: files });
  for (const printed of await Promise.all([service.print(twice), service.print({ ...twice })])) {
    t.match(await pageTexts(printed.content), [/still here/]);
    t.match(printed.errors, [
      { id: "document-picture-refused", scopes: ["ERROR"], message: /1 ms/, additionalInformation: { path } },
    ]);
  }
  await until(() => workersOf(process.pid, "picture-process").length === 0, "the end of the processes");
});

t.test("faults of the browser", async (t) => {
  const varDirectory = varFolder();
  const service = await startedService({ varDirectory, pdf: { pages: 2, silenceTimeout: 500 } });
  t.teardown(() => service.stop());

  t.test("killed in mid-print: the report still comes", async (t) => {
    const browser = browserOf(varDirectory);
    const printing = service.print(job(long));
    await until(() => service.health().running === 1, "the start of the print");
    process.kill(browser, "SIGKILL");
    t.ok((await printing).pages > 50);
    t.equal(service.health().restarts, 1);
    t.not(browserOf(varDirectory), browser, "another browser");
    await until(() => processesOf(browser).length === 0, "the end of the killed one");
  });

  t.test("pages killed in mid-print: the reports still come from the same browser", async (t) => {
    const browser = browserOf(varDirectory);
    const printing = [service.print(job(long)), service.print(job(page("short one")))];
    await until(() => service.health().running === 2, "the start of the print");
    for (const each of processesOf(browser)) if (each.type === "renderer") process.kill(each.pid, "SIGKILL");
    const [first, second] = await Promise.all(printing);
    t.ok((first?.pages ?? 0) > 50);
    t.equal(second?.pages, 1);
    t.equal(browserOf(varDirectory), browser);
    t.equal(service.health().restarts, 1);
  });

  t.test("a browser that freezes is replaced, and the report still comes", async (t) => {
    const browser = browserOf(varDirectory);
    for (const each of processesOf(browser)) process.kill(each.pid, "SIGSTOP");
    t.strictSame(await pageTexts((await service.print(job(page("thawed")))).content), ["thawed"]);
    await until(() => processesOf(browser).length === 0, "the end of the frozen one");
    t.equal(service.health().restarts, 2);
  });

  t.test("a frozen browser at the deadline: 504 in time, and the next report comes", async (t) => {
    const browser = browserOf(varDirectory);
    for (const each of processesOf(browser)) process.kill(each.pid, "SIGSTOP");
    await t.rejects(service.print(job(page("never"), { deadline: Date.now() + 300 })), {
      code: 504,
      id: "request-timeout",
    });
    t.strictSame(await pageTexts((await service.print(job(page("again")))).content), ["again"]);
    await until(() => processesOf(browser).length === 0, "the end of the frozen one");
  });

  t.test("a frozen page at the deadline: 504, and the browser stays", async (t) => {
    const browser = browserOf(varDirectory);
    // Also those that begin only now: the browser is new. The document takes long enough to be met in print.
    const freezing = setInterval(() => {
      for (const each of processesOf(browser))
        if (each.type === "renderer") process.kill(each.pid, "SIGSTOP");
    }, 5);
    await t.rejects(service.print(job(long, { deadline: Date.now() + 1_000 })), { code: 504 });
    clearInterval(freezing);
    for (const each of processesOf(browser)) process.kill(each.pid, "SIGCONT");
    t.strictSame(await pageTexts((await service.print(job(page("again")))).content), ["again"]);
    t.equal(browserOf(varDirectory), browser);
  });
});

t.test("limits", async (t) => {
  const varDirectory = varFolder();
  const service = await startedService({
    varDirectory,
    pdf: { pages: 1, queueLength: 2, documentBytes: 2_000_000 },
  });
  t.teardown(() => service.stop());
  const idle = () => until(() => service.health().running === 0, "the end of all prints");

  t.test("a full queue refuses with 503 and Retry-After, and serves what it took", async (t) => {
    const taken = Array.from({ length: 3 }, (_, index) => service.print(job(page(`job ${index}`))));
    const error: unknown = await service.print(job(page("too many"))).then(
      () => undefined,
      (error: unknown) => error,
    );
    t.match(error, { code: 503, id: "request-overloaded", headers: { "Retry-After": /^\d+$/ } });
    t.equal((await Promise.all(taken)).length, 3);
  });

  t.test("a queue that is full by its bytes refuses too", async (t) => {
    const small = await startedService({ varDirectory: varFolder(), pdf: { pages: 1, queueBytes: 1000 } });
    t.teardown(() => small.stop());
    const first = small.print(job(page("first")));
    await t.rejects(small.print(job(page("x".repeat(2000)))), { code: 503, id: "request-overloaded" });
    t.equal((await first).pages, 1);
  });

  t.test("the deadline counts from the arrival, in the queue as in the print", async (t) => {
    const first = service.print(job(long));
    await t.rejects(service.print(job(page("second"), { deadline: Date.now() + 50 })), {
      code: 504,
      message: /waiting/,
    });
    await first;
    await t.rejects(service.print(job(long, { deadline: Date.now() + 100 })), {
      code: 504,
      id: "request-timeout",
    });
    await t.rejects(service.print(job(page("late"), { deadline: Date.now() - 1 })), { code: 504 });
    t.equal((await service.print(job(page("next")))).pages, 1);
  });

  t.test("a caller who gives up leaves queue and page at once", async (t) => {
    const running = new AbortController();
    const waiting = new AbortController();
    const first = service.print(job(long, { signal: running.signal }));
    const second = service.print(job(page("second"), { signal: waiting.signal }));
    t.match(service.health(), { running: 1, queued: 1 });
    waiting.abort();
    await t.rejects(second, { code: 499, id: "request-aborted" });
    t.equal(service.health().queued, 0);
    running.abort();
    await t.rejects(first, { code: 499, id: "request-aborted" });
    await idle();
    t.equal((await service.print(job(page("next")))).pages, 1);
  });

  t.test("a document over the limit is 413", async (t) => {
    await t.rejects(service.print(job(page("x".repeat(2_000_001)))), { code: 413, id: "request-too-large" });
  });

  t.test("a small document passes by large ones where two may print", async (t) => {
    const two = await startedService({ varDirectory: varFolder(), pdf: { pages: 2 } });
    t.teardown(() => two.stop());
    const order: string[] = [];
    const large = [1, 2, 3].map((number) => two.print(job(long)).then(() => order.push(`large ${number}`)));
    await two.print(job(page("small"))).then(() => order.push("small"));
    await Promise.all(large);
    // Opening the second page may take as long as the first large document; in turn it would be third.
    t.ok(order.indexOf("small") < 2, order.join(", "));
  });
});

t.test("when the host is killed, its browser ends by itself", async (t) => {
  const varDirectory = varFolder();
  const host = spawn(process.execPath, [testProgram("host/browser-owner"), varDirectory], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(host.stdout, "data");
  const browser = browserOf(varDirectory);
  t.ok(processesOf(browser).length > 2);
  host.kill("SIGKILL");
  await until(() => processesOf(browser).length === 0, "the end of the browser");
  const next = await startedService({ varDirectory });
  t.equal((await next.print(job(page("after")))).pages, 1);
  await next.stop();
  t.strictSame(
    readdirSync(join(varDirectory, "pdf")),
    ["fonts"],
    "the profile of the killed one is gone, too",
  );
});
