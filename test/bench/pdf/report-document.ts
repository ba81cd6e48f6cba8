/**
 * The document that the host prints, taken from our own pipeline, as a web page that any browser can load. Uses the part
 * itself: a host answers with the PDF, not with the page before it.
 */

import { createHash } from "node:crypto";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { checked, type Log, type ProjectDocument, Validator } from "@slipway/sdk";
import { untraced } from "@slipway/sdk/runtime/host";
import { TemplatesConfiguration } from "../../../host/configuration/templates-configuration.js";
import { createTemplateService } from "../../../host/templates/create-template-service.js";

const quiet: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const templates = fileURLToPath(new URL("../../../templates", import.meta.url));

export interface WebDocument {
  /** As our pipeline prints it. */
  source: string;
  /** With absolute addresses. */
  html: string;
  /** Of the page itself, its pictures below the same origin. */
  url: string;
}

/** Renders documents and serves them, with the pictures of their projects as they came in. */
export class DocumentServer {
  private readonly service = createTemplateService({
    configuration: checked(new Validator().compile(TemplatesConfiguration, "templates")({}), "benchmark"),
    folders: [templates],
    log: quiet,
  });
  private readonly files = new Map<string, { mediaType: string; content: Buffer }>();
  private readonly server: Server = createServer((request, response) => {
    this.serve(request.url ?? "", response);
  });

  async start(): Promise<void> {
    await this.service.start();
    await new Promise<void>((resolve) => this.server.listen(0, "127.0.0.1", resolve));
  }

  async add(name: string, data: unknown, project: ProjectDocument): Promise<WebDocument> {
    const definition = await this.service.find("quote", "en");
    if (definition === undefined) throw new Error("the template quote is missing");
    const { html } = await this.service.render(
      {
        key: "quote",
        version: definition.version,
        data: JSON.stringify(data),
        locale: "en",
        formatLocale: "en",
      },
      { signal: AbortSignal.timeout(60_000), deadline: Date.now() + 60_000, work: untraced(quiet) },
    );
    for (const { mediaType, base64 = "" } of Object.values(project.assets ?? {})) {
      const content = Buffer.from(base64, "base64");
      this.files.set(`/assets/${createHash("sha256").update(content).digest("hex")}`, { mediaType, content });
    }
    this.files.set(`/${name}`, { mediaType: "text/html; charset=utf-8", content: Buffer.from(html) });
    const origin = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
    return {
      source: html,
      url: `${origin}/${name}`,
      html: html.replaceAll(/(["'(])\/(assets|templates)\//g, `$1${origin}/$2/`),
    };
  }

  /** A picture of a project or a file of a template. */
  async file(path: string): Promise<{ mediaType: string; content: Uint8Array } | undefined> {
    const [, version = "", file = ""] = /^\/templates\/([^/]+)\/(.+)$/.exec(path) ?? [];
    return this.files.get(path) ?? (await this.service.asset(version, decodeURIComponent(file)));
  }

  /** The same document with its HTML changed. */
  variant(name: string, document: WebDocument, change: (html: string) => string): WebDocument {
    const html = change(document.html);
    this.files.set(`/${name}`, { mediaType: "text/html; charset=utf-8", content: Buffer.from(html) });
    return { source: document.source, url: new URL(`/${name}`, document.url).href, html };
  }

  async stop(): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
    await this.service.stop();
  }

  private async serve(path: string, response: ServerResponse): Promise<void> {
    const found = await this.file(path);
    if (found === undefined) return void response.writeHead(404).end();
    response.writeHead(200, {
      "content-type": found.mediaType,
      "cache-control": "max-age=31536000, immutable",
    });
    response.end(found.content);
  }
}
