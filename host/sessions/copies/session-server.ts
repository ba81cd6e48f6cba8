/** A client of the session service of another server: what it takes to copy a session from there. */
import { type FetchResponse, type Log, RequestError, shortened, type TSchema, Type } from "@slipway/sdk";
import type { Configuration } from "../../configuration/configuration.js";
import { createOutgoingFetch, type OutgoingFetch } from "../../fetch/outgoing-fetch.js";
import { readEnvelope, type XmlNode } from "../../soap/read-envelope.js";
import { envelopeType, writeRequest } from "../../soap/write-envelope.js";

const namespace = "http://ws.eai.egr/";

const SessionParameters = Type.Object({ sessionId: Type.String() });
const SaveParameters = Type.Object({
  sessionId: Type.String(),
  uri: Type.String(),
  options: Type.Object({ export: Type.Boolean() }),
});

/** Characters of what the other server says that clients are told. */
const longestReason = 300;

/** A fault of the other server. */
export class ServerFault extends Error {
  override readonly name = "ServerFault";
}

/** The saved project of a session. */
export interface SavedProject {
  /** Undefined if it is the one that the asker has. */
  content: Uint8Array | undefined;
  etag: string | undefined;
}

/** 502 `session-server-error` with the reason, for clients. */
export function serverError(what: string, reason?: unknown): RequestError {
  return new RequestError({
    id: "session-server-error",
    code: 502,
    message: `The session cannot be taken from the server that keeps it: ${what}.`,
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
    private readonly configuration: Pick<Configuration, "fetch" | "limits">,
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
  async knows(sessionId: string, signal: AbortSignal): Promise<boolean> {
    try {
      return (await this.call("keepAlive", { sessionId }, SessionParameters, signal)) === "true";
    } catch (error) {
      if (error instanceof ServerFault) return false;
      throw error;
    }
  }

  async locale(sessionId: string, signal: AbortSignal): Promise<string> {
    return await this.call("getLocale", { sessionId }, SessionParameters, signal);
  }

  /** Has the project saved, and fetches it unless its ETag is the known one. */
  async save(sessionId: string, known: string | undefined, signal: AbortSignal): Promise<SavedProject> {
    const parameters = { sessionId, uri: "", options: { export: true } };
    const url = await this.call("saveSession", parameters, SaveParameters, signal);
    if (!URL.canParse(url)) throw serverError("it gives no address of the saved project");
    const headers = known === undefined ? {} : { "If-None-Match": known };
    const answer = await this.ask(url, { signal, headers });
    if (known !== undefined && answer.status === 304) return { content: undefined, etag: known };
    if (answer.status !== 200)
      throw serverError(`the saved project is answered with status ${answer.status}`);
    // What is in the cache of the session is only for us; a failure leaves it to the lifetime of the session.
    if (new URL(url).pathname.includes("/session-cache/"))
      this.fetch(url, { method: "DELETE", signal, maxBytes: 65_536 }).catch(() => undefined);
    return { content: answer.content, etag: answer.headers["etag"] };
  }

  /** Calls an operation of the service `Session` and returns the text of its result. */
  private async call(
    operation: string,
    parameters: Readonly<Record<string, unknown>>,
    schema: TSchema,
    signal: AbortSignal,
  ): Promise<string> {
    const answer = await this.ask(`${this.url.replace(/\/$/, "")}/EAI/Session`, {
      signal,
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

  private async ask(url: string, request: Parameters<OutgoingFetch>[1]): Promise<FetchResponse> {
    try {
      return await this.fetch(url, request);
    } catch (error) {
      request.signal.throwIfAborted();
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
