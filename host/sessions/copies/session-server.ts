/** A client of the session service of another server: what it takes to copy a session from there. */
import { type FetchResponse, type Log, RequestError, shortened, type TSchema, Type } from "@slipway/sdk";
import type { Configuration } from "../../configuration/configuration.js";
import { createOutgoingFetch, type OutgoingFetch } from "../../fetch/fetch.js";
import { envelopeType, readEnvelope, writeRequest, type XmlNode } from "../../soap/soap.js";

const namespace = "http://ws.eai.egr/";

const SessionParameters = Type.Object({ sessionId: Type.String() });
const SaveParameters = Type.Object({
  sessionId: Type.String(),
  uri: Type.String(),
  options: Type.Object({ export: Type.Boolean() }),
});

/** Characters of a message of the other server in our own messages. */
const longestReason = 300;

/** A fault of the other server. */
export class ServerFault extends Error {
  override readonly name = "ServerFault";
}

/** The saved project of a session. */
export interface SavedProject {
  /** Undefined if it is the one that the asker has. */
  content: Uint8Array | undefined;
  /** Where it was, with its ETag there; undefined without one. */
  download: { url: string; etag: string } | undefined;
}

/** What a copying gives to each question: its end, and the memory for the answers. */
export interface Taking {
  signal: AbortSignal;
  take(bytes: number): void;
}

/** 502 `session-server-error` with the reason, for clients. */
export function serverError(what: string, reason?: unknown): RequestError {
  return new RequestError({
    id: "session-server-error",
    code: 502,
    message: `The server that keeps the session did not give it: ${what}. Try again, or tell the admin.`,
    reason,
  });
}

/**
 * The server of `eaiws.server`. Rejects with 502 `session-server-error`, whose reason names no address, and with
 * `ServerFault` for a fault.
 */
export class SessionServer {
  private readonly fetch: OutgoingFetch;

  constructor(
    private readonly url: string,
    private readonly configuration: Pick<Configuration, "eaiws" | "fetch" | "limits">,
    log: Log,
  ) {
    const { allowedHosts, ...rules } = configuration.fetch;
    this.fetch = createOutgoingFetch({
      configuration: {
        ...rules,
        allowedHosts: [new URL(url).host, ...allowedHosts],
        maxBytes: configuration.limits.project,
      },
      log,
    });
  }

  /** Whether the server knows the session; renews its lifetime. */
  async knows(sessionId: string, taking: Taking): Promise<boolean> {
    try {
      return (await this.call("keepAlive", { sessionId }, SessionParameters, taking)) === "true";
    } catch (error) {
      if (error instanceof ServerFault) return false;
      throw error;
    }
  }

  async locale(sessionId: string, taking: Taking): Promise<string> {
    return await this.call("getLocale", { sessionId }, SessionParameters, taking);
  }

  /** Has the project saved, and fetches it unless it is at the known address with the known ETag. */
  async save(sessionId: string, known: SavedProject["download"], taking: Taking): Promise<SavedProject> {
    const parameters = { sessionId, uri: "", options: { export: true } };
    const url = await this.call("saveSession", parameters, SaveParameters, taking);
    if (!URL.canParse(url)) throw serverError("it gives no address of the saved project");
    const asked = known?.url === url ? known : undefined;
    const headers = asked === undefined ? {} : { "If-None-Match": asked.etag };
    const answer = await this.ask(url, { ...taking, headers });
    if (asked !== undefined && answer.status === 304) return { content: undefined, download: asked };
    if (answer.status !== 200)
      throw serverError(`the saved project is answered with status ${answer.status}`);
    // What is in the cache of the session is only for us; a failure leaves it to the lifetime of the session.
    if (this.isOwn(url) && new URL(url).pathname.includes("/session-cache/"))
      this.fetch(url, {
        method: "DELETE",
        signal: taking.signal,
        isStatusOnly: true,
        credentials: this.credentialsFor(url),
      }).catch(() => undefined);
    const { etag } = answer.headers;
    return { content: answer.content, download: etag === undefined ? undefined : { url, etag } };
  }

  /** Calls an operation of the service `Session` and returns the text of its result. */
  private async call(
    operation: string,
    parameters: Readonly<Record<string, unknown>>,
    schema: TSchema,
    taking: Taking,
  ): Promise<string> {
    const answer = await this.ask(`${this.url.replace(/\/$/, "")}/EAI/Session`, {
      ...taking,
      method: "POST",
      headers: { "Content-Type": envelopeType },
      body: Buffer.from(writeRequest({ operation, namespace, parameters, schema })),
      maxBytes: this.configuration.limits.json,
    });
    const content = contentOf(answer);
    if (content?.name === "Fault")
      throw new ServerFault(
        shortened(textOf(content, "faultstring") ?? "a fault without a reason", longestReason),
      );
    if (answer.status !== 200) throw serverError(`it answers with status ${answer.status}`);
    const result = content?.name === `${operation}Response` ? textOf(content, "return") : undefined;
    if (result === undefined) throw serverError(`its answer to ${operation} is not understood`);
    return result;
  }

  private isOwn(url: string): boolean {
    return new URL(url).origin === new URL(this.url).origin;
  }

  /** Only for the server itself: the saved project may lie elsewhere. */
  private credentialsFor(url: string): Record<string, string> {
    const { authorization } = this.configuration.eaiws;
    return authorization !== undefined && this.isOwn(url) ? { Authorization: authorization } : {};
  }

  private async ask(url: string, request: Parameters<OutgoingFetch>[1]): Promise<FetchResponse> {
    try {
      return await this.fetch(url, { ...request, credentials: this.credentialsFor(url) });
    } catch (error) {
      request.signal.throwIfAborted();
      if (error instanceof RequestError && error.id === "request-overloaded") throw error;
      throw serverError(reasonOf(error), error);
    }
  }
}

function contentOf({ content }: FetchResponse): XmlNode | undefined {
  try {
    return readEnvelope(content);
  } catch {
    return undefined;
  }
}

function textOf({ children }: XmlNode, name: string): string | undefined {
  return children.find((child) => child.name === name)?.text.trim();
}

/** Without the address, which is not for clients. */
function reasonOf(error: unknown): string {
  if (!(error instanceof RequestError)) return "it cannot be asked";
  switch (error.id) {
    case "request-timeout":
      return "it does not answer in time";
    case "request-too-large":
      return "its answer is larger than limits.project or limits.json allows";
    case "request-forbidden":
      return "the settings fetch.allowedHosts and fetch.allowedInternalHosts do not permit to ask it";
    default:
      return "it cannot be reached";
  }
}
