import { stat } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { Type, Validator } from "@slipway/sdk";
import contentDisposition from "content-disposition";
import { JobList, WebhookSecretAnswer } from "../api/answers.js";
import { JobResource, type JobState } from "../jobs/jobs.js";
import { isJsonObject } from "../system/json.js";
import { download, type WrittenFile, writeStream } from "./downloaded-files.js";
import { answerReader, type HostClient } from "./host-client.js";
import { wholeId } from "./whole-id.js";

const readJob = answerReader(JobResource);
const readJobs = answerReader(JobList);
const readSecret = answerReader(WebhookSecretAnswer);
const checkFile = new Validator({ lazy: true }).compile(
  Type.Object({ name: Type.String(), url: Type.String() }),
  "file",
);

const whole = 24;
const most = 1000;
/** Seconds that one request waits for the end of a job. */
const longestWait = 30;

/** The answer to the request of a job. */
export type JobResult =
  | { kind: "json"; value: unknown; files: { name: string; url: string }[] }
  | { kind: "content"; mediaType: string; response: Response };

/** Jobs of a running host. */
export class JobClient {
  constructor(private readonly host: HostClient) {}

  /** The latest first. */
  async list(page: { state?: JobState | undefined; limit?: number } = {}): Promise<JobList> {
    const query = new URLSearchParams({
      limit: String(page.limit ?? most),
      ...(page.state !== undefined && { state: page.state }),
    });
    return readJobs(await this.host.json(`/api/jobs?${query}`));
  }

  async get(id: string): Promise<JobResource> {
    return readJob(await this.host.json(await this.path(id)));
  }

  async cancel(id: string): Promise<JobResource> {
    return readJob(await this.host.json(await this.path(id), { method: "DELETE" }));
  }

  /** The job once it has ended; `told` receives its earlier states. */
  async ended(id: string, told: (job: JobResource) => void): Promise<JobResource> {
    const path = await this.path(id);
    let job = await this.get(id);
    while (job.state === "queued" || job.state === "running") {
      told(job);
      const seconds = job.progress === undefined && job.state === "queued" ? longestWait : 1;
      job = readJob(await this.host.json(`${path}?wait=${seconds}`));
    }
    return job;
  }

  /** Rejects with the error of the request, or when the job has no answer. */
  async result(id: string): Promise<JobResult> {
    const response = await this.host.request(`${await this.path(id)}/result`);
    if (!response.ok) throw await this.host.refusal(response);
    const mediaType = response.headers.get("Content-Type") ?? "";
    if (!/^application\/json\b/.test(mediaType)) return { kind: "content", mediaType, response };
    const value: unknown = await response.json();
    return { kind: "json", value, files: filesIn(value) };
  }

  /** Writes a result to a file, or its files into a folder; returns the paths. */
  async write(result: JobResult, out: string): Promise<string[]> {
    const place = resolve(out);
    const isFolder = /[/\\]$/.test(out) || (await isThereFolder(place));
    if (result.kind === "content") {
      const path = isFolder ? join(place, nameOf(result.response)) : place;
      await writeStream(result.response, path, "w");
      return [path];
    }
    const [only, another] = result.files;
    if (only === undefined) throw new Error("The answer names no files; without --out it is printed.");
    const targets: WrittenFile[] =
      another === undefined && !isFolder
        ? [{ path: place, url: only.url }]
        : result.files.map(({ name, url }) => ({ path: join(place, basename(name)), url }));
    await download(this.host, targets, true);
    return targets.map(({ path }) => path);
  }

  /** The secrets that sign webhooks. */
  async secret(of: "key" | "host", isRotated: boolean): Promise<WebhookSecretAnswer> {
    const answer = isRotated
      ? await this.host.json(`/api/webhook-secret/rotate?of=${of}`, { method: "POST" })
      : await this.host.json(`/api/webhook-secret?of=${of}`);
    return readSecret(answer);
  }

  private async path(id: string): Promise<string> {
    const list = async () => (await this.list()).jobs.map((job) => job.id);
    return `/api/jobs/${encodeURIComponent(await wholeId(id.trim(), { what: "job", whole, list }))}`;
  }
}

/** A report is one file with its name and URL; exports have several as members. */
function filesIn(answer: unknown): { name: string; url: string }[] {
  const candidates = isJsonObject(answer) ? [answer, ...Object.values(answer)] : [];
  return candidates.flatMap((each) => {
    const file = checkFile(each);
    return file.ok && file.value.url.includes("/files/")
      ? [{ name: file.value.name, url: file.value.url }]
      : [];
  });
}

/** The name that the host gives a file. */
function nameOf(response: Response): string {
  const name = basename(filenameIn(response.headers.get("Content-Disposition") ?? ""));
  return name === "" || name === "." || name === ".." ? "result" : name;
}

/** Empty if the header states no name, or is not what RFC 6266 says: a plugin may write anything there. */
function filenameIn(disposition: string): string {
  try {
    return contentDisposition.parse(disposition).parameters["filename"] ?? "";
  } catch {
    return "";
  }
}

async function isThereFolder(path: string): Promise<boolean> {
  return await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
