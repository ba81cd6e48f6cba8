import type { HostClient } from "./host-client.js";
import type { AnswerOf } from "./operations.js";
import { RefusedRequest, unknownError } from "./refusal.js";

/** What is known of a request that has no answer yet. */
export type Progress =
  /** As far as the plugin tells. */
  | { state: "working"; part?: number; text?: string }
  /** It is sent again at this time, in milliseconds since the epoch: the host has too much to do. */
  | { state: "overloaded"; until: number }
  /** The host does not answer. */
  | { state: "away" };

type Job = AnswerOf<"GET /api/jobs/:id">;

/** Seconds between looks at the progress; the end of a job is told at once. */
const betweenLooks = 1;
/** Attempts at a host that has too much to do. */
const mostAttempts = 8;
/** Seconds. */
const usualPause = 3;
/** What a proxy answers while its host is away; an error of a host has an id. */
const gatewayErrors = new Set([502, 503, 504]);

/**
 * The answer of a plugin to a JSON body, however long it takes: as a job. Survives a host that has too much to do, is away or starts
 * anew. Aborting cancels the job. Rejects with a `RefusedRequest`.
 */
export async function answerLater<Answer>(
  host: HostClient,
  path: string,
  body: unknown,
  { signal, progressed }: { signal: AbortSignal; progressed(progress: Progress): void },
): Promise<Answer> {
  let key = randomKey();
  for (let attempt = 1; ; attempt++) {
    try {
      // Who sends it again with the same key gets the answer of the first time.
      const headers = { Prefer: "respond-async", "Idempotency-Key": key };
      // Not aborted: the job would go on without anybody who knows its id.
      const response = await host.post(path, body, undefined, headers);
      const job: Job = await response.json();
      const result = await resultOf<Answer>(host, job, signal, progressed);
      if (result !== undefined) return result.answer;
      key = randomKey();
    } catch (error) {
      // Nobody wants the answer any more: it is not asked for again.
      signal.throwIfAborted();
      if (!(error instanceof RefusedRequest) || attempt >= mostAttempts) throw error;
      const { id, code, retryAfter } = error.error;
      if (code === 0) await returned(host, signal, progressed);
      else if (retryAfter !== undefined && [409, 429, 503].includes(code)) {
        const seconds = Math.min(Math.max(retryAfter, 1), 60) || usualPause;
        progressed({ state: "overloaded", until: Date.now() + seconds * 1000 });
        await pause(seconds * 1000, signal);
        progressed({ state: "working" });
      } else if (id === unknownError && gatewayErrors.has(code)) {
        progressed({ state: "away" });
        await pause(usualPause * 1000, signal);
        progressed({ state: "working" });
      } else throw error;
    }
  }
}

/** Waits for the end of a job; undefined where the host does not know it any more. */
async function resultOf<Answer>(
  host: HostClient,
  first: Job,
  signal: AbortSignal,
  progressed: (progress: Progress) => void,
): Promise<{ answer: Answer } | undefined> {
  const params = { id: first.id };
  const cancel = (): void => {
    // What it would answer is wanted by nobody; if it is not cancelled, it ends by itself.
    host.call("DELETE /api/jobs/:id", { params }).catch(() => undefined);
  };
  signal.addEventListener("abort", cancel, { once: true });
  try {
    if (signal.aborted) cancel();
    signal.throwIfAborted();
    let job = first;
    for (;;) {
      if (job.error !== undefined) throw new RefusedRequest(job.error);
      if (job.state === "cancelled") throw new Error("The request was cancelled.");
      if (job.state === "done") {
        const response = await host.response("GET /api/jobs/:id/result", { params }, signal);
        return { answer: await response.json() };
      }
      progressed({ state: "working", ...job.progress });
      const looked = await look(host, params, signal, progressed);
      if (looked === undefined) return undefined;
      job = looked;
    }
  } finally {
    signal.removeEventListener("abort", cancel);
  }
}

async function look(
  host: HostClient,
  params: { id: string },
  signal: AbortSignal,
  progressed: (progress: Progress) => void,
): Promise<Job | undefined> {
  for (;;) {
    try {
      return await host.call("GET /api/jobs/:id", { params, query: { wait: betweenLooks } }, signal);
    } catch (error) {
      if (!(error instanceof RefusedRequest)) throw error;
      const { code, retryAfter = usualPause } = error.error;
      if (code === 404) return undefined;
      if (code === 0) await returned(host, signal, progressed);
      else if (code === 429 || code >= 502) await pause(retryAfter * 1000, signal);
      else throw error;
    }
  }
}

async function returned(
  host: HostClient,
  signal: AbortSignal,
  progressed: (progress: Progress) => void,
): Promise<void> {
  progressed({ state: "away" });
  await host.connection.present();
  signal.throwIfAborted();
  progressed({ state: "working" });
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, milliseconds);
    signal.addEventListener("abort", stop, { once: true });
  });
}

/** Unlike `crypto.randomUUID` it is there on pages without TLS. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(18));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
