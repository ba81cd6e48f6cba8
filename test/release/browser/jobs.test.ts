/** Jobs on the admin page: how far they are, why they failed, and a way to end them. */
import { join } from "node:path";
import type { Browser } from "puppeteer-core";
import t from "tap";
import { launchBrowser } from "../../bench/pdf/browser-contenders.js";
import { confirm, goTo, openAdmin, overhang, press, rowWith, says } from "../../browser/admin-support.js";
import { askLater, inState, startWorkshop, workshop } from "../../host/jobs-support.js";
import { until } from "../../host/plugins-support.js";
import type { StartedHost } from "../../start-host.js";

let host: StartedHost;
let browser: Browser;
let folder: string;

t.before(async () => {
  folder = await workshop(t);
  host = await startWorkshop(folder, { configuration: { jobs: { concurrency: 1 } } });
  browser = await launchBrowser(join(folder, "browser"));
});
t.teardown(async () => {
  await browser?.close();
  await host?.stop();
});

t.test("jobs are listed as they go, and cancelled after a question", async (t) => {
  const { page, complaints } = await openAdmin(browser, host.url);
  await goTo(page, "jobs");
  await says(page, /There are no jobs/);
  const done = await askLater(host.url, "make", {});
  const failed = await askLater(host.url, "refuse", {});
  await inState(host.url, failed.id, "failed");
  const gate = join(folder, "never");
  const running = await askLater(host.url, "make", { gate, notes: join(folder, "notes") });
  const waiting = await askLater(host.url, "make", {});
  await says(page, /1 running, 1 waiting, 1 failed, 4 jobs shown/);
  await says(page, /page 40 of 100/);
  const row = (id: string) => rowWith(page, id.slice(0, 8));
  t.match(await row(running.id), /Workshop@1\.0\.0\s+POST make \| Running\s+40 %\s*page 40 of 100 \|/);
  t.match(await row(failed.id), /Nothing\. \| Failed\s+in /);
  t.match(await row(done.id), /Done/);
  t.match(await row(waiting.id), /Waiting .* 0 \|/s);
  t.notMatch(await page.content(), running.id, "the whole id would open the answer");

  await press(page, `Cancel job ${running.id.slice(0, 8)}…`);
  await says(page, /Workshop@1\.0\.0 ends without an answer/, "dialog");
  await confirm(page);
  await says(page, /0 running, 0 waiting, 1 failed/);
  t.match(await row(running.id), /Cancelled/);
  t.match(await inState(host.url, waiting.id, "done"), { attempt: 1 });
  await page.setViewport({ width: 360, height: 900 });
  // The layout follows the window.
  await until(async () => (await overhang(page)) === 0);
  t.strictSame(complaints, []);
  await page.close();
});
