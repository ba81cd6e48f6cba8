import type { Browser, HTTPRequest, Page } from "puppeteer-core";
import { blockedFile } from "../../runtime/host.js";
import { RequestError } from "../../schema/errors.js";
import type { TestPrintJob } from "../test-host.js";

/** Origin of documents; only requests intercepted here are answered. */
const origin = "http://document.slipway.test";

/** Requested by full browsers on their own; never part of a document. */
const browserIcon = "/favicon.ico";

/** A document being loaded. */
interface Loading {
  job: TestPrintJob;
  /** The document itself was requested; any further navigation leads elsewhere. */
  begun: boolean;
  ledElsewhere: boolean;
  missing: Set<string>;
}

/**
 * Prints a document in a new browser context. `missing` lists the requested paths that were not found and the
 * addresses that were blocked. Rejects with 500 `template-error` if the document navigates elsewhere or cannot be printed, and with the
 * reason of the signal.
 */
export async function printDocument(
  browser: Browser,
  job: TestPrintJob,
): Promise<{ content: Uint8Array; missing: string[] }> {
  job.signal.throwIfAborted();
  const context = await browser.createBrowserContext();
  const leave = (): void => void context.close().catch(() => undefined); // it may already be closing
  job.signal.addEventListener("abort", leave, { once: true });
  const loading: Loading = { job, begun: false, ledElsewhere: false, missing: new Set() };
  try {
    const content = await printed(await context.newPage(), loading);
    if (loading.ledElsewhere) throw new Error("The document navigated elsewhere");
    return { content, missing: [...loading.missing] };
  } catch (error) {
    job.signal.throwIfAborted();
    const message = loading.ledElsewhere
      ? "The document tried to navigate; a printed document cannot."
      : "Chromium could not print the document.";
    throw new RequestError({ id: "template-error", code: 500, message, reason: error });
  } finally {
    job.signal.removeEventListener("abort", leave);
    leave();
  }
}

async function printed(page: Page, loading: Loading): Promise<Uint8Array> {
  const { tagged, scripts } = loading.job;
  await page.setJavaScriptEnabled(scripts);
  await page.setRequestInterception(true);
  page.on("request", (request) => {
    answer(request, loading).catch(() => undefined); // the page has been closed
  });
  // What the policy blocks is never requested.
  const session = await page.createCDPSession();
  session.on("Audits.issueAdded", ({ issue }) => {
    const file = blockedFile(issue.details.contentSecurityPolicyIssueDetails?.blockedURL, origin);
    if (file !== undefined) loading.missing.add(file);
  });
  await session.send("Audits.enable");
  await page.goto(`${origin}/`, { waitUntil: "load", timeout: 0 });
  return page.pdf({
    format: "a4",
    printBackground: true,
    preferCSSPageSize: true,
    tagged,
    outline: tagged,
    timeout: 0,
  });
}

async function answer(request: HTTPRequest, loading: Loading): Promise<void> {
  const url = new URL(request.url());
  if (url.protocol === "data:") return request.continue();
  if (request.isNavigationRequest()) return navigate(request, loading);
  if (url.origin !== origin || request.method() !== "GET") return request.abort("blockedbyclient");
  if (url.pathname === browserIcon) return request.abort("blockedbyclient");
  const found = await loading.job.load(url.pathname).catch(() => undefined);
  if (found === undefined) {
    loading.missing.add(url.pathname);
    return request.abort("failed");
  }
  const { mediaType: contentType, content: body } = found;
  return request.respond({ contentType, body });
}

async function navigate(request: HTTPRequest, loading: Loading): Promise<void> {
  if (loading.begun) {
    loading.ledElsewhere = true;
    return request.abort("blockedbyclient");
  }
  loading.begun = true;
  const { html, scripts } = loading.job;
  return request.respond({
    contentType: "text/html; charset=utf-8",
    headers: { "Content-Security-Policy": policy(scripts) },
    body: html,
  });
}

/** The policy of a host: own pictures, styles and fonts, no frames, no forms. */
function policy(scripts: boolean): string {
  const own = "'self' data:";
  return (
    `default-src 'none'; script-src ${scripts ? "'unsafe-inline' 'self'" : "'none'"}; ` +
    `style-src 'unsafe-inline' ${own}; img-src ${own}; font-src ${own}; ` +
    "form-action 'none'; base-uri 'none'; frame-src 'none'; object-src 'none'"
  );
}
