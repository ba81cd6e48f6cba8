import {
  type Attributes,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import { type Log, RequestError } from "@slipway/sdk";
import type { Facts, StepDetails, Work } from "@slipway/sdk/runtime/host";
import { traceHeaders } from "./trace-context.js";

/** Work whose steps become nested spans. */
export class TracedWork implements Work {
  constructor(
    private readonly tracer: Tracer,
    private readonly span: Span,
    readonly log: Log,
  ) {}

  get traceHeaders(): Record<string, string> {
    return traceHeaders(this.span.spanContext());
  }

  note(facts: Facts): void {
    this.span.setAttributes(attributesOf(facts));
  }

  async step<T>(name: string, run: (step: Work) => Promise<T>, details: StepDetails = {}): Promise<T> {
    const { facts = {}, isOutgoing } = details;
    const kind = isOutgoing ? SpanKind.CLIENT : SpanKind.INTERNAL;
    const above = trace.setSpan(ROOT_CONTEXT, this.span);
    const span = this.tracer.startSpan(name, { kind, attributes: attributesOf(facts) }, above);
    try {
      return await run(new TracedWork(this.tracer, span, this.log));
    } catch (error) {
      noteError(span, error);
      throw error;
    } finally {
      span.end();
    }
  }
}

export function attributesOf(facts: Facts): Attributes {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
}

/** Only the kind: messages and stacks belong in the log. A client's mistake is no failure of the host. */
function noteError(span: Span, error: unknown): void {
  const isOurs = !(error instanceof RequestError) || error.code >= 500;
  const kind = error instanceof RequestError ? error.id : error instanceof Error ? error.name : "Error";
  span.setAttribute("error.type", kind);
  if (isOurs) span.setStatus({ code: SpanStatusCode.ERROR });
}
