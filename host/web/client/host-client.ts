import type { EventSourceMessage } from "eventsource-parser";
import { serverEvents } from "../../api/server-events.js";
import { tabStorage } from "./browser-storage.js";
import { Connection } from "./connection.js";
import { Observed } from "./observed.js";
import {
  type AnswerOf,
  type Given,
  type InputOf,
  type ListKey,
  type OperationKey,
  requestLine,
  type StreamKey,
} from "./operations.js";
import { errorOf, type HostError, isAborted, RefusedRequest } from "./refusal.js";

const place = "slipway-key";

/** Stores the key of the pages as long as the tab lives. */
export const signInKey = {
  read: (): string | undefined => tabStorage.read(place),
  keep: (key: string): boolean => tabStorage.keep(place, key),
  forget: (): void => tabStorage.forget(place),
};

/** Milliseconds; a stream has a heartbeat every 15 seconds. */
const longestSilence = 40_000;

/** Status codes of a gateway whose host is unreachable, and of a stopping host. */
const absent = new Set([502, 503, 504]);

/**
 * Client of the host, with the key of the page. Throws refusals as `RefusedRequest`, with code 0 if the host is unreachable. The
 * command line has another client, which validates responses and whose errors name the address and the option for the key.
 */
export class HostClient {
  readonly connection = new Connection(() => this.isAvailable());
  /** Undefined until the host has responded. */
  readonly access = new Observed<AnswerOf<"GET /api/access"> | undefined>(undefined);
  /** Why the key is invalid; undefined if it is valid or missing. */
  readonly keyProblem = new Observed<string | undefined>(undefined);
  /** Why the roles of the page are not known yet. */
  readonly startProblem = new Observed<Error | undefined>(undefined);
  private key = signInKey.read();

  /** `root`: address of the host, with a slash at its end. */
  constructor(readonly root: URL) {}

  /** Calls an operation and parses its response. */
  async call<K extends OperationKey>(
    key: K,
    input: InputOf<K> & Given,
    signal?: AbortSignal,
  ): Promise<AnswerOf<K>> {
    const response = await this.response(key, input, signal);
    const answer = response.status === 204 ? undefined : await response.json();
    return answer;
  }

  /** The last events of an operation. */
  async list<K extends ListKey>(key: K, limit: number, signal: AbortSignal): Promise<AnswerOf<K>> {
    return (await this.request(requestLine(key, { query: { limit } })[1], { signal })).json();
  }

  /** Calls an operation and returns the raw response. */
  response<K extends OperationKey>(
    key: K,
    input: InputOf<K> & Given,
    signal?: AbortSignal,
  ): Promise<Response> {
    const [method, path] = requestLine(key, input);
    if (input.form !== undefined) return this.request(path, { method, body: input.form, signal });
    return method === "POST" || method === "PUT"
      ? this.send(method, path, input.body ?? {}, signal)
      : this.request(path, { method, signal });
  }

  /** Sends a JSON body. */
  post(
    path: string,
    body: unknown,
    signal?: AbortSignal,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Response> {
    return this.send("POST", path, body, signal, headers);
  }

  private send(
    method: string,
    path: string,
    body: unknown,
    signal?: AbortSignal,
    others?: Readonly<Record<string, string>>,
  ): Promise<Response> {
    const headers = { "Content-Type": "application/json", ...others };
    return this.request(path, { method, headers, body: JSON.stringify(body), signal });
  }

  /** Streams the events of an operation, and undefined for heartbeats, until the connection ends or is silent. */
  async *events(
    key: StreamKey,
    query: { after?: number },
    signal: AbortSignal,
  ): AsyncGenerator<EventSourceMessage | undefined> {
    const silence = new AbortController();
    const { body } = await this.request(requestLine(key, { query })[1], {
      headers: { Accept: "text/event-stream" },
      signal: AbortSignal.any([signal, silence.signal]),
    });
    if (body === null) throw new Error("The host sent no stream.");
    let watch: ReturnType<typeof setTimeout> | undefined;
    try {
      for await (const event of serverEvents(body)) {
        clearTimeout(watch);
        watch = setTimeout(() => silence.abort(new Error("The host is silent.")), longestSilence);
        yield event;
      }
    } finally {
      clearTimeout(watch);
    }
  }

  /** Requests a path below the host; resolves with a successful response. */
  async request(path: string, init: Omit<RequestInit, "signal"> & { signal?: AbortSignal | undefined } = {}) {
    const { signal = null, ...rest } = init;
    const headers = { ...this.headers(), ...init.headers };
    const response = await fetch(this.address(path), { ...rest, headers, signal }).catch((error: unknown) => {
      if (isAborted(error)) throw error;
      this.connection.lost();
      throw new RefusedRequest({ id: "host-away", code: 0, message: "The host does not respond." });
    });
    if (!absent.has(response.status)) this.connection.answered();
    if (response.ok) return response;
    const error = errorOf(response.status, await response.text());
    const retryAfter = Number(response.headers.get("Retry-After") ?? Number.NaN);
    throw this.refused(response.status, Number.isNaN(retryAfter) ? error : { ...error, retryAfter });
  }

  address(path: string): URL {
    return new URL(path, this.root);
  }

  /** The URL of a generated file as this page reaches it, whatever the host's public URL is. */
  fileAddress(url: string): URL {
    const { pathname } = new URL(url);
    return this.address(pathname.slice(pathname.lastIndexOf("/files/") + 1));
  }

  /** The header with the key, if there is one. */
  headers(): Record<string, string> {
    return this.key === undefined ? {} : { Authorization: `Bearer ${this.key}` };
  }

  /** Records a refusal; returns the error to throw. */
  refused(status: number, error: HostError): RefusedRequest {
    if (status === 401) {
      if (this.key !== undefined) this.keyProblem.set(error.message);
      this.access.set({ required: true, roles: [] });
    }
    return new RefusedRequest(error);
  }

  /** Requests the roles of this page as soon as the host responds. Records an invalid key. */
  async begin(): Promise<void> {
    for (;;) {
      try {
        return await this.loadAccess();
      } catch (error) {
        if (!(error instanceof RefusedRequest)) throw error;
        this.startProblem.set(error);
        if (this.connection.away.value === undefined) return;
        await this.connection.present();
      }
    }
  }

  /** Signs in with a key. Rejects with a `RefusedRequest` if the host does not accept it. */
  async signIn(key: string): Promise<void> {
    // A header cannot contain this text, so it is not a key.
    if (!/^[\x21-\x7e]+$/.test(key))
      throw new RefusedRequest({ id: "request-unauthorized", code: 401, message: "That is not a key." });
    const before = this.key;
    this.key = key;
    try {
      await this.loadAccess();
    } catch (error) {
      this.key = before;
      throw error;
    }
    this.keyProblem.set(undefined);
    signInKey.keep(key);
  }

  /** Forgets the key and all data that was loaded with it. */
  signOut(): void {
    // Projects and their settings are stored beside the key.
    for (const name of tabStorage.names()) if (name.startsWith("slipway-")) tabStorage.forget(name);
    location.reload();
  }

  private async loadAccess(): Promise<void> {
    this.access.set(await this.call("GET /api/access", {}));
    this.startProblem.set(undefined);
  }

  private async isAvailable(): Promise<boolean> {
    const response = await fetch(this.address("api/access"), { headers: this.headers() }).catch(
      () => undefined,
    );
    return response !== undefined && !absent.has(response.status);
  }
}
