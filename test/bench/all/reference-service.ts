/**
 * What it takes to print HTML over HTTP with puppeteer and nothing else: a warm browser, a page for each processor that is
 * used again and again, without scripts. Gets the browser's program and its profile folder as parameters.
 */
import { once } from "node:events";
import { createServer } from "node:http";
import { availableParallelism } from "node:os";
import { text } from "node:stream/consumers";
import Koa from "koa";
import puppeteer, { type Page } from "puppeteer-core";

const [executablePath = "", userDataDir = "", ...browserFlags] = process.argv.slice(2);
const browser = await puppeteer.launch({
  executablePath,
  userDataDir,
  headless: "shell",
  pipe: true,
  handleSIGINT: false,
  handleSIGTERM: false,
  handleSIGHUP: false,
  args: browserFlags,
});
const idle: Page[] = [];
const waiting: ((page: Page) => void)[] = [];

for (let number = 0; number < availableParallelism(); number++) {
  const page = await browser.newPage();
  await page.setJavaScriptEnabled(false);
  idle.push(page);
}

const app = new Koa();
app.use(async (context) => {
  const html = await text(context.req);
  const page = idle.pop() ?? (await new Promise<Page>((resolve) => waiting.push(resolve)));
  try {
    context.body = Buffer.from(await printed(page, html));
    context.type = "application/pdf";
  } finally {
    const next = waiting.shift();
    if (next === undefined) idle.push(page);
    else next(page);
  }
});

async function printed(page: Page, html: string): Promise<Uint8Array> {
  await page.setContent(html, { waitUntil: "load", timeout: 120_000 });
  return page.pdf({ printBackground: true, preferCSSPageSize: true, tagged: true, timeout: 120_000 });
}

const server = createServer(app.callback()).listen(0, "127.0.0.1");
await once(server, "listening");
const address = server.address();
if (address === null || typeof address === "string") throw new Error("no port");
process.stdout.write(`listening on http://127.0.0.1:${address.port}\n`);

const stop = async (): Promise<void> => {
  server.close();
  server.closeAllConnections();
  await browser.close();
  process.exit(0);
};
for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => void stop());
