/** The host as its users have it: started by the command line, spoken to over HTTP. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ProjectDocument } from "@slipway/sdk";
import { commandLineOf, repository } from "../../start-host.js";
import { ListeningProcess } from "../measuring/listening-process.js";

/** Addresses of the files of an export. */
export interface FinishedExport {
  files: Record<string, string>;
}

export interface BenchmarkHostOptions {
  /** The folder of a checkout, built; default: this one. */
  installation?: string;
  /** Drop-in folders besides the one that comes along. */
  plugins?: readonly string[];
  /** Content of a configuration file. */
  configuration?: Record<string, unknown>;
}

export class BenchmarkHost {
  private constructor(private readonly process: ListeningProcess) {}

  /** Its files are in `folder`, from its last start there, too. */
  static async start(folder: string, options: BenchmarkHostOptions = {}): Promise<BenchmarkHost> {
    const { installation = repository, plugins, configuration } = options;
    const parameters = [commandLineOf(installation), "start", "--port", "0", "--var", join(folder, "var")];
    for (const each of plugins ?? []) parameters.push("--plugins", each);
    if (plugins !== undefined) parameters.push("--plugins", join(installation, "plugins"));
    if (configuration !== undefined) {
      const file = join(folder, "slipway.json");
      await writeFile(file, JSON.stringify(configuration));
      parameters.push("--config", file);
    }
    return new BenchmarkHost(await ListeningProcess.start({ parameters, log: join(folder, "host.log") }));
  }

  get pid(): number {
    return this.process.pid;
  }

  get url(): string {
    return this.process.url;
  }

  /** From the start of the process until it listens. */
  get startSeconds(): number {
    return this.process.startSeconds;
  }

  /** `project`: the document, or its JSON, so that making it takes none of the time. */
  async openSession(project: ProjectDocument | string): Promise<string> {
    const { sessionId } = await this.post("/api/sessions", project);
    return String(sessionId);
  }

  async closeSession(sessionId: string): Promise<void> {
    const response = await fetch(new URL(`/api/sessions/${sessionId}`, this.url), { method: "DELETE" });
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`the session does not end: ${response.status}`);
  }

  /** Exports the project of a session. */
  async exportOex(sessionId: string, config: Record<string, unknown>): Promise<FinishedExport> {
    const { oex, obx, archive } = await this.post("/EAIWS/plugins/oex/export", { sessionId, config });
    return { files: { oex: urlOf(oex), obx: urlOf(obx), archive: urlOf(archive) } };
  }

  /** The bytes of generated files. */
  async sizes(files: Record<string, string>): Promise<Record<string, number>> {
    const sizes: Record<string, number> = {};
    for (const [name, url] of Object.entries(files)) {
      const { headers } = await fetch(url, { method: "HEAD" });
      sizes[name] = Number(headers.get("content-length"));
    }
    return sizes;
  }

  /** How long the host takes to say that it lives, milliseconds. */
  async health(): Promise<number> {
    const begun = performance.now();
    const response = await fetch(new URL("/healthz", this.url));
    await response.arrayBuffer();
    return performance.now() - begun;
  }

  /** The request that makes a report; the URL of the PDF. */
  async report(sessionId: string): Promise<string> {
    const { url } = await this.post("/EAIWS/plugins/Reporter/template/quote/v1/generate", { sessionId });
    return String(url);
  }

  /** Makes a report and fetches the PDF. */
  async fetchedReport(sessionId: string): Promise<Uint8Array> {
    return fetched(await this.report(sessionId));
  }

  /** Prints HTML with the plugin of the benchmark, tagged, and fetches the PDF. */
  async fetchedPrint(sessionId: string, html: string): Promise<Uint8Array> {
    const { url } = await this.post("/EAIWS/plugins/html-printer/print", { sessionId, html });
    return fetched(String(url));
  }

  /** The URL of a workbook with the articles. */
  async workbook(sessionId: string): Promise<string> {
    const { url } = await this.post("/EAIWS/plugins/excel/v1/export", { sessionId });
    return String(url);
  }

  async templateData(sessionId: string): Promise<Record<string, unknown>> {
    return JSON.parse(await this.templateDataText(sessionId));
  }

  /** As it comes, so that reading it takes none of the time. */
  templateDataText(sessionId: string): Promise<string> {
    return this.send("/EAIWS/plugins/Reporter/template/quote/data.json", { sessionId });
  }

  stop(): Promise<void> {
    return this.process.stop();
  }

  private async post(path: string, body: unknown): Promise<Record<string, unknown>> {
    return JSON.parse(await this.send(path, body));
  }

  private async send(path: string, body: unknown): Promise<string> {
    const response = await fetch(new URL(path, this.url), {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: typeof body === "string" ? body : JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text.slice(0, 500)}`);
    return text;
  }
}

async function fetched(url: string): Promise<Uint8Array> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`the PDF: ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}

function urlOf(file: unknown): string {
  if (typeof file !== "object" || file === null) throw new Error("the export lacks a file");
  return String(Reflect.get(file, "url"));
}
