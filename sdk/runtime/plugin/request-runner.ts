import type { Log } from "../../plugin/handler-context.js";
import { FileReply, HtmlPage, PlainText, Redirect } from "../../plugin/reply.js";
import type { RouteContext } from "../../plugin/route.js";
import type { SuppressedError } from "../../schema/errors.js";
import { Validator } from "../../schema/validation.js";
import { describe } from "../../schema/violation.js";
import type { Message } from "../messages/message.js";
import { type Answer, AnswerHeaders, type Handle } from "../messages/request-messages.js";
import { runHandler, SuppressedErrors } from "./handler-errors.js";
import type { HostLink } from "./host-link.js";
import type { PreparedRoute } from "./prepared-handlers.js";
import type { ProjectCache } from "./project-cache.js";
import type { RemoteMetrics } from "./remote-metrics.js";
import { remoteSession } from "./remote-session.js";
import { requestProgress } from "./request-progress.js";
import { resultText } from "./result-text.js";

const check = new Validator({ lazy: true }).compile(AnswerHeaders, "headers");

/** Runs the handlers of a plugin and turns their results and errors into answers. */
export class RequestRunner {
  constructor(
    private readonly link: HostLink,
    private readonly log: Log,
    private readonly routes: ReadonlyMap<string, PreparedRoute>,
    private readonly projects: ProjectCache,
    private readonly metrics: Pick<RemoteMetrics, "suppressed">,
  ) {}

  /** `parts` are body, query and params as JSON. */
  async run(request: Handle, parts: Buffer[], signal: AbortSignal): Promise<Message> {
    const prepared = this.routes.get(request.route);
    if (prepared === undefined) throw new Error(`There is no route ${request.route}.`);
    return await runHandler(request.route, { request: request.request, signal }, this.log, () =>
      this.answer(prepared, request, parts, signal),
    );
  }

  private async answer(
    { route, checkResponse }: PreparedRoute,
    request: Handle,
    parts: Buffer[],
    signal: AbortSignal,
  ): Promise<Message> {
    const [body, query, params] = parts.map((part): unknown => JSON.parse(part.toString("utf8")));
    const suppressed = new SuppressedErrors(this.metrics);
    const headers = new AnswerHeaderFields();
    const context: RouteContext<unknown, unknown, unknown, unknown> = {
      body: route.body === undefined ? undefined : body,
      query: route.query === undefined ? undefined : query,
      params,
      session: request.session && remoteSession(this.link, this.projects, request.session),
      locale: request.locale,
      signal,
      header: (name, value) => headers.set(name, value),
      progress: requestProgress(this.link, request.isFollowed ?? false),
      suppress: suppressed.suppress,
      log: this.log,
      requestId: request.requestId,
    };
    const result: unknown = await Reflect.apply(route.handler, route, [context]);
    const reply =
      replied(result) ??
      ({
        values: { mediaType: "application/json" },
        body: this.jsonText(request.route, checkResponse, result, suppressed.all),
      } satisfies Replied);
    const values: Answer = { ...reply.values, headers: headers.all() };
    return { values, parts: [reply.body] };
  }

  private jsonText(
    route: string,
    checkResponse: PreparedRoute["checkResponse"],
    result: unknown,
    suppressed: SuppressedError[],
  ): string {
    const text = resultText(route, result, checkResponse, "response");
    if (text === undefined) throw new Error(`${route} returned a value that JSON cannot represent`);
    if (suppressed.length === 0) return text;
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) {
      this.log.warn("Suppressed errors cannot be added to an answer that is not an object", {
        errors: suppressed,
      });
      return text;
    }
    const own: unknown = Reflect.get(parsed, "errors");
    const errors = [...(Array.isArray(own) ? own : []), ...suppressed];
    return JSON.stringify({ ...parsed, errors });
  }
}

interface Replied {
  values: Omit<Answer, "headers">;
  body: string;
}

/** Undefined for a result that becomes JSON. */
function replied(result: unknown): Replied | undefined {
  if (result instanceof PlainText)
    return { values: { mediaType: "text/plain; charset=utf-8" }, body: result.text };
  if (result instanceof HtmlPage)
    return { values: { mediaType: "text/html; charset=utf-8" }, body: result.html };
  if (result instanceof FileReply) return { values: { file: result.file }, body: "" };
  if (result instanceof Redirect) return { values: { location: result.location }, body: "" };
  return undefined;
}

class AnswerHeaderFields {
  private readonly values = new Map<string, string>();

  /** Throws immediately, so that the stack trace points to the plugin's code. */
  set(name: string, value: string): void {
    const result = check({ ...this.all(), [name]: value });
    if (!result.ok)
      throw new TypeError(`A plugin cannot set this header: ${result.violations.map(describe).join("; ")}`);
    this.values.set(name, value);
  }

  all(): AnswerHeaders {
    return Object.fromEntries(this.values);
  }
}
