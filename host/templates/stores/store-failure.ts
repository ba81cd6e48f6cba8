import { RequestError } from "@slipway/sdk";

/** Why a store gave no templates; the message is a sentence fit for clients. `refused`: the token is not taken (any more). */
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

/** What is said of an error that ended the talk with a store. */
export function storeFailure(error: unknown): StoreFailure {
  if (error instanceof StoreFailure) return error;
  if (error instanceof RequestError) return new StoreFailure(error.message, false, error);
  return new StoreFailure("The host failed to ask the store.", false, error);
}

/** The store took longer than it may. */
export function storeTooSlow(timeout: number): StoreFailure {
  return new StoreFailure(`The store did not answer within ${timeout} ms.`);
}
