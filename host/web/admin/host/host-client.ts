import { isAborted, RefusedRequest } from "../../preview/failure.js";
import type { Access, HostError } from "./answers.js";
import { Connection } from "./connection.js";
import { Observed } from "./observed.js";

const place = "slipway-key";

/** The key that the page sends; it lasts as long as the tab. */
const signInKey = {
  read: (): string | undefined => sessionStorage.getItem(place) ?? undefined,
  keep: (key: string): void => sessionStorage.setItem(place, key),
  forget: (): void => sessionStorage.removeItem(place),
};

/** What a gateway answers with for a host that is not there, and a host that is about to go. */
const absent = new Set([502, 503, 504]);

/** The API of the host, with the key that somebody signed in with. */
export class HostClient {
  readonly connection = new Connection(() => this.isThere());
  /** Undefined until the host has said it. */
  readonly access = new Observed<Access | undefined>(undefined);
  /** Why the key does not count; undefined where it does or none was given. */
  readonly keyProblem = new Observed<string | undefined>(undefined);
  /** Why it is not known yet what the page may do. */
  readonly startProblem = new Observed<Error | undefined>(undefined);
  private key = signInKey.read();

  /** `root`: address of the host, with a slash at its end. */
  constructor(readonly root: URL) {}

  get hasKey(): boolean {
    return this.key !== undefined;
  }

  /** Asks what this page may do, as soon as the host answers. A key that does not count is taken note of. */
  async begin(): Promise<void> {
    for (;;) {
      try {
        return await this.learnAccess();
      } catch (error) {
        if (!(error instanceof RefusedRequest)) throw error;
        this.startProblem.set(error);
        if (this.connection.away.value === undefined) return;
        await this.connection.present();
      }
    }
  }

  private async learnAccess(): Promise<void> {
    this.access.set(await this.get<Access>("api/access"));
    this.startProblem.set(undefined);
  }

  /** Takes a key, if the host knows it. Rejects with a `RefusedRequest`. */
  async signIn(key: string): Promise<void> {
    // A header cannot have it, so it is none.
    if (!/^[\x21-\x7e]+$/.test(key))
      throw new RefusedRequest({ id: "request-unauthorized", code: 401, message: "That is not a key." });
    const before = this.key;
    this.key = key;
    try {
      await this.learnAccess();
    } catch (error) {
      this.key = before;
      throw error;
    }
    this.keyProblem.set(undefined);
    signInKey.keep(key);
  }

  /** Forgets the key and all that was seen with it. */
  signOut(): void {
    signInKey.forget();
    location.reload();
  }

  async get<Answer>(path: string, signal?: AbortSignal): Promise<Answer> {
    return (await this.request(path, signal === undefined ? {} : { signal })).json();
  }

  async post<Answer>(path: string, body: object): Promise<Answer> {
    const headers = { "Content-Type": "application/json" };
    return (await this.request(path, { method: "POST", headers, body: JSON.stringify(body) })).json();
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

  address(path: string): URL {
    return new URL(path, this.root);
  }

  /** Of the key, where there is one. */
  headers(): Record<string, string> {
    return this.key === undefined ? {} : { Authorization: `Bearer ${this.key}` };
  }

  /** Takes note of an answer that is none of a success; gives what to throw. */
  refused(status: number, error: HostError): RefusedRequest {
    if (status === 401) this.lostAccess(error.message);
    return new RefusedRequest(error);
  }

  private async request(path: string, init: RequestInit): Promise<Response> {
    const headers = { ...this.headers(), ...init.headers };
    const response = await fetch(this.address(path), { ...init, headers }).catch((error: unknown) => {
      if (isAborted(error)) throw error;
      this.connection.lost();
      throw new RefusedRequest({ id: "host-away", code: 0, message: "The host does not respond." });
    });
    if (!absent.has(response.status)) this.connection.answered();
    if (response.ok) return response;
    throw this.refused(response.status, errorOf(response.status, await response.text()));
  }

  private async isThere(): Promise<boolean> {
    const response = await fetch(this.address("api/access"), { headers: this.headers() }).catch(
      () => undefined,
    );
    return response !== undefined && !absent.has(response.status);
  }

  private lostAccess(message: string): void {
    if (this.hasKey) this.keyProblem.set(message);
    this.access.set({ required: true, roles: [] });
  }
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
