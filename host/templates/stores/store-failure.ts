import { RequestError } from "@slipway/sdk";

/**
 * Why a store returned no templates; the message is a sentence fit for clients. `refused`: the store refused the token.
 */
export class StoreFailure extends Error {
  override readonly name = "StoreFailure";

  constructor(
    message: string,
    readonly refused = false,
    reason?: unknown,
  ) {
    super(message, { cause: reason });
  }
}

/** The failure to report for an error of a store request. */
export function storeFailure(error: unknown): StoreFailure {
  if (error instanceof StoreFailure) return error;
  if (error instanceof RequestError) return new StoreFailure(error.message, false, error);
  return new StoreFailure("The host failed to ask the store.", false, error);
}

/** The store exceeded its timeout. */
export function storeTooSlow(timeout: number): StoreFailure {
  return new StoreFailure(`The store did not answer within ${timeout} ms.`);
}

/** The result of the work, which continues in the background; rejects with the signal's reason when it aborts first. */
export async function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  work.catch(() => undefined);
  signal.throwIfAborted();
  return await new Promise<T>((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
