/**
 * Calls in both directions over one stream of frames; both sides use the same code. A `call` is answered by `reply` or
 * `failure` and ended early by `cancel`; a `ping` is answered by `pong`; a `note` has no answer.
 */
import { setMaxListeners } from "node:events";
import type { Duplex } from "node:stream";
import { RequestError } from "@slipway/sdk";
import { describeFailure, type Message, type Received, readFailure } from "@slipway/sdk/runtime";
import { overloaded } from "../../system/request-errors.js";
import { type Frame, FrameError, FrameReader, writeFrame } from "./frame.js";

export interface ChannelOptions {
  stream: Duplex;
  /** Largest frame in bytes, in both directions. */
  maximumFrame: number;
  /** Answers a call of the peer. A `RequestError` is passed on unchanged; any other error reaches the peer as 500. */
  serve(method: string, message: Received, signal: AbortSignal): Promise<Message>;
  /** Receives a message without an answer. */
  note(method: string, message: Received): void;
  /** Called once, when the peer breaks the protocol or the stream ends. The channel then neither sends nor receives. */
  closed(error: Error): void;
}

interface CallOptions {
  /** Ends the call with the signal's reason and notifies the peer. */
  signal?: AbortSignal;
  /** Called when the signal ends the call; `settled` resolves when the peer has finished. */
  abandoned?(settled: Promise<void>): void;
}

/** The stream ended before the answer. */
export class ChannelClosed extends Error {
  override readonly name = "ChannelClosed";
}

interface Pending {
  resolve(received: Received): void;
  reject(error: unknown): void;
}

/** Limit of concurrent calls by the peer; further calls fail. */
const maximumServed = 1024;

export class Channel {
  private readonly reader: FrameReader;
  private readonly pending = new Map<number, Pending>();
  private readonly served = new Map<number, AbortController>();
  private readonly pings = new Map<number, () => void>();
  private lastId = 0;
  private end: Error | undefined;

  constructor(private readonly options: ChannelOptions) {
    this.reader = new FrameReader(options.maximumFrame);
    const { stream } = options;
    stream.on("data", (chunk: Buffer) => this.receive(chunk));
    stream.on("error", (error) => this.close(new ChannelClosed("the channel broke", { cause: error })));
    stream.on("end", () => this.close(new ChannelClosed("the channel ended")));
    stream.on("close", () => this.close(new ChannelClosed("the channel closed")));
  }

  /**
   * Calls the peer. Rejects with its `RequestError`, the signal's reason, `ChannelClosed`, or a `FrameError` when too
   * large.
   */
  call(method: string, message: Message, options: CallOptions = {}): Promise<Received> {
    const { signal } = options;
    if (this.end !== undefined) return Promise.reject(this.end);
    if (signal?.aborted) return Promise.reject(signal.reason);
    this.lastId += 1;
    const id = this.lastId;
    return new Promise<Received>((resolve, reject) => {
      const abort = (): void => {
        const settled = new Promise<void>((done) => {
          this.pending.set(id, { resolve: () => done(), reject: () => done() });
        });
        this.send("cancel", id, "", { values: {}, parts: [] });
        options.abandoned?.(settled);
        reject(signal?.reason);
      };
      const release = (): void => signal?.removeEventListener("abort", abort);
      this.pending.set(id, {
        resolve: (received) => {
          release();
          resolve(received);
        },
        reject: (error) => {
          release();
          reject(error);
        },
      });
      try {
        this.send("call", id, method, message);
        signal?.addEventListener("abort", abort, { once: true });
      } catch (error) {
        this.pending.delete(id);
        reject(error);
      }
    });
  }

  /** Sends a note to the peer; lost when the stream has ended. */
  note(method: string, values: Record<string, unknown>): void {
    this.send("note", 0, method, { values, parts: [] });
  }

  /** Resolves when the peer's event loop answers; never if it does not. */
  ping(): Promise<void> {
    this.lastId += 1;
    const id = this.lastId;
    return new Promise((resolve) => {
      this.pings.set(id, resolve);
      this.send("ping", id, "", { values: {}, parts: [] });
    });
  }

  /** Bytes buffered for the peer. */
  get unsent(): number {
    return this.options.stream.writableLength;
  }

  /** Ends the channel; every pending call rejects with the error. */
  close(error: Error): void {
    if (this.end !== undefined) return;
    this.end = error;
    for (const each of this.pending.values()) each.reject(error);
    for (const each of this.served.values()) each.abort(error);
    this.pending.clear();
    this.served.clear();
    this.pings.clear();
    this.options.stream.destroy();
    this.options.closed(error);
  }

  private send(kind: string, id: number, method: string, message: Message): void {
    if (this.end !== undefined) return;
    const head = { kind, id, method, values: message.values };
    writeFrame(this.options.stream, head, message.parts, this.options.maximumFrame);
  }

  private receive(chunk: Buffer): void {
    try {
      for (const frame of this.reader.push(chunk)) {
        if (this.end !== undefined) return;
        this.dispatch(frame);
      }
    } catch (error) {
      this.close(error instanceof Error ? error : new FrameError(String(error)));
    }
  }

  private dispatch({ head, parts }: Frame): void {
    const received = { values: head.values, parts };
    switch (head.kind) {
      case "call":
        void this.answer(head.id, head.method, received);
        break;
      case "reply":
        this.take(head.id)?.resolve(received);
        break;
      case "failure":
        this.take(head.id)?.reject(readFailure(head.values));
        break;
      case "cancel":
        this.served.get(head.id)?.abort(new ChannelClosed("the caller gave up"));
        break;
      case "ping":
        this.send("pong", head.id, "", { values: {}, parts: [] });
        break;
      case "pong":
        this.pings.get(head.id)?.();
        this.pings.delete(head.id);
        break;
      case "note":
        this.options.note(head.method, received);
        break;
      default:
        // A kind from a later protocol; callers that wait for an answer have a deadline.
        break;
    }
  }

  /** Undefined for a late reply to a call that has ended. */
  private take(id: number): Pending | undefined {
    const pending = this.pending.get(id);
    this.pending.delete(id);
    return pending;
  }

  private async answer(id: number, method: string, received: Received): Promise<void> {
    if (this.served.has(id)) return;
    const controller = new AbortController();
    // A handler may add many listeners.
    setMaxListeners(0, controller.signal);
    try {
      if (this.served.size >= maximumServed)
        throw overloaded(`The plugin makes more than ${maximumServed} calls at the same time. Try again.`);
      this.served.set(id, controller);
      const message = await this.options.serve(method, received, controller.signal);
      this.send("reply", id, method, message);
    } catch (error) {
      this.fail(id, error);
    } finally {
      if (this.served.get(id) === controller) this.served.delete(id);
    }
  }

  /** An error whose additional information cannot be sent still has to be answered. */
  private fail(id: number, error: unknown): void {
    try {
      this.send("failure", id, "", { values: failureValues(error), parts: [] });
    } catch (unfit) {
      this.send("failure", id, "", { values: failureValues(unfit), parts: [] });
    }
  }
}

/** The values of a failure frame, including a reply that is too large to send. */
function failureValues(error: unknown): Record<string, unknown> {
  if (!(error instanceof FrameError)) return describeFailure(error);
  const message = `The answer is too large: ${error.message}.`;
  return describeFailure(new RequestError({ id: "internal-error", code: 500, message, reason: error }));
}
