import type { Log } from "../../plugin/handler-context.js";
import type { ServiceMethodContext } from "../../plugin/service.js";
import { RequestError } from "../../schema/errors.js";
import { describe } from "../../schema/violation.js";
import type { Message } from "../messages/message.js";
import type { Serve } from "../messages/request-messages.js";
import { runHandler, SuppressedErrors } from "./handler-errors.js";
import type { HostLink } from "./host-link.js";
import type { PreparedMethod } from "./prepared-handlers.js";
import type { ProjectCache } from "./project-cache.js";
import type { RemoteMetrics } from "./remote-metrics.js";
import { remoteSession } from "./remote-session.js";
import { resultText } from "./result-text.js";

/** Runs the service methods of a plugin for other plugins. */
export class ServiceRunner {
  constructor(
    private readonly link: HostLink,
    private readonly log: Log,
    private readonly methods: ReadonlyMap<string, PreparedMethod>,
    private readonly projects: ProjectCache,
    private readonly metrics: Pick<RemoteMetrics, "suppressed">,
  ) {}

  /** Part 0 is the input as JSON. */
  async run(call: Serve, [input]: Buffer[], signal: AbortSignal): Promise<Message> {
    const what = `${call.service}.${call.method}`;
    const prepared = this.methods.get(what);
    if (prepared === undefined) throw new Error(`There is no service method ${what}.`);
    return await runHandler(what, { request: call.request, signal }, this.log, () =>
      this.answer(prepared, call, JSON.parse(input?.toString("utf8") ?? "null"), signal),
    );
  }

  private async answer(
    prepared: PreparedMethod,
    call: Serve,
    input: unknown,
    signal: AbortSignal,
  ): Promise<Message> {
    const suppressed = new SuppressedErrors(this.metrics);
    const context: ServiceMethodContext<unknown, unknown> = {
      input: this.validInput(prepared, call, input),
      session: call.session && remoteSession(this.link, this.projects, call.session),
      locale: call.locale,
      signal,
      suppress: suppressed.suppress,
      log: this.log,
      requestId: call.requestId,
    };
    const { method } = prepared;
    const value: unknown = await Reflect.apply(method.handler, method, [context]);
    const what = `${call.service}.${call.method}`;
    const text = resultText(what, value, prepared.checkOutput, "output") ?? "null";
    return { values: {}, parts: [text, JSON.stringify(suppressed.all)] };
  }

  /** Invalid input is a bug of the calling plugin; its client cannot fix it. */
  private validInput({ checkInput }: PreparedMethod, call: Serve, input: unknown): unknown {
    if (checkInput === undefined) return undefined;
    const checked = checkInput(input);
    if (checked.ok) return checked.value;
    const { service, method, caller } = call;
    this.log.error(`${caller} called ${service}.${method} with invalid input`, {
      caller,
      violations: checked.violations.map(describe),
    });
    throw new RequestError({
      id: "plugin-error",
      code: 500,
      message: `The plugin ${caller} used the service ${service}.${method} wrongly.`,
    });
  }
}
