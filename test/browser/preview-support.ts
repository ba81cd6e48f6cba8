/** The live preview as a person has it: the command in a terminal, its page in a browser. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Browser, Page } from "puppeteer-core";
import { cleanEnvironment, commandLine, reporterAlone } from "../start-host.js";

export interface StartedPreview {
  /** Of the page. */
  address: string;
  process: ChildProcess;
  /** What it wrote to standard error so far. */
  told(): string;
  /** Ctrl+C; resolves with the exit code when the command has ended. */
  interrupt(): Promise<number | null>;
}

/**
 * Runs `slipway template preview`; `temporary` is where it may put what it needs. Rejects with its output when it ends. There is
 * only the reporter, unless all plugins are wanted.
 */
export async function startPreview(
  parameters: readonly string[],
  temporary: string,
  hasAllPlugins = false,
): Promise<StartedPreview> {
  const plugins = hasAllPlugins ? {} : { SLIPWAY_PLUGINS: await reporterAlone() };
  const child = spawn(process.execPath, [commandLine, "template", "preview", "--no-open", ...parameters], {
    env: { ...cleanEnvironment(), ...plugins, TMPDIR: temporary },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const exited = once(child, "exit").then(([code]: (number | null)[]) => code ?? null);
  let output = "";
  child.stderr.on("data", (chunk) => {
    output += String(chunk);
  });
  const printed = new Promise<string>((resolve) => {
    createInterface({ input: child.stdout }).on("line", (line) => {
      const address = /^Preview {3}(\S+)$/.exec(line)?.[1];
      if (address !== undefined) resolve(address);
    });
  });
  const ended = exited.then((code): never => {
    throw new Error(`The preview ended with ${code}:\n${output}`);
  });
  ended.catch(() => undefined);
  return {
    address: await Promise.race([printed, ended]),
    process: child,
    told: () => output,
    async interrupt() {
      child.kill("SIGINT");
      return exited;
    },
  };
}

export interface PreviewPage {
  page: Page;
  /** Errors of the page and what the browser complains of, so far. */
  complaints: string[];
}

/** Opens a preview in a tab of its own. */
export async function openPreview(browser: Browser, address: string): Promise<PreviewPage> {
  const page = await browser.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (["error", "warn"].includes(message.type())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  await page.setViewport({ width: 1280, height: 900 });
  await page.goto(address);
  return { page, complaints };
}

/** Resolves when the pages say this and are all up to date; rejects with what they say instead. */
export async function shows(page: Page, wanted: { text?: string; pages?: number }): Promise<void> {
  const isShown = ({ text, pages }: { text?: string; pages?: number }): boolean => {
    const isDone = document.querySelector('[data-state="done"]') !== null;
    const shown = document.querySelector(".pages")?.textContent ?? "";
    const count = document.querySelectorAll(".page").length;
    return isDone && (text === undefined || shown.includes(text)) && (pages === undefined || pages === count);
  };
  await page.waitForFunction(isShown, { timeout: 30_000 }, wanted).catch(async (error: unknown) => {
    throw new Error(`Not ${JSON.stringify(wanted)}: ${await textOf(page, "body")}`, { cause: error });
  });
}

/** The text of what a selector finds, as it is to be seen. */
export function textOf(page: Page, selector: string): Promise<string> {
  return page.$eval(selector, (element) => (element instanceof HTMLElement ? element.innerText : ""));
}

/** Resolves when the page says that something is wrong, with what it says. */
export async function problemOf(page: Page, part: string): Promise<string> {
  const isSaid = (wanted: string): boolean => {
    const panel = document.querySelector(".problems");
    return panel instanceof HTMLElement && !panel.hidden && panel.innerText.includes(wanted);
  };
  await page.waitForFunction(isSaid, { timeout: 30_000 }, part).catch(async (error: unknown) => {
    throw new Error(`Not "${part}": ${await textOf(page, "body")}`, { cause: error });
  });
  return textOf(page, ".problems");
}
