/** Requests to hosts or to their balancer, and which answers a client of a fleet may get when something dies. */
import { Pool } from "undici";

export interface FleetRequest {
  method?: "GET" | "POST" | "PUT";
  path: string;
  /** JSON value; a text is JSON already. */
  body?: unknown;
  headers?: Record<string, string>;
}

export interface Reply {
  /** 0 where the connection ended before the whole answer was there. */
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
  milliseconds: number;
}

/** How long an answer may take, in milliseconds: longer than hosts take to give up. */
const patience = 90_000;

export class Client {
  private readonly pool: Pool;

  constructor(url: string, connections: number) {
    this.pool = new Pool(url, { connections, headersTimeout: patience, bodyTimeout: patience });
  }

  async send({ method = "GET", path, body, headers = {} }: FleetRequest): Promise<Reply> {
    const began = performance.now();
    const content = typeof body === "string" ? body : JSON.stringify(body);
    try {
      const response = await this.pool.request({
        method,
        path,
        headers: { ...(content !== undefined && { "content-type": "application/json" }), ...headers },
        ...(content !== undefined && { body: content }),
      });
      const bytes = Buffer.from(await response.body.arrayBuffer());
      return {
        status: response.statusCode,
        headers: response.headers,
        body: bytes,
        milliseconds: performance.now() - began,
      };
    } catch (error) {
      const milliseconds = performance.now() - began;
      return { status: 0, headers: {}, body: Buffer.from(String(error)), milliseconds };
    }
  }

  async stop(): Promise<void> {
    await this.pool.destroy();
  }
}

/** What kind of failure an answer is that a fleet may give while something is dead; undefined for every other answer. */
export function permittedFailure({ status, headers }: Reply): string | undefined {
  if (status === 503 && headers["retry-after"] !== undefined) return "503 with Retry-After";
  if (status === 502) return "502 of the balancer";
  // The balancer cannot say 502 any more when the answer has begun.
  return status === 0 ? "answer cut off" : undefined;
}

export const isGood = ({ status }: Reply): boolean => status >= 200 && status < 300;

/** An answer in a few words, for people. */
export function shown({ status, body }: Reply): string {
  return `${status} ${body.toString("utf8", 0, 300)}`;
}
