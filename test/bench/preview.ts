/**
 * How long it takes from the save of a template's file until the preview page shows the pages anew: a quote with 30
 * articles, its report.ejs and its style.css saved in turn, in a real browser.
 *
 * Options: --saves=N.
 */
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "puppeteer-core";
import { openPreview, shows, startPreview } from "../browser/preview-support.js";
import { repository } from "../start-host.js";
import { atEnd, temporaryFolder } from "./measuring/clean-up.js";
import { launchBrowser } from "./pdf/browser-contenders.js";
import { largeProject } from "./pdf/large-project.js";
import { numberOption } from "./pdf/number-option.js";
import { median, percentile, short, table } from "./pdf/statistics.js";

const articles = 30;

/** Milliseconds; `served`, `generated`, `fetched` and `drawn` as the page measures them, `total` from outside of it. */
interface Save {
  served: number;
  generated: number;
  fetched: number;
  drawn: number;
  total: number;
}

const titles: Record<keyof Save, string> = {
  served: "noticed, checked and served",
  generated: "report generated",
  fetched: "PDF fetched",
  drawn: "pages in sight drawn",
  total: "save to pages",
};

export async function run(options: string[]): Promise<{ text: string; json: unknown }> {
  const count = numberOption(options, "saves", 30);
  const { path: folder, remove } = await temporaryFolder();
  const templates = join(folder, "templates");
  for (const name of ["quote", "_standard"])
    await cp(join(repository, "templates", name), join(templates, name), { recursive: true });
  const project = join(folder, "project.json");
  await writeFile(project, JSON.stringify(await largeProject(articles)));
  await mkdir(join(folder, "temporary"));
  const preview = await startPreview(
    ["quote", "--project", project, "--templates", templates],
    join(folder, "temporary"),
  );
  const interrupt = atEnd(() => preview.interrupt());
  const browser = await launchBrowser(join(folder, "browser"));
  try {
    const { page } = await openPreview(browser, preview.address);
    await shows(page, {});
    const saves: Save[] = [];
    // The first ones warm up.
    for (let number = -3; number < count; number++) {
      const save = await timedSave(
        page,
        join(templates, "quote", number % 2 === 0 ? "report.ejs" : "style.css"),
      );
      if (number >= 0) saves.push(save);
    }
    const pages = await page.$$eval(".page", (all) => all.length);
    return { text: report(saves, pages), json: { articles, pages, saves } };
  } finally {
    await browser.close();
    await interrupt();
    await remove();
  }
}

/** Adds something to a file that changes nothing to be seen, and waits for the pages of that version. */
async function timedSave(page: Page, file: string): Promise<Save> {
  const drawn = (): number => performance.getEntriesByName("slipway-drawn").length;
  // People pause between saves; what the page does besides belongs to the one before.
  await page.evaluate(() => new Promise<void>((resolve) => requestIdleCallback(() => resolve())));
  const before = await page.evaluate(drawn);
  const content = await readFile(file, "utf8");
  const begun = Date.now();
  await writeFile(file, file.endsWith(".css") ? `${content}\n` : `${content}<!-- -->`);
  await page.waitForFunction(
    (wanted) => performance.getEntriesByName("slipway-drawn").length > wanted,
    { polling: 5 },
    before,
  );
  return page.evaluate((start) => {
    const last = performance.getEntriesByName("slipway-drawn").at(-1);
    const detail: Record<string, number> = last instanceof PerformanceMark ? last.detail : {};
    const { served = Number.NaN, generated = Number.NaN, fetched = Number.NaN, drawn = Number.NaN } = detail;
    const total = performance.timeOrigin + (last?.startTime ?? Number.NaN) - start;
    return { served, generated, fetched, drawn, total };
  }, begun);
}

function report(saves: Save[], pages: number): string {
  const steps: (keyof Save)[] = ["served", "generated", "fetched", "drawn", "total"];
  const rows = steps.map((step) => {
    const times = saves.map((save) => save[step]);
    return [titles[step], short(median(times)), short(percentile(times, 95))];
  });
  const head = `A quote with ${articles} articles, ${pages} pages; ${saves.length} saves, milliseconds`;
  return [head, table([["", "median", "p95"], ...rows])].join("\n");
}
