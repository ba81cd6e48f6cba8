/** Constant load on a running host. Every answer is written down with the plugin version that gave it. */
import { setTimeout as pause } from "node:timers/promises";
import { Pool } from "undici";

export interface LoadRequest {
  /** For people, such as "oex export". */
  name: string;
  method: "GET" | "POST";
  path: string;
  /** JSON value. */
  body?: unknown;
  /** Public name of the plugin that has to answer. */
  plugin: string;
  /** What a body says of who wrote it; without it the header alone counts. */
  author?: (body: string) => Author;
  /** That send it, each one request after the other. */
  clients: number;
  /** Between two requests of a client, in milliseconds. */
  pause: number;
}

export interface Author {
  version: string;
  instance: string;
}

export interface Answer {
  /** Name of the request. */
  request: string;
  plugin: string;
  /** Such as "oex@1.0.7"; undefined when it cannot be said for sure which version answered. */
  label: string | undefined;
  /** 0 when there was no answer. */
  status: number;
  /** As far as the body names it. */
  instance: string | undefined;
  /** Of `performance.now()`. */
  began: number;
  ended: number;
  /** The beginning of what came instead of a good answer. */
  failure: string | undefined;
}

const shownCharacters = 400;

/** Clients that ask without end. */
export class Load {
  /** In the order in which they came. */
  readonly answers: Answer[] = [];
  private readonly waiting = new Set<(answer: Answer) => void>();
  private readonly clients: Promise<void>[];
  private readonly pool: Pool;
  private stopping = false;

  constructor(url: string, requests: readonly LoadRequest[]) {
    const all = requests.flatMap((request) => Array.from({ length: request.clients }, () => request));
    this.pool = new Pool(url, { connections: all.length });
    this.clients = all.map((request, index) => this.run(request, (index / all.length) * request.pause));
  }

  /** The next answer, of a request that is sent from now on, that fits. Rejects when none comes within a minute. */
  next(what: string, fits: (answer: Answer) => boolean): Promise<Answer> {
    const now = performance.now();
    return new Promise((resolve, reject) => {
      const look = (answer: Answer): void => {
        if (answer.began < now || !fits(answer)) return;
        leave();
        resolve(answer);
      };
      const late = setTimeout(() => {
        leave();
        const since = this.answers.filter(({ began }) => began >= now);
        const seen = [...answersByLabel(since)].map(([label, count]) => `${count} x ${label}`);
        const all = [...seen, ...failuresOf(since)].join("; ");
        reject(new Error(`It never came to ${what}, but there were ${all || "no answers"}`));
      }, 60_000);
      const leave = (): void => {
        clearTimeout(late);
        this.waiting.delete(look);
      };
      this.waiting.add(look);
    });
  }

  /** The next good answer of a version, such as "oex@1.0.7", to the named request or to any. */
  nextFrom(label: string, request?: string): Promise<Answer> {
    return this.next(
      `an answer of ${label}`,
      (answer) =>
        answer.label === label &&
        answer.failure === undefined &&
        (request === undefined || answer.request === request),
    );
  }

  /** Ends when every request that was sent has its answer. */
  async stop(): Promise<void> {
    this.stopping = true;
    await Promise.all(this.clients);
    if (!this.pool.closed) await this.pool.close();
  }

  /** `delay` in milliseconds, so that clients do not all begin in the same moment. */
  private async run(request: LoadRequest, delay: number): Promise<void> {
    await pause(delay);
    while (!this.stopping) {
      const answer = await this.send(request);
      this.answers.push(answer);
      for (const look of this.waiting) look(answer);
      await pause(request.pause);
    }
  }

  private async send(request: LoadRequest): Promise<Answer> {
    const { name, plugin, method, path, body } = request;
    const began = performance.now();
    const unknown = { request: name, plugin, label: undefined, instance: undefined, began };
    try {
      const content = body === undefined ? {} : { body: JSON.stringify(body) };
      const headers = body === undefined ? {} : { "content-type": "application/json" };
      const response = await this.pool.request({ method, path, headers, ...content });
      const text = await response.body.text();
      const good = response.statusCode === 200;
      const author = good ? request.author?.(text) : undefined;
      return {
        ...unknown,
        label: attributed(request, response.headers["slipway-plugin"], author),
        status: response.statusCode,
        instance: author?.instance,
        ended: performance.now(),
        failure: good ? undefined : `${response.statusCode} ${text.slice(0, shownCharacters)}`,
      };
    } catch (error) {
      return { ...unknown, status: 0, ended: performance.now(), failure: `no answer: ${String(error)}` };
    }
  }
}

/** Header and body have to name the same version of the plugin that was asked. */
function attributed(
  { plugin }: LoadRequest,
  header: string | string[] | undefined,
  author: Author | undefined,
): string | undefined {
  if (typeof header !== "string" || !header.startsWith(`${plugin}@`)) return undefined;
  if (author !== undefined && header !== `${plugin}@${author.version}`) return undefined;
  return header;
}

/** Sentences about answers that are none, for people; the same one only once, with its count. */
export function failuresOf(answers: readonly Answer[]): string[] {
  const counts = new Map<string, number>();
  for (const { failure, request, label } of answers) {
    if (failure === undefined) continue;
    const text = `${request} (${label ?? "nobody"}): ${failure}`;
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return [...counts].map(([text, count]) => `${count} x ${text}`);
}

/** Sentences about good answers of which nobody knows who gave them. */
export function unattributedOf(answers: readonly Answer[]): string[] {
  const unknown = answers.filter(({ label, failure }) => label === undefined && failure === undefined);
  return unknown.map(({ request, began }) => `${request}, sent at ${began.toFixed(0)} ms`);
}

/** How many good answers each version gave. */
export function answersByLabel(answers: readonly Answer[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { label, failure } of answers) {
    if (label !== undefined && failure === undefined) counts.set(label, (counts.get(label) ?? 0) + 1);
  }
  return counts;
}
