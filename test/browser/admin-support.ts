/** The admin page as an admin has it: a real host, its page in a real browser. */
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";
import { basename } from "node:path";
import type { Browser, Page } from "puppeteer-core";

export interface AdminPage {
  page: Page;
  /** Errors of the page and what the browser complains of, so far. */
  complaints: string[];
  /** Addresses of other servers that it asked for something, so far. */
  strangers: string[];
}

/** Opens the page in a tab of its own; `width` as a telephone or a desk has it. */
export function openAdmin(browser: Browser, url: string, width = 1280): Promise<AdminPage> {
  return openPage(browser, `${url}/admin/`, width);
}

/** Opens any page of a host in a tab of its own, in a browser that wants this language, or these: "pt-BR,cs-CZ". */
export async function openPage(
  browser: Pick<Browser, "newPage">,
  address: string,
  width = 1280,
  language = "en-GB",
): Promise<AdminPage> {
  const page = await browser.newPage();
  const complaints: string[] = [];
  const strangers: string[] = [];
  page.on("console", (message) => {
    if (["error", "warn"].includes(message.type()))
      complaints.push(`${message.text()} ${message.location().url ?? ""}`.trim());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("request", (request) => {
    const { origin, protocol } = new URL(request.url());
    if (!["blob:", "data:"].includes(protocol) && origin !== new URL(address).origin)
      strangers.push(request.url());
  });
  await page.setViewport({ width, height: 900 });
  await page.evaluateOnNewDocument((wanted) => {
    Object.defineProperty(navigator, "languages", { value: wanted });
  }, language.split(","));
  await page.goto(address);
  return { page, complaints, strangers };
}

/**
 * A proxy that has the host below a path of its own. `instead` may answer a request in the host's place; then it gives true.
 */
export async function proxyWith(
  prefix: string,
  url: string,
  instead: (incoming: IncomingMessage, outgoing: ServerResponse) => boolean = () => false,
): Promise<{ url: string; server: Server }> {
  const server = createServer((incoming, outgoing) => {
    const { method, headers, url: path = "" } = incoming;
    if (!path.startsWith(`${prefix}/`)) return void outgoing.writeHead(404).end();
    if (instead(incoming, outgoing)) return;
    const onward = request(new URL(path.slice(prefix.length), url), { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(outgoing);
    });
    outgoing.on("close", () => onward.destroy());
    onward.on("error", () => outgoing.destroy());
    incoming.pipe(onward);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The proxy has no port");
  return { url: `http://127.0.0.1:${address.port}${prefix}`, server };
}

/** Goes to a view, such as "plugins" or "plugins/Sample". */
export async function goTo(page: Page, view: string): Promise<void> {
  await page.evaluate((hash) => {
    location.hash = hash;
  }, `#/${view}`);
}

/** Resolves when what a selector finds says something; rejects with what the whole page says instead. */
export async function says(page: Page, wanted: RegExp, selector = "body"): Promise<void> {
  const isSaid = (place: string, source: string, flags: string): boolean =>
    [...document.querySelectorAll(place)].some(
      (each) => each instanceof HTMLElement && new RegExp(source, flags).test(each.innerText),
    );
  const options = { timeout: 30_000 };
  await page
    .waitForFunction(isSaid, options, selector, wanted.source, wanted.flags)
    .catch(async (error: unknown) => {
      const text = await page.$eval("body", (body) => body.innerText);
      throw new Error(`Not ${wanted} in ${selector}: ${text}`, { cause: error });
    });
}

/** The text of the row of a table that has a text, its cells parted by a bar. */
export function rowWith(page: Page, text: string): Promise<string | undefined> {
  return page.$$eval(
    "tbody tr",
    (rows, wanted) => {
      const row = rows.find((each) => each.innerText.includes(wanted));
      return row && [...row.cells].map((cell) => cell.innerText.trim()).join(" | ");
    },
    text,
  );
}

/** Presses the button of a name, as soon as it is there. */
export async function press(page: Page, name: string): Promise<void> {
  const button = await page.waitForSelector(`aria/${name}[role="button"]`, { timeout: 30_000 });
  await button?.click();
}

/** Presses the button of the open dialog that does it. */
export async function confirm(page: Page): Promise<void> {
  const button = await page.waitForSelector('dialog[open] button[type="submit"]', { timeout: 30_000 });
  await button?.click();
}

/** Drops a file on the page, as if it came from another window. */
export async function dropFile(page: Page, file: string): Promise<void> {
  const content = (await readFile(file)).toString("base64");
  await page.evaluate(
    (name, encoded) => {
      const bytes = Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0));
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([bytes], name));
      for (const type of ["dragover", "drop"])
        document.body.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
    },
    basename(file),
    content,
  );
}

/** By how many pixels the page is wider than the window. */
export function overhang(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}
