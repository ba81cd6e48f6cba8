import type { HostClient } from "./host-client.js";
import type { AnswerOf } from "./operations.js";
import { RefusedRequest, unknownError } from "./refusal.js";

/** Progress of a request without a response. */
export type Progress =
  /** Progress that the plugin reports. */
  | { state: "working"; part?: number; text?: string }
  /** The host is overloaded: time of the next attempt, in milliseconds since the epoch. */
  | { state: "overloaded"; until: number }
  /** The host is unreachable. */
  | { state: "away" };

type Job = AnswerOf<"GET /api/jobs/:id">;

/** Seconds between requests for the progress; the host reports the end of a job at once. */
const pollInterval = 1;
/** Attempts while the host is overloaded. */
const mostAttempts = 8;
/** Seconds. */
const usualPause = 3;
/** Status codes of a proxy whose host is unreachable; errors of the host itself have an id. */
const gatewayErrors = new Set([502, 503, 504]);

/**
 * Sends a JSON body to a plugin as a job; resolves with the response, however long it takes. Retries if the host is overloaded,
 * unreachable or restarts. Aborting cancels the job. Rejects with a `RefusedRequest`.
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
      // A repetition with the same key gets the first response.
      const headers = { Prefer: "respond-async", "Idempotency-Key": key };
      // Not aborted: otherwise a job could start whose id is unknown.
      const response = await host.post(path, body, undefined, headers);
      const job: Job = await response.json();
      const result = await resultOf<Answer>(host, job, signal, progressed);
      if (result !== undefined) return result.answer;
      key = randomKey();
    } catch (error) {
      // The caller has cancelled: no further attempt.
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

/** Waits for the end of a job; undefined if the host no longer knows it. */
async function resultOf<Answer>(
  host: HostClient,
  first: Job,
  signal: AbortSignal,
  progressed: (progress: Progress) => void,
): Promise<{ answer: Answer } | undefined> {
  const params = { id: first.id };
  const cancel = (): void => {
    // If cancelling fails, the job ends by itself.
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
      return await host.call("GET /api/jobs/:id", { params, query: { wait: pollInterval } }, signal);
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

/** `crypto.randomUUID` is missing on pages without TLS. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(18));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
