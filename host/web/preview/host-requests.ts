import { isAborted, RefusedRequest } from "./failure.js";
import type { HostError } from "./host-answers.js";

/**
 * Requests of a page to its host. What the host refuses is thrown as a `RefusedRequest`, with code 0 where nobody answers.
 * The command line has its own: it checks each answer by its schema, and its errors name the address and the key's option.
 */
export class HostRequests {
  /** What is said where nobody answers. */
  protected readonly awayMessage: string = "The host does not respond.";

  /** `root`: address of the host, with a slash at its end. */
  constructor(readonly root: URL) {}

  /** What each request has, such as a key. */
  headers(): Record<string, string> {
    return {};
  }

  address(path: string): URL {
    return new URL(path, this.root);
  }

  async get<Answer>(path: string, signal?: AbortSignal): Promise<Answer> {
    return (await this.request(path, signal === undefined ? {} : { signal })).json();
  }

  /** Sends a JSON body. */
  async post<Answer>(path: string, body: object, signal?: AbortSignal): Promise<Answer> {
    const headers = { "Content-Type": "application/json" };
    const init = { method: "POST", headers, body: JSON.stringify(body) };
    return (await this.request(path, signal === undefined ? init : { ...init, signal })).json();
  }

  async delete(path: string): Promise<void> {
    await this.request(path, { method: "DELETE" });
  }

  /** The body of a stream of server-sent events. */
  async stream(path: string, signal: AbortSignal): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
    const { body } = await this.request(path, { headers: { Accept: "text/event-stream" }, signal });
    if (body === null) throw new Error("The host sent no stream.");
    return body;
  }

  /** Takes note of an answer that is none of a success; gives what to throw. */
  refused(_status: number, error: HostError): RefusedRequest {
    return new RefusedRequest(error);
  }

  /** An answer of success. */
  protected async request(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = { ...this.headers(), ...init.headers };
    const response = await fetch(this.address(path), { ...init, headers }).catch((error: unknown) => {
      if (isAborted(error)) throw error;
      this.noteAnswer(undefined);
      throw new RefusedRequest({ id: "host-away", code: 0, message: this.awayMessage });
    });
    this.noteAnswer(response.status);
    if (response.ok) return response;
    throw this.refused(response.status, errorOf(response.status, await response.text()));
  }

  /** Hears the status of each answer; undefined where there is none. */
  protected noteAnswer(_status: number | undefined): void {}
}

/** What an answer says went wrong, also where it is not the host that answered. */
export function errorOf(status: number, text: string): HostError {
  const unknown = { id: "unknown", code: status, message: `The host answered with ${status}.` };
  try {
    const parsed: Partial<HostError> | null = JSON.parse(text);
    return typeof parsed?.id === "string" && typeof parsed.message === "string"
      ? { ...unknown, ...parsed }
      : unknown;
  } catch {
    return unknown;
  }
}
