import { RequestError } from "@slipway/sdk";

/** Bounds what all projects together take in memory while they come in and are opened. */
export class UploadRoom {
  private used = 0;

  constructor(private readonly maximumBytes: () => number) {}

  /**
   * Runs a task that takes room piece by piece and gives all of it back at its end. `take` throws 503
   * `request-overloaded` when there is not enough.
   */
  async during<T>(task: (take: (bytes: number) => void) => Promise<T>): Promise<T> {
    let taken = 0;
    const take = (bytes: number): void => {
      if (this.used + bytes > this.maximumBytes()) throw full();
      this.used += bytes;
      taken += bytes;
    };
    try {
      return await task(take);
    } finally {
      this.used -= taken;
    }
  }
}

function full(): RequestError {
  return new RequestError({
    id: "request-overloaded",
    code: 503,
    message: "Too many projects come in at the same time.",
    headers: { "Retry-After": "5" },
  });
}
