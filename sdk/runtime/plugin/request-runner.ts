import type { SuppressedError } from "../../errors.js";
import type { Log } from "../../plugin/log.js";
import { PlainText, type RouteContext } from "../../plugin/route.js";
import { describe, Validator } from "../../validation.js";
import type { Message } from "../messages/message.js";
import { AnswerHeaders, type Handle } from "../messages/request-messages.js";
import { SuppressedErrors, shownError } from "./handler-errors.js";
import { type HostLink, requestScope } from "./host-link.js";
import type { PreparedRoute } from "./prepared-route.js";
import type { ProjectCache } from "./project-cache.js";
import type { RemoteMetrics } from "./remote-metrics.js";
import { remoteSession } from "./remote-session.js";

const check = new Validator({ lazy: true }).compile(AnswerHeaders, "headers");

/** Runs the handlers of a plugin and makes answers of what they return or throw. */
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
    return await requestScope.run({ request: request.request, signal }, async () => {
      try {
        return await this.answer(prepared, request, parts, signal);
      } catch (error) {
        throw shownError(error, request.route, this.log, signal);
      }
    });
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
      suppress: suppressed.suppress,
      log: this.log,
      requestId: request.requestId,
    };
    const result: unknown = await Reflect.apply(route.handler, route, [context]);
    const plain = result instanceof PlainText;
    const mediaType = plain ? "text/plain; charset=utf-8" : "application/json";
    const text = plain ? result.text : this.jsonText(request.route, checkResponse, result, suppressed.all);
    return { values: { status: 200, mediaType, headers: headers.all() }, parts: [text] };
  }

  private jsonText(
    route: string,
    checkResponse: PreparedRoute["checkResponse"],
    result: unknown,
    suppressed: SuppressedError[],
  ): string {
    const text: string | undefined = JSON.stringify(result);
    if (text === undefined) throw new Error(`${route} answered with nothing that JSON can hold`);
    // Checked as the client will read it: dates as texts, without what is undefined. Handlers may return frozen values.
    const checked = checkResponse?.(JSON.parse(text));
    if (checked?.ok === false) {
      throw new Error(`${route} broke its response schema: ${checked.violations.map(describe).join("; ")}`);
    }
    if (suppressed.length === 0) return text;
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) {
      this.log.warn("Suppressed errors have no place in an answer that is no object", { errors: suppressed });
      return text;
    }
    const own: unknown = Reflect.get(parsed, "errors");
    const errors = [...(Array.isArray(own) ? own : []), ...suppressed];
    return JSON.stringify({ ...parsed, errors });
  }
}

/** The headers that a handler sets. */
class AnswerHeaderFields {
  private readonly values = new Map<string, string>();

  /** Throws for what a plugin cannot set, so that the stack leads to where it tried. */
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
