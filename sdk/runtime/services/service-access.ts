import { requestOver } from "../calls/request-errors.js";
import type { RunningCalls } from "../calls/running-call.js";
import { timeLimit } from "../calls/time-limit.js";
import { type Clock, monotonicClock, type Work } from "../calls/work.js";
import type { Message, Received } from "../messages/message.js";
import type { HostServices } from "./host-services.js";
import type { CallingPlugin } from "./service-context.js";

/** Milliseconds, for a plugin's calls outside a request. */
const ownCallTimeout = 60_000;

/**
 * Gives an instance access to the host services: for one of its running requests, or for the plugin itself
 * during its lifetime.
 */
export class ServiceAccess {
  private readonly lifetime = new AbortController();

  constructor(
    private readonly plugin: CallingPlugin,
    private readonly services: HostServices,
    private readonly running: RunningCalls,
    /** For calls outside a request. */
    private readonly own: Work,
    private readonly clock: Clock = monotonicClock,
  ) {}

  /** Rejects with a `RequestError`. */
  async call(service: string, message: Received, signal: AbortSignal): Promise<Message> {
    const { request, ...values } = message.values;
    const asked = { values, parts: message.parts };
    const { plugin } = this;
    if (request === undefined) {
      const ends = AbortSignal.any([signal, this.lifetime.signal, timeLimit(ownCallTimeout)]);
      const deadline = this.clock.now() + ownCallTimeout;
      const context = { plugin, call: undefined, signal: ends, deadline, work: this.own };
      return await this.services.call(service, asked, context);
    }
    const running = typeof request === "number" ? this.running.get(request) : undefined;
    if (running === undefined) throw requestOver();
    const ends = AbortSignal.any([signal, running.signal]);
    const { deadline, work } = running.origin;
    return await this.services.call(service, asked, { plugin, call: running, signal: ends, deadline, work });
  }

  /** Aborts all running calls. */
  end(): void {
    this.lifetime.abort();
  }
}
