/** The host as its users have it: started by the command line, spoken to over HTTP. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { ProjectDocument } from "@slipway/sdk";

const program = fileURLToPath(new URL("../../../host/dist/cli/slipway.js", import.meta.url));

/** Addresses of the files of an export. */
export interface FinishedExport {
  files: Record<string, string>;
}

export class BenchmarkHost {
  private constructor(
    private readonly child: ChildProcess,
    private readonly url: string,
  ) {}

  static async start(folder: string): Promise<BenchmarkHost> {
    const child = spawn(process.execPath, [program, "start", "--port", "0", "--var", join(folder, "var")], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    child.stderr.pipe(createWriteStream(join(folder, "host.log")));
    for await (const line of createInterface({ input: child.stdout })) {
      const url = /listening on (http:\S+)/.exec(line)?.[1];
      if (url !== undefined) return new BenchmarkHost(child, url);
    }
    throw new Error(`the host did not start; see ${join(folder, "host.log")}`);
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  async openSession(project: ProjectDocument): Promise<string> {
    const { sessionId } = await this.post("/api/sessions", project);
    return String(sessionId);
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
    const response = await fetch(await this.report(sessionId));
    if (!response.ok) throw new Error(`the PDF: ${response.status}`);
    return new Uint8Array(await response.arrayBuffer());
  }

  templateData(sessionId: string): Promise<Record<string, unknown>> {
    return this.post("/EAIWS/plugins/Reporter/template/quote/data.json", { sessionId });
  }

  async stop(): Promise<void> {
    this.child.kill("SIGTERM");
    if (this.child.exitCode === null) await once(this.child, "exit");
  }

  private async post(path: string, body: unknown): Promise<Record<string, unknown>> {
    const response = await fetch(new URL(path, this.url), {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    const answer: Record<string, unknown> = JSON.parse(await response.text());
    if (!response.ok) throw new Error(`${path}: ${response.status} ${String(answer["message"])}`);
    return answer;
  }
}

function urlOf(file: unknown): string {
  if (typeof file !== "object" || file === null) throw new Error("the export lacks a file");
  return String(Reflect.get(file, "url"));
}
