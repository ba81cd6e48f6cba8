/** What becomes of messages and errors on their way between a plugin and its host, without a process in between. */
import { setMaxListeners } from "node:events";
import { describeFailure, type Message, type Received, readFailure } from "../../runtime/messages/message.js";
/** Answers a call of the other side. */
export type Serve = (message: Received, signal: AbortSignal) => Promise<Message>;

/**
 * Calls the other side: values and errors are what is left of them after a way through JSON, and bytes are copies. Rejects as
 * soon as the signal aborts; the other side then has its own signal aborted, and `late` resolves when it is done.
 */
export function crossing(
  message: Message,
  serve: Serve,
  signal: AbortSignal,
  late: (settled: Promise<void>) => void = () => undefined,
): Promise<Received> {
  if (signal.aborted) return Promise.reject(signal.reason);
  const controller = new AbortController();
  // A handler may wait for many things at a time.
  setMaxListeners(0, controller.signal);
  return new Promise((resolve, reject) => {
    const served = serve(received(message), controller.signal);
    const abort = (): void => {
      late(served.then(nothing, nothing));
      reject(signal.reason);
      controller.abort(new Error("the caller gave up"));
    };
    signal.addEventListener("abort", abort, { once: true });
    served
      .then((answer) => resolve(received(answer)))
      .catch((error: unknown) => reject(readFailure(crossed(error))))
      .finally(() => signal.removeEventListener("abort", abort));
  });
}

function received({ values, parts }: Message): Received {
  const copies = parts.map((part) => Buffer.from(typeof part === "string" ? part : new Uint8Array(part)));
  return { values: JSON.parse(JSON.stringify(values)), parts: copies };
}

/** An error whose additional information JSON cannot hold is one that says nothing. */
function crossed(error: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(describeFailure(error)));
  } catch (unfit) {
    return describeFailure(unfit);
  }
}

function nothing(): void {}
