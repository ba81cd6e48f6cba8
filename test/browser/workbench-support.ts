/** The workbench as a person has it, who counts clicks. */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Browser, Page } from "puppeteer-core";
import { repository } from "../start-host.js";
import { type AdminPage, openPage, says } from "./admin-support.js";

export const demoProject = join(repository, "config", "demo", "demo-project.obk");

/** Opens the workbench in a profile of its own, so that nothing is remembered of others. */
export async function openWorkbench(
  browser: Browser,
  url: string,
  width = 1280,
  language = "en-GB",
): Promise<AdminPage> {
  const profile = await browser.createBrowserContext();
  return openPage(profile, `${url}/workbench/`, width, language);
}

/** Chooses a project file in the field of the page. */
export async function chooseFile(page: Page, file: string): Promise<void> {
  const field = await page.waitForSelector('input[type="file"]', { visible: false });
  await field?.uploadFile(file);
}

/** Clicks on the link or button of a name. */
export async function click(page: Page, name: string, role: "link" | "button" = "link"): Promise<void> {
  const found = await page.waitForSelector(`aria/${name}[role="${role}"]`, { timeout: 30_000 });
  await found?.click();
}

/** Resolves when the pages of a report are to be seen, with how many they are. */
export async function reportIsShown(page: Page): Promise<number> {
  await page.waitForFunction(
    () =>
      document.querySelector(".report-pages:not([aria-busy]) .made-file a") !== null &&
      document.querySelector(".report-paper .page canvas") !== null,
    { timeout: 60_000 },
  );
  return page.$$eval(".report-paper .page", (pages) => pages.length);
}

/** The text of the rows of the tree that are drawn, their cells parted by a bar. */
export function treeRows(page: Page): Promise<string[]> {
  return page.$$eval(".line-list tr", (rows) =>
    rows.map((row) => [...row.cells].map((cell) => cell.innerText.trim().replaceAll("\n", " ")).join(" | ")),
  );
}

const rules = { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] };

/** What axe-core finds wrong with the page as it is, one line each. */
export async function findings(page: Page): Promise<string[]> {
  await page.evaluate(await axeSource());
  return page.evaluate(async (options) => {
    const axe: unknown = Reflect.get(window, "axe");
    if (typeof axe !== "object" || axe === null) throw new Error("axe-core is not there");
    const run: unknown = Reflect.get(axe, "run");
    if (typeof run !== "function") throw new Error("axe-core cannot run");
    const { violations } = await run.call(axe, document, options);
    return violations.flatMap(
      ({ id, nodes }: { id: string; nodes: { target: string[]; failureSummary: string }[] }) =>
        nodes.map(({ target, failureSummary }) => `${id}: ${target.join(" ")}: ${failureSummary}`),
    );
  }, rules);
}

let source: Promise<string> | undefined;

function axeSource(): Promise<string> {
  source ??= readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
  return source;
}

/** Opens the demo project; resolves when its lines and a picture are to be seen. */
export async function openDemo(page: Page, total: RegExp = /Total\s+€36,036\.85/): Promise<void> {
  await chooseFile(page, demoProject);
  await says(page, total, ".sums");
  await page.waitForSelector(".line-list .picture img");
}
